#pragma once

#include "pg/pool.hpp"
#include "store/store.hpp"

namespace pawl::store {

// What waits and how the service does, as the database sums it up (pawl.overview). The pool must
// outlive it.
class Overviews {
public:
    explicit Overviews(pg::Pool& pool) : pool_(pool) {}

    // {work, tasks, failures, targets}
    asio::awaitable<json::object> of_tenant(Tenant tenant);
    // {workers, database}: of all tenants, so for operators of the service alone.
    asio::awaitable<json::object> of_service(Tenant tenant);

private:
    pg::Pool& pool_;
};

}  // namespace pawl::store
