#include "app/runs/bulk_runs.hpp"

#include "app/jobs/job_id.hpp"
#include "app/refusal.hpp"
#include "base/spoken.hpp"
#include "model/definition.hpp"

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

// How many runs are looked through for conditions that no index has.
constexpr int look_max = 100'000;

Error not_all_found() {
    return wrong_at(
        fmt::format(
            "there are more than {} runs to look through for \"error\" and \"where\": narrow the "
            "filter by workflow, status or time",
            look_max
        ),
        "/filter",
        "leaves more runs than are looked through"
    );
}

Error no_such_workflow(const std::string& name) {
    return wrong_at(
        fmt::format("there is no workflow '{}'; GET /v1/workflows lists them", name),
        "/filter/workflow",
        "is not the name of a workflow"
    );
}

Error no_such_node(const store::BulkAction& action, const std::string& workflow) {
    return wrong_at(
        fmt::format("no version of workflow '{}' has a step '{}'", workflow, action.node),
        "/node",
        "is not the id of a step"
    );
}

// What the request names must be there: a job over no runs looks as if all were well.
asio::awaitable<Result<void>> check_names(
    RunUses& uses, store::TenantId tenant, std::string workflow, store::BulkAction action
) {
    if (workflow.empty()) co_return Result<void>();
    if (action.node.empty()) {
        const auto known = co_await uses.store.find_workflow(tenant, workflow);
        if (!known) co_return no_such_workflow(workflow);
        co_return Result<void>();
    }
    const auto versions = co_await uses.store.list_versions(tenant, workflow);
    if (versions.empty()) co_return no_such_workflow(workflow);
    for (const store::WorkflowVersion& version : versions) {
        const auto definition = definition_from_json(version.definition);
        if (!definition || definition->find(action.node)) co_return Result<void>();
    }
    co_return no_such_node(action, workflow);
}

asio::awaitable<store::RunCount> count_matching(
    RunUses& uses, store::Tenant tenant, store::RunFilter filter, std::string_view action
) {
    filter.look_max = look_max;
    const bool unretried = action == "retry";
    return uses.jobs.count_runs(
        tenant, std::move(filter), unretried, sample_size, store::bulk_limit_max
    );
}

}  // namespace

asio::awaitable<Result<store::RunCount>> count_bulk(
    RunUses& uses, store::Tenant tenant, store::RunFilter filter, store::BulkAction action
) {
    const auto named = co_await check_names(uses, tenant.id, filter.workflow, action);
    if (!named) co_return named.error();
    co_return co_await count_matching(uses, tenant, std::move(filter), action.action);
}

asio::awaitable<Result<store::Job>> bulk_runs(
    RunUses& uses, Caller caller, store::RunFilter filter, store::BulkAction action
) {
    const auto counted = co_await count_bulk(uses, caller.tenant, filter, action);
    if (!counted) co_return counted.error();
    const store::RunCount& count = *counted;
    const bool searched = !filter.error.empty() || !filter.where.empty();
    if (searched && !count.complete && count.total <= action.limit) co_return not_all_found();
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
