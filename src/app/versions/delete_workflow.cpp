#include "app/versions/delete_workflow.hpp"

#include "app/jobs/job_id.hpp"
#include "app/refusal.hpp"
#include "store/repos/bulk.hpp"

#include <fmt/core.h>

namespace pawl::app {

namespace {

asio::awaitable<store::Job> cancel_all(
    VersionUses& uses, Caller caller, std::string workflow, std::int64_t open
) {
    store::BulkAction action;
    action.action = "cancel";
    action.by = caller.name;
    action.reason = "the workflow was deleted";
    action.limit = store::bulk_limit_max;
    store::RunFilter filter;
    filter.workflow = std::move(workflow);
    auto fitting = store::fitting(std::move(filter), action.action);
    auto job = co_await uses.jobs.create_bulk(
        job_id(caller, "delete"),
        caller.tenant.id,
        std::move(fitting.value()),
        store::to_request(action),
        open
    );
    uses.job_runner.look();
    co_return job;
}

Error has_open_runs(const std::string& name, std::int64_t open) {
    const std::string what =
        open == 1 ? "one open run: wait for its end, or cancel it"
                  : std::to_string(open) + " open runs: wait for their end, or cancel them";
    return refusal(Errc::conflict, "open_runs", fmt::format("workflow '{}' has {}", name, what))
        .with("workflow", name)
        .with("count", std::to_string(open));
}

}  // namespace

asio::awaitable<Result<DeletedWorkflow>> delete_workflow(
    VersionUses& uses, Caller caller, std::string name, OpenRuns wanted
) {
    const store::TenantId tenant = caller.tenant.id;
    DeletedWorkflow deleted;
    for (const auto& [version, count] : co_await uses.versions.open_runs(tenant, name)) {
        deleted.open_runs += count;
    }
    const std::int64_t open = deleted.open_runs;
    if (open > 0 && wanted == OpenRuns::refuse) co_return has_open_runs(name, open);
    const auto removed = co_await uses.versions.remove(author_of(caller), name);
    if (!removed) {
        co_return not_found(no_workflow(name).message + "; GET /v1/workflows lists them")
            .with("workflow", name);
    }
    deleted.removed = *removed;
    if (open > 0 && wanted == OpenRuns::cancel) {
        deleted.job = co_await cancel_all(uses, std::move(caller), std::move(name), open);
    }
    co_return deleted;
}

}  // namespace pawl::app
