#pragma once

#include "pg/pool.hpp"
#include "store/store.hpp"

#include <string>
#include <vector>

namespace pawl::store {

// What began and ended within a piece of time.
struct RunRate {
    Instant at{};  // where it begins
    std::int64_t started = 0;
    std::int64_t completed = 0;
    std::int64_t failed = 0;
    std::int64_t cancelled = 0;
};

struct RateRange {
    Instant from{};
    Instant until{};
    std::int32_t step_minutes = 1;
    std::string workflow;  // empty: all of them
};

// pawl.run_rate, which workers keep (pawl.rate_runs). The pool must outlive it.
class RunRates {
public:
    explicit RunRates(pg::Pool& pool) : pool_(pool) {}

    asio::awaitable<std::vector<RunRate>> read(TenantId tenant, RateRange range);

private:
    pg::Pool& pool_;
};

}  // namespace pawl::store
