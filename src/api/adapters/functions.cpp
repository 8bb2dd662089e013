#include "api/http/caller_of.hpp"
#include "api/http/query_params.hpp"
#include "api/http/routes.hpp"
#include "app/app.hpp"
#include "app/refusal.hpp"
#include "app/runs/start_run.hpp"
#include "base/sentence.hpp"
#include "engine/async/gate.hpp"

#include <algorithm>

namespace pawl::api {

// Document 000's two function routes. Its envelopes, messages and statuses are what existing front
// ends match: they may not change.
namespace {

// The document's cron job gives up after ten seconds.
constexpr Duration process_time_max = std::chrono::seconds(9);
// For what takes long the caller asks again.
constexpr Duration process_quiet_max = std::chrono::milliseconds(1500);

http::ServerResponse succeeded(json::value data) {
    json::object body;
    body["success"] = true;
    body["data"] = std::move(data);
    return json_response(200, body);
}

http::ServerResponse refused(const Problem& problem) {
    json::object body;
    body["success"] = false;
    body["error"] = problem.status == 405 ? "Method not allowed" : for_sentence(problem.detail);
    // The document knows one status for everything that is wrong with a request.
    const bool about_request = problem.status == 404 || problem.status == 409 ||
                               problem.status == 415 || problem.status == 422;
    http::ServerResponse response = json_response(about_request ? 400 : problem.status, body);
    for (const http::Header& header : problem.headers) response.headers.push_back(header);
    return response;
}

[[noreturn]] void refuse_request(std::string message) {
    refuse(400, "validation_failed", std::move(message));
}

const json::value& required(const json::object& object, std::string_view key) {
    const json::value* value = object.if_contains(key);
    if (value == nullptr || value->is_null() || *value == "") {
        refuse_request(std::string(key) + " is required");
    }
    return *value;
}

std::string required_text(const json::object& object, std::string_view key) {
    const json::value& value = required(object, key);
    if (!value.is_string()) refuse_request(std::string(key) + " must be text");
    return std::string(value.get_string());
}

// By the document's words: unknown and deactivated workflows are the same to it, and what is
// missing in the data, or wrong there, is the sentence, word for word.
[[noreturn]] void refuse_start(const Error& error, const std::string& workflow) {
    if (error.code == Errc::not_found || error.code == Errc::conflict) {
        refuse_request("Workflow not found: " + workflow);
    }
    const std::string_view reason = app::reason_of(error);
    if (reason == "missing_input" || reason == "input_does_not_fit") refuse_request(error.message);
    throw Refused(to_problem(error));
}

// A start that cannot be is refused also where its key has a run already.
asio::awaitable<void> check(app::App& app, store::TenantId tenant, const app::StartParams& start) {
    const auto chosen =
        co_await app.runs.programs.chosen(tenant, start.workflow, app::choice_of(start), false);
    if (!chosen) refuse_start(chosen.error(), start.workflow);
    const auto missing = app::check_input(*chosen->program, start.data);
    if (missing) refuse_start(*missing, start.workflow);
}

asio::awaitable<json::value> existing(
    app::App& app, store::TenantId tenant, RunId run, std::string workflow
) {
    json::object data;
    data["execution_id"] = to_string(run);
    data["workflow_name"] = std::move(workflow);
    const auto row = co_await app.repos().executions.find(tenant, run);
    data["status"] = row ? row->at("status") : json::value("pending");
    data["message"] = "Workflow already exists (idempotent)";
    co_return data;
}

// A key is known once, whichever workflow it was used for. The run that has it; nothing when the
// caller has to start it.
asio::awaitable<std::optional<RunId>> take_key(
    app::App& app, store::TenantId tenant, std::string workflow, std::string key
) {
    Duration pause = std::chrono::milliseconds(10);
    for (;;) {
        const auto hold = co_await app.repos().executions.reserve_key(tenant, workflow, key);
        if (hold.run || hold.mine) co_return hold.run;
        engine::Gate gate(app.executor());
        co_await gate.wait(Steady::now() + pause);
        pause = std::min<Duration>(pause * 2, std::chrono::milliseconds(500));
    }
}

// A key that was taken for a start which is refused is free again.
asio::awaitable<app::StartedRun> start(app::App& app, app::Caller caller, app::StartParams params) {
    const store::TenantId tenant = caller.tenant.id;
    const std::string workflow = params.workflow;
    const std::string key = params.correlation_id;
    auto started = co_await app::start_run(app.runs, std::move(caller), std::move(params));
    if (started) co_return std::move(*started);
    if (!key.empty()) co_await app.repos().executions.release_key(tenant, workflow, key);
    refuse_start(started.error(), workflow);
}

asio::awaitable<json::value> enqueue(app::App& app, Call call, json::object payload) {
    app::StartParams body;
    body.workflow = required_text(payload, "workflow");
    body.data = required(payload, "data");
    if (!body.data.is_object()) refuse_request("data must be an object");
    const json::value* correlation = payload.if_contains("correlation_id");
    if (correlation != nullptr && !correlation->is_null() && *correlation != "") {
        body.correlation_id = required_text(payload, "correlation_id");
        if (body.correlation_id.size() > 400)
            refuse_request("correlation_id is longer than 400 bytes");
    }
    body.triggered_by = "frontend";
    const store::TenantId tenant = call.principal.tenant;
    if (!body.correlation_id.empty()) {
        co_await check(app, tenant, body);
        const auto run = co_await take_key(app, tenant, body.workflow, body.correlation_id);
        if (run) co_return co_await existing(app, tenant, *run, body.workflow);
    }
    const auto [program, started] = co_await start(app, caller_of(call), std::move(body));
    if (!started.created) {
        co_return co_await existing(app, tenant, started.run, program->definition.name);
    }
    json::object data;
    data["execution_id"] = to_string(started.run);
    data["workflow_name"] = program->definition.name;
    data["status"] = "queued";
    data["total_steps"] = program->definition.nodes.size();
    co_return data;
}

asio::awaitable<json::value> execution_status(
    app::App& app, store::TenantId tenant, json::object payload
) {
    const std::string text = required_text(payload, "execution_id");
    const auto id = parse_uuid(text);
    std::optional<json::value> row;
    if (id) row = co_await app.repos().executions.find(tenant, RunId{*id});
    if (!row) refuse_request("Execution not found: " + text);
    co_return std::move(*row);
}

json::object payload_of(const json::object& body) {
    const json::value* payload = body.if_contains("payload");
    if (payload == nullptr || payload->is_null()) return {};
    if (!payload->is_object()) refuse_request("payload must be an object");
    return payload->get_object();
}

asio::awaitable<http::ServerResponse> workflow_enqueue(app::App& app, Call call) {
    const json::object body = call.object();
    const std::string action = required_text(body, "action");
    json::object payload = payload_of(body);
    if (action == "enqueue") {
        co_return succeeded(co_await enqueue(app, std::move(call), std::move(payload)));
    }
    if (action == "status")
        co_return succeeded(
            co_await execution_status(app, call.principal.tenant, std::move(payload))
        );
    if (action != "health") refuse_request("Unknown action: " + action);
    json::object health;
    health["status"] = "healthy";
    health["timestamp"] = to_rfc3339(wall_now());
    co_return succeeded(std::move(health));
}

// Does what is due or under way for the tenant, and says how many runs that were: those for which
// nothing more can be done now, because they ended or wait.
asio::awaitable<http::ServerResponse> workflow_orchestrator(app::App& app, Call call) {
    payload_of(call.object(true));
    const auto runs =
        co_await app::work_off(app.batches, tenant_of(call), process_time_max, process_quiet_max);
    const auto processed = std::ranges::count_if(runs, &store::BatchRun::is_done);
    co_return succeeded(json::object{{"processed", processed}});
}

}  // namespace

void add_function_routes(Router& router, app::App& app) {
    router.add(as_traffic(
        {"POST",
         "/functions/v1/workflow-enqueue",
         Scope::runs_write,
         bound(app, workflow_enqueue),
         refused}
    ));
    router.add(as_traffic(
        {"POST",
         "/functions/v1/workflow-orchestrator",
         Scope::runs_write,
         bound(app, workflow_orchestrator),
         refused}
    ));
}

}  // namespace pawl::api
