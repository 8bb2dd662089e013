#include "api/http/call_body.hpp"
#include "api/http/caller_of.hpp"
#include "api/http/query_params.hpp"
#include "api/http/routes.hpp"
#include "app/runs/signal_run.hpp"
#include "app/views/run_json.hpp"

namespace pawl::api {

namespace {

constexpr std::size_t name_max = 200;
constexpr std::size_t reason_max = 1000;

// 202 with the run as it is: the message has been kept, and the run will react to it.
http::ServerResponse accepted(const store::RunDetails& run) {
    return json_response(202, app::to_json(run));
}

asio::awaitable<http::ServerResponse> signal(app::RunUses& uses, Call call) {
    CallBody body(call);
    app::SignalParams params;
    const auto name = body.text("name", name_max);
    if (!name && body.places().empty()) body.wrong("name", "is required");
    params.name = name.value_or("");
    if (const json::value* data = body.any("data")) params.data = *data;
    params.early = body.flag("early").value_or(false);
    body.finish();
    co_return accepted(or_refuse(
        co_await app::signal_run(uses, caller_of(call), run_param(call), std::move(params))
    ));
}

asio::awaitable<http::ServerResponse> pause(app::RunUses& uses, Call call) {
    CallBody body(call, true);
    std::string reason = body.text("reason", reason_max).value_or("paused through the API");
    body.finish();
    co_return accepted(or_refuse(
        co_await app::pause_run(uses, caller_of(call), run_param(call), std::move(reason))
    ));
}

asio::awaitable<http::ServerResponse> resume(app::RunUses& uses, Call call) {
    CallBody(call, true).finish();
    co_return accepted(or_refuse(co_await app::resume_run(uses, caller_of(call), run_param(call))));
}

asio::awaitable<http::ServerResponse> skip(app::RunUses& uses, Call call) {
    CallBody body(call);
    app::SkipParams params;
    if (!body.members().contains("node")) body.wrong("node", "is required: the id of a step");
    if (!body.members().contains("reason"))
        body.wrong("reason", "is required; the run's log keeps it");
    params.node = body.text("node", name_max).value_or("");
    params.reason = body.text("reason", reason_max).value_or("");
    params.by = acting_for(call, body.person("by", name_max));
    if (const json::value* value = body.any("value")) params.value = *value;
    params.handle = body.text("handle", name_max).value_or("");
    body.finish();
    co_return accepted(or_refuse(
        co_await app::skip_step(uses, caller_of(call), run_param(call), std::move(params))
    ));
}

asio::awaitable<http::ServerResponse> settle(app::RunUses& uses, Call call) {
    CallBody body(call);
    plan::SettleRequest request;
    if (!body.members().contains("node")) body.wrong("node", "is required: the id of a step");
    request.node = body.text("node", name_max).value_or("");
    const auto as = plan::parse_settled(body.text("as", 20).value_or(""));
    if (!as) body.wrong("as", "must be completed, failed or retry");
    request.as = as.value_or(plan::Settled::completed);
    request.reason = body.text("reason", reason_max).value_or("");
    request.by = acting_for(call, body.person("by", name_max));
    if (const json::value* data = body.any("data")) request.data = *data;
    body.finish();
    co_return accepted(or_refuse(
        co_await app::settle_step(uses, caller_of(call), run_param(call), std::move(request))
    ));
}

}  // namespace

void add_signal_routes(Router& router, app::RunUses& uses) {
    const auto write = Scope::runs_write;
    router.add(as_traffic({"POST", "/v1/runs/{id}/signals", write, bound(uses, signal), {}}));
    router.add({"POST", "/v1/runs/{id}/pause", write, bound(uses, pause), {}});
    router.add({"POST", "/v1/runs/{id}/resume", write, bound(uses, resume), {}});
    router.add({"POST", "/v1/runs/{id}/skip", write, bound(uses, skip), {}});
    router.add({"POST", "/v1/runs/{id}/settle", write, bound(uses, settle), {}});
}

}  // namespace pawl::api
