#include "api/http/body.hpp"
#include "api/http/query_params.hpp"
#include "api/http/routes.hpp"
#include "api/services.hpp"
#include "base/sha256.hpp"
#include "engine/core/callback_ticket.hpp"
#include "model/events/signal_data.hpp"

#include <boost/json/serialize.hpp>

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

// Taken once: the sender of a token may not have heard the answer and say the same again; something
// else is refused, also from a stranger who has found the token somewhere.
void refuse_unless_taken(store::CallbackOutcome outcome) {
    switch (outcome) {
        case store::CallbackOutcome::accepted:
        case store::CallbackOutcome::repeated: return;
        case store::CallbackOutcome::answered:
            refuse(409, "already_answered", "this token was used before, with another answer");
        case store::CallbackOutcome::closed:
            refuse(410, "run_closed", "the run has closed; nothing waits for this");
    }
}

// How a step ended that had answered 202. Public: the token is the proof.
asio::awaitable<http::ServerResponse> call_back(Services& services, Call call) {
    only_params(call, {});
    const engine::CallbackTicket ticket = ticket_of(services, call);
    std::vector<ProblemPlace> places;
    const json::object object = call.object(true);
    Body body(object, places);
    events::CallbackSignal said;
    said.to = {ticket.token, ticket.visit, std::nullopt};
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
    body.refuse_unknown();
    refuse_if_wrong(std::move(places));
    json::object data = events::write(std::move(said));
    store::CallbackAnswer answer;
    answer.bucket = ticket.bucket;
    answer.run = ticket.run;
    answer.token = sha256(call.params.at(0));
    answer.fingerprint = sha256(json::serialize(data));
    answer.expires = ticket.expires;
    answer.data = std::move(data);
    const auto outcome = co_await services.app.repos().callbacks.answer(std::move(answer));
    refuse_unless_taken(outcome);
    if (outcome == store::CallbackOutcome::accepted) services.app.wake_workers()();
    co_return json_response(202, json::object{{"accepted", true}});
}

// A step that had answered 202 is still at it.
asio::awaitable<http::ServerResponse> beat(Services& services, Call call) {
    only_params(call, {});
    const engine::CallbackTicket ticket = ticket_of(services, call);
    events::CallbackSignal beat;
    beat.to = {ticket.token, ticket.visit, std::nullopt};
    beat.heartbeat = true;
    std::vector<store::NewSignal> signals;
    signals.push_back(
        {ticket.run, std::string(name(SignalKind::callback)), events::write(std::move(beat))}
    );
    const auto reached =
        co_await services.app.repos().store.send_signals(ticket.bucket, std::move(signals));
    if (reached.empty()) refuse(410, "run_closed", "the run has closed; nothing waits for this");
    services.app.wake_workers()();
    co_return json_response(202, json::object{{"accepted", true}});
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
