#include "app/dead_letters/replay.hpp"

#include "app/jobs/job_id.hpp"
#include "app/refusal.hpp"
#include "base/fresh_id.hpp"

#include <fmt/core.h>

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
    DeadLetterUses& uses, Caller caller, store::DeadLetterFilter filter, store::ReplayFix fix
) {
    auto job = co_await uses.jobs.create_replay(
        job_id(caller, "replay"), caller.tenant.id, std::move(filter), std::move(fix)
    );
    uses.job_runner.look();
    co_return job;
}

asio::awaitable<Result<Instant>> mute_group(
    DeadLetterUses& uses,
    store::Tenant tenant,
    std::string fingerprint,
    std::string reason,
    std::string by
) {
    const auto at =
        co_await uses.letters.mute(tenant, fingerprint, std::move(reason), std::move(by));
    if (at) co_return *at;
    co_return not_found(fmt::format(
        "no run failed with the error '{}'; GET /v1/dead-letters/groups lists them", fingerprint
    ));
}

asio::awaitable<Result<void>> unmute_group(
    DeadLetterUses& uses, store::TenantId tenant, std::string fingerprint
) {
    const bool found = co_await uses.letters.unmute(tenant, fingerprint);
    if (found) co_return Result<void>();
    co_return not_found(fmt::format("the error '{}' is not muted", fingerprint));
}

}  // namespace pawl::app
