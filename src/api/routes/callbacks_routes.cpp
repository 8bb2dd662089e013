#include "api/http/call_body.hpp"
#include "api/http/query_params.hpp"
#include "api/http/routes.hpp"
#include "api/services.hpp"
#include "app/refusal.hpp"
#include "app/runs/callback.hpp"

namespace pawl::api {

namespace {

engine::CallbackTicket ticket_of(Services& services, const Call& call) {
    const auto ticket = engine::open_callback(services.seal, call.params.at(0));
    if (!ticket) {
        refuse(
            401, "invalid_token", "this is no callback token of this server; was it cut or changed?"
        );
    }
    if (ticket->expires <= wall_now()) {
        refuse(410, "expired", "the time to answer is over: the token has expired");
    }
    return *ticket;
}

json::object error_of(const json::object& given, Body& body) {
    Body error(given, body.places(), body.pointer_to("error"));
    json::object out;
    out["class"] = error.flag("retryable").value_or(false) ? "retryable" : "permanent";
    out["code"] = error.text("code", 100).value_or("callback_failed");
    out["message"] = error.text("message", 2000).value_or("the callback said that it failed");
    error.refuse_unknown();
    return out;
}

// A token outlives its run: then it is gone, not in conflict.
http::ServerResponse accepted(const Result<void>& taken) {
    if (!taken && app::reason_of(taken.error()) == "run_closed") {
        refuse(410, "run_closed", taken.error().message);
    }
    or_refuse(taken);
    return json_response(202, json::object{{"accepted", true}});
}

// How a step ended that had answered 202. Public: the token is the proof.
asio::awaitable<http::ServerResponse> call_back(Services& services, Call call) {
    only_params(call, {});
    const engine::CallbackTicket ticket = ticket_of(services, call);
    CallBody body(call, true);
    events::CallbackSignal said;
    const std::string status = body.text("status", 20).value_or("completed");
    if (status != "completed" && status != "failed") {
        body.wrong("status", "must be completed or failed");
    }
    said.status = status;
    const json::value* result = body.any("data");
    const json::object* error = body.object("error");
    if (status == "failed") {
        said.error = error_of(error == nullptr ? json::object() : *error, body);
    } else {
        said.data = result == nullptr ? json::value() : *result;
        if (error != nullptr) body.wrong("error", "is only possible with status failed");
    }
    body.finish();
    co_return accepted(
        co_await app::answer_callback(services.app, ticket, call.params.at(0), std::move(said))
    );
}

// A step that had answered 202 is still at it.
asio::awaitable<http::ServerResponse> beat(Services& services, Call call) {
    only_params(call, {});
    const engine::CallbackTicket ticket = ticket_of(services, call);
    co_return accepted(co_await app::beat_callback(services.app, ticket));
}

}  // namespace

void add_callback_routes(Router& router, Services& services) {
    Route route{"POST", "/v1/callbacks/{token}", {}, bound(services, call_back), {}};
    // A caller without a key has no tenant to keep answers for; the token is taken once anyway.
    route.keyed = false;
    const auto prove = [&services](const Call& call) -> asio::awaitable<std::int32_t> {
        ticket_of(services, call);
        co_return 0;
    };
    route.prove = prove;
    router.add(std::move(route));
    Route heartbeat{"POST", "/v1/callbacks/{token}/heartbeat", {}, bound(services, beat), {}};
    heartbeat.keyed = false;
    heartbeat.prove = prove;
    router.add(std::move(heartbeat));
}

}  // namespace pawl::api
