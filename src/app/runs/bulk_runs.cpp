#include "app/runs/bulk_runs.hpp"

#include "app/jobs/job_id.hpp"
#include "app/refusal.hpp"
#include "base/spoken.hpp"

#include <fmt/format.h>

namespace pawl::app {

namespace {

constexpr int sample_size = 10;

Error too_many(const store::RunCount& count, std::int64_t limit) {
    return wrong_at(
        fmt::format(
            "{}{} {}, and the limit is {}: narrow the filter, or raise \"limit\" ({} at most)",
            count.complete ? "" : "more than ",
            counted(static_cast<std::uint64_t>(count.total), "run"),
            count.total == 1 ? "matches" : "match",
            limit,
            store::bulk_limit_max
        ),
        "/limit",
        "is less than the number of runs that match"
    );
}

}  // namespace

asio::awaitable<store::RunCount> count_bulk(
    RunUses& uses, store::Tenant tenant, const store::RunFilter& filter, std::string_view action
) {
    const bool unretried = action == "retry";
    return uses.jobs.count_runs(tenant, filter, unretried, sample_size, store::bulk_limit_max);
}

asio::awaitable<Result<store::Job>> bulk_runs(
    RunUses& uses, Caller caller, store::RunFilter filter, store::BulkAction action
) {
    const auto count = co_await count_bulk(uses, caller.tenant, filter, action.action);
    if (!count.complete || count.total > action.limit) co_return too_many(count, action.limit);
    auto job = co_await uses.jobs.create_bulk(
        job_id(caller, "bulk"),
        caller.tenant.id,
        std::move(filter),
        store::to_request(action),
        count.total
    );
    uses.job_runner.look();
    co_return job;
}

}  // namespace pawl::app
