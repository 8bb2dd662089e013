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

// What began and ended in one workflow, only where something did, and what is open.
struct WorkflowRates {
    std::string workflow;
    std::int64_t open = 0;
    std::vector<RunRate> pieces;
};

// pawl.run_rate, which workers keep (pawl.rate_runs). The pool must outlive it.
class RunRates {
public:
    explicit RunRates(pg::Pool& pool) : pool_(pool) {}

    asio::awaitable<std::vector<RunRate>> read(TenantId tenant, RateRange range);
    // Of `limit` workflows, by name; range.workflow: those after this one.
    asio::awaitable<std::vector<WorkflowRates>> by_workflow(
        TenantId tenant, RateRange range, std::int32_t limit
    );

private:
    pg::Pool& pool_;
};

}  // namespace pawl::store
