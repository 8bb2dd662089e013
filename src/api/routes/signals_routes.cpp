#include "api/http/body.hpp"
#include "api/http/query_params.hpp"
#include "api/http/routes.hpp"
#include "api/shapes.hpp"
#include "api/streams/run_end.hpp"
#include "api/task_actions.hpp"
#include "model/events/signal_data.hpp"
#include "plan/awaited_signal.hpp"
#include "plan/planner.hpp"
#include "plan/settle.hpp"
#include "plan/skip.hpp"

namespace pawl::api {

namespace {

constexpr std::size_t name_max = 200;
constexpr std::size_t reason_max = 1000;

// True: the run is open, or got this very message before.
asio::awaitable<bool> leave(
    Services& services, store::Tenant tenant, std::string key, store::NewSignal signal
) {
    if (key.empty()) {
        std::vector<store::NewSignal> signals;
        signals.push_back(std::move(signal));
        const auto reached =
            co_await services.store.send_signals(tenant.bucket, std::move(signals));
        co_return !reached.empty();
    }
    // Together with the mark that it was left: a server that dies before it answers leaves nothing
    // in doubt.
    const auto sent =
        co_await services.idempotency.send_signal(tenant, std::move(key), std::move(signal));
    co_return sent.reached;
}

// 202 with the run as it is: the message has been kept, and the run will see to it.
asio::awaitable<http::ServerResponse> send(
    Services& services, Call call, SignalKind kind, json::object data
) {
    const RunId id = run_param(call);
    const store::Tenant tenant = tenant_of(call);
    // A run of another tenant is not found.
    co_await find_run(services, tenant, id);
    store::NewSignal signal{id, std::string(name(kind)), std::move(data)};
    const bool left = co_await leave(services, tenant, call.idempotency_key, std::move(signal));
    const auto run = co_await find_run(services, tenant, id);
    if (!left) {
        refuse(409, "run_closed", "the run is " + run.status + "; nothing reaches it any more");
    }
    services.wake_workers();
    co_return json_response(202, to_json(run));
}

// A name that the run has no use for would be kept without a word, and the run wait on: it is a
// slip, unless the caller says that it comes early.
asio::awaitable<void> refuse_unawaited(Services& services, Call call, std::string name) {
    const store::Tenant tenant = tenant_of(call);
    const auto run = co_await find_run(services, tenant, run_param(call));
    const auto log = co_await services.store.load_log(tenant.bucket, run.id);
    const auto [program, state, places] = co_await services.programs.fold(run.workflow_id, log);
    const auto check = plan::check_signal(program->definition, state, name);
    if (check.sentence.empty()) co_return;
    // The same call again, whose message the run has got: it waits for something else by now.
    const bool keyed = !call.idempotency_key.empty();
    if (keyed && co_await services.idempotency.was_sent(tenant.id, call.idempotency_key)) co_return;
    std::string sentence = check.sentence;
    if (!check.names.empty()) sentence += ", not for " + name;
    Problem problem{409, "not_awaited", std::move(sentence), {}, {}};
    problem.detail += "; with early: true it is kept until the run does";
    problem.more["waits_for"] = json::value_from(check.names);
    throw Refused(std::move(problem));
}

asio::awaitable<http::ServerResponse> signal_run(Services& services, Call call) {
    only_params(call, {});
    std::vector<ProblemPlace> places;
    const json::object object = call.object();
    Body body(object, places);
    const auto name = body.text("name", name_max);
    if (!name && places.empty()) body.wrong("name", "is required");
    const json::value* data = body.any("data");
    const json::value none;
    json::object message = events::write(events::NamedSignal{
        name ? *name : std::string_view(), data == nullptr ? &none : data});
    const bool early = body.flag("early").value_or(false);
    body.refuse_unknown();
    refuse_if_wrong(std::move(places));
    if (!early) co_await refuse_unawaited(services, call, name.value_or(""));
    co_return co_await send(services, std::move(call), SignalKind::signal, std::move(message));
}

asio::awaitable<http::ServerResponse> pause_run(Services& services, Call call) {
    only_params(call, {});
    std::vector<ProblemPlace> places;
    const json::object object = call.object(true);
    Body body(object, places);
    json::object data{
        {"reason", body.text("reason", reason_max).value_or("paused through the API")}};
    body.refuse_unknown();
    refuse_if_wrong(std::move(places));
    co_return co_await send(services, std::move(call), SignalKind::pause, std::move(data));
}

asio::awaitable<http::ServerResponse> resume_run(Services& services, Call call) {
    only_params(call, {});
    std::vector<ProblemPlace> places;
    const json::object object = call.object(true);
    Body(object, places).refuse_unknown();
    refuse_if_wrong(std::move(places));
    co_return co_await send(services, std::move(call), SignalKind::resume, json::object());
}

// A skip of a step that the run is not at would be lost without a word, so it is refused here. The
// run may still go on before it comes: then nothing is skipped.
asio::awaitable<void> refuse_idle_skip(Services& services, Call call, std::string node) {
    const store::Tenant tenant = tenant_of(call);
    const auto run = co_await find_run(services, tenant, run_param(call));
    const auto log = co_await services.store.load_log(tenant.bucket, run.id);
    const auto [program, state, places] = co_await services.programs.fold(run.workflow_id, log);
    if (is_terminal(state.status)) co_return;  // for send() to refuse
    auto check = plan::check_skip(program->definition, state, node);
    if (check.verdict == plan::SkipCheck::Verdict::unknown_node) {
        refuse_places(std::move(check.sentence), {{"/node", "", "is not a step of this version"}});
    }
    if (check.verdict == plan::SkipCheck::Verdict::not_open) {
        refuse(409, "not_open", std::move(check.sentence));
    }
}

asio::awaitable<http::ServerResponse> skip_step(Services& services, Call call) {
    only_params(call, {});
    std::vector<ProblemPlace> places;
    const json::object object = call.object();
    Body body(object, places);
    if (!object.contains("node")) body.wrong("node", "is required: the id of a step");
    if (!object.contains("reason")) body.wrong("reason", "is required; the run's log keeps it");
    const std::string node = body.text("node", name_max).value_or("");
    const std::string reason = body.text("reason", reason_max).value_or("");
    const std::string by = acting_for(call, body.person("by", name_max));
    json::object data = events::write(events::SkipSignal{node, {}, by, reason, body.any("value")});
    body.refuse_unknown();
    refuse_if_wrong(std::move(places));
    co_await refuse_idle_skip(services, call, node);
    co_return co_await send(services, std::move(call), SignalKind::skip, std::move(data));
}

// For a step whose outcome nobody knows.
asio::awaitable<http::ServerResponse> settle_step(Services& services, Call call) {
    only_params(call, {});
    std::vector<ProblemPlace> places;
    const json::object object = call.object();
    Body body(object, places);
    plan::SettleRequest request;
    if (!object.contains("node")) body.wrong("node", "is required: the id of a step");
    request.node = body.text("node", name_max).value_or("");
    const auto as = plan::parse_settled(body.text("as", 20).value_or(""));
    if (!as) body.wrong("as", "must be completed, failed or retry");
    request.as = as.value_or(plan::Settled::completed);
    request.reason = body.text("reason", reason_max).value_or("");
    request.by = acting_for(call, body.person("by", name_max));
    if (const json::value* data = body.any("data")) request.data = *data;
    body.refuse_unknown();
    refuse_if_wrong(std::move(places));
    const store::Tenant tenant = tenant_of(call);
    const auto run = co_await find_run(services, tenant, run_param(call));
    const auto log = co_await services.store.load_log(tenant.bucket, run.id);
    const auto [program, state, where] = co_await services.programs.fold(run.workflow_id, log);
    auto settlement = plan::settle(program->definition, state, request);
    if (settlement.unknown_node) {
        refuse_places(
            std::move(settlement.sentence), {{"/node", "", "is not a step of this version"}}
        );
    }
    if (!settlement.sentence.empty() && !is_terminal(state.status)) {
        refuse(409, "not_unknown", std::move(settlement.sentence));
    }
    co_return co_await send(
        services, std::move(call), SignalKind::callback, std::move(settlement.signal)
    );
}

}  // namespace

void add_signal_routes(Router& router, Services& services) {
    const auto write = Scope::runs_write;
    router.add({"POST", "/v1/runs/{id}/signals", write, bound(services, signal_run), {}});
    router.add({"POST", "/v1/runs/{id}/pause", write, bound(services, pause_run), {}});
    router.add({"POST", "/v1/runs/{id}/resume", write, bound(services, resume_run), {}});
    router.add({"POST", "/v1/runs/{id}/skip", write, bound(services, skip_step), {}});
    router.add({"POST", "/v1/runs/{id}/settle", write, bound(services, settle_step), {}});
}

}  // namespace pawl::api
