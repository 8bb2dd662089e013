#include "app/runs/retry_run.hpp"

#include "app/refusal.hpp"
#include "app/runs/folded_run.hpp"
#include "base/fresh_id.hpp"

namespace pawl::app {

asio::awaitable<Result<StartedRun>> retry_run(RunUses& uses, store::Tenant tenant, RunId id) {
    const auto outcome = co_await uses.retries.retry(tenant, {store::Retry{id, RunId{fresh_id()}}});
    const store::Retried& retried = outcome.at(0);
    if (retried.status.empty()) {
        co_return not_found("there is no run " + to_string(id)).with("run", to_string(id));
    }
    if (!retried.retried_as) {
        co_return refusal(
            Errc::conflict,
            "not_retryable",
            "only a failed or cancelled run can be retried; this one is " + retried.status
        )
            .with("status", retried.status);
    }
    uses.wake_workers();
    const auto run = co_await find_run(uses.store, tenant, *retried.retried_as);
    if (!run) co_return run.error();
    auto program = co_await uses.programs.version(run->workflow_id, run->version);
    if (!program) co_return program.error();
    co_return StartedRun{std::move(*program), {*retried.retried_as, retried.created}};
}

}  // namespace pawl::app
