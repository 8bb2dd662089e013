#pragma once

#include "base/json.hpp"
#include "pg/pool.hpp"
#include "store/store.hpp"

namespace pawl::store {

// Figures of the database for /metrics. The pool must outlive it.
class Figures {
public:
    explicit Figures(pg::Pool& pool) : pool_(pool) {}

    // What was counted last, as [metric, labels, value]. Counts anew when that is older than
    // `every` and no other process is counting.
    asio::awaitable<json::value> take(Bucket bucket, Duration every);

private:
    pg::Pool& pool_;
};

}  // namespace pawl::store
