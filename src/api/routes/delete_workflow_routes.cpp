#include "api/http/caller_of.hpp"
#include "api/http/problem.hpp"
#include "api/http/query_params.hpp"
#include "api/http/routes.hpp"
#include "app/versions/delete_workflow.hpp"
#include "app/views/job_json.hpp"

namespace pawl::api {

namespace {

using app::OpenRuns;

OpenRuns open_runs_param(const Call& call) {
    const std::string text = text_param(call, "open_runs");
    if (text.empty() || text == "refuse") return OpenRuns::refuse;
    if (text == "finish") return OpenRuns::finish;
    if (text == "cancel") return OpenRuns::cancel;
    refuse_parameter("open_runs", "must be refuse, finish or cancel");
}

asio::awaitable<http::ServerResponse> remove(app::VersionUses& uses, Call call) {
    only_params(call, {"open_runs"});
    const OpenRuns wanted = open_runs_param(call);
    const std::string name = call.params.at(0);
    const auto deleted =
        or_refuse(co_await app::delete_workflow(uses, caller_of(call), name, wanted));
    json::object out{
        {"name", name},
        {"version", deleted.removed.version},
        {"schedules", deleted.removed.schedules},
        {"events", deleted.removed.events},
        {"open_runs", deleted.open_runs},
        {"job", nullptr}};
    if (deleted.job) out["job"] = app::to_json(*deleted.job);
    co_return json_response(200, out);
}

}  // namespace

void add_delete_workflow_routes(Router& router, app::VersionUses& uses) {
    router.add({"DELETE", "/v1/workflows/{name}", Scope::workflows_write, bound(uses, remove), {}});
}

}  // namespace pawl::api
