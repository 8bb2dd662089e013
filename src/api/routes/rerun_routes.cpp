#include "api/http/call_body.hpp"
#include "api/http/caller_of.hpp"
#include "api/http/query_params.hpp"
#include "api/http/routes.hpp"
#include "app/runs/rerun_run.hpp"
#include "app/runs/retry_run.hpp"
#include "app/views/run_json.hpp"

namespace pawl::api {

namespace {

http::ServerResponse with_location(http::ServerResponse response, RunId run) {
    response.headers.push_back({"Location", "/v1/runs/" + to_string(run)});
    return response;
}

// Also the replay of a dead letter: the same thing, seen from the list of failures.
asio::awaitable<http::ServerResponse> retry(app::RunUses& uses, Call call) {
    only_params(call, {});
    const auto [program, started] =
        or_refuse(co_await app::retry_run(uses, tenant_of(call), run_param(call)));
    co_return with_location(
        json_response(started.created ? 201 : 200, app::to_json(*program, started)), started.run
    );
}

asio::awaitable<http::ServerResponse> rerun(app::RunUses& uses, Call call) {
    CallBody body(call, true);
    app::RerunParams params;
    if (const json::object* data = body.object("data")) params.data = *data;
    params.from = body.text("from", 100);
    params.confirmed = body.flag("confirm").value_or(false);
    body.finish();
    params.run = run_param(call);
    const auto made = or_refuse(co_await app::rerun_run(uses, caller_of(call), std::move(params)));
    json::object out = app::to_json(*made.run.program, made.run.started);
    if (!made.released.empty()) {
        out["released"] = json::array(made.released.begin(), made.released.end());
    }
    co_return with_location(json_response(201, out), made.run.started.run);
}

}  // namespace

void add_rerun_routes(Router& router, app::RunUses& uses) {
    const auto write = Scope::runs_write;
    router.add({"POST", "/v1/runs/{id}/retry", write, bound(uses, retry), {}});
    router.add({"POST", "/v1/runs/{id}/rerun", write, bound(uses, rerun), {}});
    router.add({"POST", "/v1/dead-letters/{id}/replay", write, bound(uses, retry), {}});
}

}  // namespace pawl::api
