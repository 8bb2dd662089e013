#include "app/dead_letters/replay.hpp"

#include "app/jobs/job_id.hpp"
#include "base/fresh_id.hpp"

namespace pawl::app {

asio::awaitable<std::vector<store::Retried>> replay_runs(
    DeadLetterUses& uses, store::Tenant tenant, std::vector<RunId> runs
) {
    std::vector<store::Retry> retries;
    for (const RunId& run : runs) retries.push_back({run, RunId{fresh_id()}});
    auto retried = co_await uses.retries.retry(tenant, std::move(retries));
    uses.wake_workers();
    co_return retried;
}

asio::awaitable<store::Job> replay_letters(
    DeadLetterUses& uses, Caller caller, store::DeadLetterFilter filter
) {
    auto job = co_await uses.jobs.create_replay(
        job_id(caller, "replay"), caller.tenant.id, std::move(filter)
    );
    uses.job_runner.look();
    co_return job;
}

}  // namespace pawl::app
