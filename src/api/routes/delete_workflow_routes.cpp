#include "api/http/job_id.hpp"
#include "api/http/query_params.hpp"
#include "api/http/routes.hpp"
#include "api/shapes.hpp"
#include "store/repos/bulk.hpp"

#include <fmt/core.h>

namespace pawl::api {

namespace {

// What becomes of open runs.
enum class OpenRuns { refuse, finish, cancel };

OpenRuns open_runs_param(const Call& call) {
    const std::string text = text_param(call, "open_runs");
    if (text.empty() || text == "refuse") return OpenRuns::refuse;
    if (text == "finish") return OpenRuns::finish;
    if (text == "cancel") return OpenRuns::cancel;
    refuse_parameter("open_runs", "must be refuse, finish or cancel");
}

asio::awaitable<store::Job> cancel_all(
    Services& services, Call call, std::string workflow, std::int64_t open
) {
    store::BulkAction action;
    action.action = "cancel";
    action.by = call.principal.name;
    action.reason = "the workflow was deleted";
    action.limit = store::bulk_limit_max;
    store::RunFilter filter;
    filter.workflow = std::move(workflow);
    auto job = co_await services.jobs.create_bulk(
        job_id(call, "delete"),
        call.principal.tenant,
        store::fitting(filter, action.action).value(),
        store::to_request(action),
        open
    );
    services.job_runner.look();
    co_return job;
}

asio::awaitable<http::ServerResponse> delete_workflow(Services& services, Call call) {
    only_params(call, {"open_runs"});
    const OpenRuns wanted = open_runs_param(call);
    const std::string name = call.params.at(0);
    const auto tenant = call.principal.tenant;
    std::int64_t open = 0;
    for (const auto& [version, count] : co_await services.versions.open_runs(tenant, name)) {
        open += count;
    }
    if (open > 0 && wanted == OpenRuns::refuse) {
        refuse(
            409,
            "open_runs",
            fmt::format(
                "workflow '{}' has {} open {}: wait for {} end, or cancel {}",
                name,
                open,
                open == 1 ? "run" : "runs",
                open == 1 ? "its" : "their",
                open == 1 ? "it" : "them"
            )
        );
    }
    const auto removed = co_await services.versions.remove(tenant, name);
    if (!removed) {
        refuse_not_found("there is no workflow '" + name + "'; GET /v1/workflows lists them");
    }
    json::object out{
        {"name", name},
        {"version", removed->version},
        {"schedules", removed->schedules},
        {"events", removed->events},
        {"open_runs", open},
        {"job", nullptr}};
    if (open > 0 && wanted == OpenRuns::cancel) {
        const auto job = co_await cancel_all(services, std::move(call), name, open);
        out["job"] = to_json(job);
    }
    co_return json_response(200, out);
}

}  // namespace

void add_delete_workflow_routes(Router& router, Services& services) {
    router.add(
        {"DELETE",
         "/v1/workflows/{name}",
         Scope::workflows_write,
         bound(services, delete_workflow),
         {}}
    );
}

}  // namespace pawl::api
