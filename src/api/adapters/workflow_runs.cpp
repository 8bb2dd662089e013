#include "api/http/body.hpp"
#include "api/http/caller_of.hpp"
#include "api/http/query_params.hpp"
#include "api/http/routes.hpp"
#include "app/app.hpp"
#include "app/runs/folded_run.hpp"
#include "app/runs/start_run.hpp"

#include <algorithm>

// Document 002: start a run, list runs and their steps, read what happened to them. The shapes are
// those of its tables: rows of workflow_runs, workflow_steps and step_logs.
namespace pawl::api {

namespace {

constexpr std::size_t name_bytes_max = 200;

asio::awaitable<json::value> run_row(app::App& app, store::Tenant tenant, RunId run) {
    or_refuse(co_await app::find_run(app.repos().store, tenant, run));
    json::array rows = co_await app.repos().executions.runs(tenant.id, {run});
    if (rows.empty()) refuse(404, "run_not_found", "there is no run " + to_string(run));
    co_return std::move(rows.front());
}

// A number, as a number or as text, or a label.
std::string read_version(Body& body) {
    const json::value* version = body.any("workflow_version");
    const auto number = version == nullptr ? std::nullopt : whole_number(version);
    if (number && *number > 0) return std::to_string(*number);
    return body.text("workflow_version", name_bytes_max).value_or("");
}

// By the word that this door has for the input.
Error about_payload(Error error) {
    constexpr std::string_view data = "/data";
    for (auto& [key, value] : error.context) {
        if (key.starts_with(data)) key.replace(0, data.size(), "/payload");
    }
    return error;
}

// {workflow_type, workflow_version, payload}: what a row of workflow_runs begins with.
app::StartParams read_run(const json::object& object) {
    std::vector<ProblemPlace> places;
    Body body(object, places);
    app::StartParams start;
    start.workflow = body.name("workflow_type", name_bytes_max).value_or("");
    if (start.workflow.empty() && places.empty()) body.wrong("workflow_type", "is required");
    start.version = read_version(body);
    start.data = json::object();
    if (const json::object* payload = body.object("payload")) start.data = *payload;
    start.correlation_id = body.name("correlation_id", 400).value_or("");
    start.subject = body.name("subject", 500).value_or("");
    start.priority = static_cast<std::int16_t>(body.whole("priority", -32768, 32767).value_or(0));
    body.refuse_unknown();
    refuse_if_wrong(std::move(places));
    return start;
}

asio::awaitable<http::ServerResponse> start_run(app::App& app, Call call) {
    only_params(call, {});
    const auto outcome =
        co_await app::start_run(app.runs, caller_of(call), read_run(call.object()));
    if (!outcome) throw Refused(to_problem(about_payload(outcome.error())));
    const engine::Started& started = outcome->started;
    auto response = json_response(
        started.created ? 201 : 200, co_await run_row(app, tenant_of(call), started.run)
    );
    response.headers.push_back({"Location", "/workflows/" + to_string(started.run)});
    co_return response;
}

// The document's words for how a run is, as the lists of runs know them.
std::vector<std::string> statuses_of(const std::string& status) {
    if (status.empty()) return {};
    if (status == "running" || status == "paused") return {"queued", "running", "waiting"};
    if (status == "completed" || status == "failed" || status == "cancelled") return {status};
    refuse_parameter("status", "must be running, paused, completed, failed or cancelled");
}

asio::awaitable<http::ServerResponse> list_runs(app::App& app, Call call) {
    only_params(call, {"workflow_type", "status", "limit", "cursor"});
    const store::Tenant tenant = tenant_of(call);
    const std::string status = text_param(call, "status");
    store::RunFilter filter;
    filter.workflow = text_param(call, "workflow_type");
    filter.status = statuses_of(status);
    filter.limit = limit_of(call);
    if (const std::string cursor = cursor_of(call); !cursor.empty()) {
        const auto before = parse_uuid(cursor);
        if (!before) refuse_cursor();
        filter.before = RunId{*before};
    }
    const auto page = co_await app.repos().store.list_runs(tenant, std::move(filter));
    std::vector<RunId> ids;
    for (const auto& run : page.runs) ids.push_back(run.id);
    json::array rows = co_await app.repos().executions.runs(tenant.id, std::move(ids));
    // Whether an open run is paused its log says: a page may be short of those.
    json::array data;
    for (json::value& row : rows) {
        if (status.empty() || text_in(row, "status") == status) data.push_back(std::move(row));
    }
    std::optional<std::string> next;
    if (page.next) next = to_string(*page.next);
    co_return page_response(std::move(data), next);
}

asio::awaitable<http::ServerResponse> show_run(app::App& app, Call call) {
    only_params(call, {});
    const store::Tenant tenant = tenant_of(call);
    const RunId run = run_param(call);
    json::value row = co_await run_row(app, tenant, run);
    row.as_object()["steps"] = co_await app.repos().executions.steps(tenant.id, run);
    co_return json_response(200, row);
}

// A list that the executions have of the run.
template <asio::awaitable<json::array> (store::Executions::*list)(store::TenantId, RunId)>
asio::awaitable<http::ServerResponse> list_of_run(app::App& app, Call call) {
    only_params(call, {});
    const store::Tenant tenant = tenant_of(call);
    const auto run = or_refuse(co_await app::find_run(app.repos().store, tenant, run_param(call)));
    json::object body{{"data", co_await (app.repos().executions.*list)(tenant.id, run.id)}};
    co_return json_response(200, body);
}

}  // namespace

void add_workflow_run_routes(Router& router, app::App& app) {
    const auto add = [&](const char* method, const char* path, Scope scope, auto handler) {
        Route route{method, path, scope, bound(app, handler), {}};
        route.noted = Noted::of_people;
        route.beside_page = true;
        router.add(std::move(route));
    };
    add("POST", "/workflows", Scope::runs_write, start_run);
    add("GET", "/workflows", Scope::runs_read, list_runs);
    add("GET", "/workflows/{run}", Scope::runs_read, show_run);
    add("GET", "/workflows/{run}/steps", Scope::runs_read, list_of_run<&store::Executions::steps>);
    add("GET", "/workflows/{run}/logs", Scope::runs_read, list_of_run<&store::Executions::logs>);
}

}  // namespace pawl::api
