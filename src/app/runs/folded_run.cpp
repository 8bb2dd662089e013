#include "app/runs/folded_run.hpp"

#include "app/refusal.hpp"

namespace pawl::app {

asio::awaitable<Result<store::RunDetails>> find_run(
    store::PgStore& store, store::Tenant tenant, RunId id
) {
    auto found = co_await store.find_run(tenant, id);
    if (!found) {
        co_return not_found("there is no run " + to_string(id)).with("run", to_string(id));
    }
    co_return std::move(*found);
}

asio::awaitable<Result<FoldedRun>> fold_run(
    store::PgStore& store, Programs& programs, store::Tenant tenant, RunId id
) {
    auto run = co_await find_run(store, tenant, id);
    if (!run) co_return run.error();
    auto log = co_await store.load_log(tenant.bucket, id);
    auto folded = co_await programs.fold(run->workflow_id, log);
    if (!folded) co_return folded.error();
    co_return FoldedRun{
        std::move(*run),
        std::move(folded->program),
        std::move(folded->state),
        std::move(log),
        std::move(folded->places)};
}

}  // namespace pawl::app
