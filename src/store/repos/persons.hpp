#pragma once

#include "pg/pool.hpp"
#include "store/store.hpp"

#include <optional>
#include <string>
#include <vector>

namespace pawl::store {

struct PersonKey {
    TenantId tenant = 1;
    std::string key;
};

// The people that runs are about, wherever their tenants keep them (pawl.person_source). The pool
// must outlive it.
class Persons {
public:
    explicit Persons(pg::Pool& pool) : pool_(pool) {}

    // In the order of the keys; nothing where there is no such person. One query for all.
    asio::awaitable<std::vector<std::optional<json::object>>> read(std::vector<PersonKey> keys);

private:
    pg::Pool& pool_;
};

}  // namespace pawl::store
