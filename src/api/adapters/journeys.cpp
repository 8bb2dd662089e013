#include "api/http/caller_of.hpp"
#include "api/http/hook_request.hpp"
#include "api/http/query_params.hpp"
#include "api/http/routes.hpp"
#include "api/streams/run_end.hpp"
#include "app/messages/send_now.hpp"
#include "app/refusal.hpp"
#include "app/views/run_json.hpp"
#include "base/sentence.hpp"
#include "model/events/error_data.hpp"

#include <fmt/core.h>

// Document 003: the functions of its journeys. Its own are open to every caller; here the key of a
// request says which merchant it is for.
namespace pawl::api {

namespace {

constexpr Duration send_time_max = std::chrono::seconds(25);
constexpr std::size_t text_max = 500;

http::ServerResponse refused(const Problem& problem) {
    json::object body{{"success", false}};
    body["error"] = problem.status == 405 ? "Method not allowed" : for_sentence(problem.detail);
    const bool about_request = problem.status == 415 || problem.status == 422;
    http::ServerResponse response = json_response(about_request ? 400 : problem.status, body);
    for (const http::Header& header : problem.headers) response.headers.push_back(header);
    return response;
}

[[noreturn]] void invalid(std::string message) {
    refuse(400, "validation_failed", std::move(message));
}

// The first of several names that is there; empty: none is.
std::string text_of(const json::object& body, std::initializer_list<std::string_view> names) {
    for (const std::string_view name : names) {
        const json::value* value = body.if_contains(name);
        if (value == nullptr || value->is_null()) continue;
        std::string text;
        if (!value->is_string() && !value->is_number()) {
            invalid(fmt::format("{} must be text", name));
        }
        append_text(text, *value);
        if (text.size() > text_max) invalid(fmt::format("{} is over {} bytes", name, text_max));
        if (!text.empty()) return text;
    }
    return {};
}

std::string required_text(const json::object& body, std::string_view name) {
    std::string text = text_of(body, {name});
    if (text.empty()) invalid(fmt::format("{} is required", name));
    return text;
}

// --- dispatch-workflow-trigger

json::value record_in(const json::object& body, std::string_view name, bool required) {
    const json::value* record = body.if_contains(name);
    if (record == nullptr || record->is_null()) {
        if (required) return json::object();
        return nullptr;
    }
    if (!record->is_object()) invalid(fmt::format("{} must be an object", name));
    return *record;
}

asio::awaitable<http::ServerResponse> dispatch(app::App& app, Call call) {
    const json::object body = call.object();
    store::TableChange change;
    change.table = required_text(body, "trigger_table");
    change.operation = required_text(body, "trigger_operation");
    if (change.operation != "INSERT" && change.operation != "UPDATE" &&
        change.operation != "DELETE") {
        invalid("trigger_operation must be INSERT, UPDATE or DELETE");
    }
    change.merchant = text_of(body, {"merchant_id"});
    change.user = text_of(body, {"user_id"});
    change.record_id = text_of(body, {"record_id"});
    change.record = record_in(body, "record_data", true);
    change.old = record_in(body, "old_record_data", false);
    const json::value said = co_await app.repos().merchants.dispatch(tenant_of(call), change);
    const json::object& what = said.get_object();
    if (what.contains("foreign")) {
        refuse(403, "forbidden", "this key is not for merchant " + change.merchant);
    }
    json::object answer{{"success", true}};
    const json::value* workflows = what.if_contains("workflows");
    const json::value* repeated = what.if_contains("repeated");
    const bool again = repeated != nullptr && *repeated == true;
    answer["workflows"] = workflows == nullptr ? json::array() : workflows->get_array();
    answer["dispatched"] = again ? 0 : answer["workflows"].get_array().size();
    if (what.contains("watched")) {
        answer["message"] = "changes of " + change.table + " are seen without this call";
    } else if (again) {
        answer["message"] = "this change is known already";
    } else {
        app.publisher().on_published();
    }
    co_return json_response(200, answer);
}

// --- send-line-message, send-sms-8x8

json::value line_messages(const json::object& body) {
    const json::value* given = body.if_contains("messages");
    if (given != nullptr && !given->is_null()) {
        if (!given->is_array() || given->get_array().empty() || given->get_array().size() > 5) {
            invalid("messages must be a list of 1 to 5");
        }
        return *given;
    }
    const json::value* text = body.if_contains("message");
    if (text == nullptr) text = body.if_contains("text");
    if (text == nullptr || !text->is_string()) invalid("messages is required");
    return json::array{json::object{{"type", "text"}, {"text", *text}}};
}

json::value sms_text(const json::object& body) {
    for (const std::string_view name : {"message", "text"}) {
        const json::value* text = body.if_contains(name);
        if (text != nullptr && text->is_string() && !text->get_string().empty()) return *text;
    }
    invalid("message is required");
}

http::ServerResponse sent_answer(
    const store::RunDetails& run, const std::vector<store::Message>& messages
) {
    json::object answer{{"run_id", to_string(run.id)}};
    const bool known = !messages.empty();
    const std::string state = known ? messages[0].state : app::is_closed(run) ? "failed" : "queued";
    const bool good = state != "skipped" && state != "failed";
    answer["success"] = good;
    answer["status"] = state;
    if (known && !messages[0].external_id.empty()) {
        answer["message_id"] = messages[0].external_id;
        answer["external_message_id"] = messages[0].external_id;
    }
    if (good) return json_response(app::is_closed(run) ? 200 : 202, answer);
    const bool skipped = state == "skipped";
    std::string why = skipped ? messages[0].reason
                      : known ? messages[0].error
                              : std::string(events::error_message(run.error));
    answer["error"] = fmt::format("the message was not sent: {}", why);
    if (skipped) answer["reason"] = messages[0].reason;
    // What the provider has refused it refuses again.
    return json_response(skipped ? 200 : 400, answer);
}

asio::awaitable<http::ServerResponse> send(
    Services& services, Call call, app::SendParams params, std::string merchant
) {
    const store::Tenant tenant = tenant_of(call);
    if (!merchant.empty() && !co_await services.app.repos().merchants.is(tenant.id, merchant)) {
        refuse(403, "forbidden", "this key is not for merchant " + merchant);
    }
    if (params.person.empty() && params.to.empty()) invalid("user_id is required");
    const LongRequests::Place place = services.long_requests.take(tenant.id);
    const RunId id = or_refuse(co_await app::send_now(
        services.app.runs, services.app.versions, caller_of(call), std::move(params)
    ));
    const auto run = co_await wait_for_end(services, tenant, id, send_time_max);
    store::MessageFilter filter;
    filter.run = id;
    filter.limit = 1;
    const auto page = co_await services.app.repos().message_log.list(tenant, std::move(filter));
    co_return sent_answer(run, page.messages);
}

app::SendParams send_params(const json::object& body, const char* connector) {
    app::SendParams params;
    params.connector = connector;
    params.person = text_of(body, {"user_id"});
    params.transactional = text_of(body, {"category"}) == "transactional";
    params.correlation_id = text_of(body, {"correlation_id", "idempotency_key"});
    return params;
}

asio::awaitable<http::ServerResponse> send_line(Services& services, Call call) {
    const json::object body = call.object();
    app::SendParams params = send_params(body, "line");
    params.to = text_of(body, {"line_user_id", "line_id", "to"});
    params.content = line_messages(body);
    return send(services, std::move(call), std::move(params), text_of(body, {"merchant_id"}));
}

asio::awaitable<http::ServerResponse> send_sms(Services& services, Call call) {
    const json::object body = call.object();
    app::SendParams params = send_params(body, "sms_8x8");
    params.to = text_of(body, {"phone", "phone_number", "to", "destination"});
    params.content = sms_text(body);
    return send(services, std::move(call), std::move(params), text_of(body, {"merchant_id"}));
}

// --- line-webhook: public, the signature is the proof

asio::awaitable<http::ServerResponse> line_webhook(Services& services, Call call) {
    connect::HookRequest hook = hook_request(services.public_url, call);
    const std::string merchant = text_param(call, "merchant_id");
    const std::size_t many =
        or_refuse(co_await services.app.hooks().take_signed("line", merchant, std::move(hook)));
    co_return json_response(200, json::object{{"success", true}, {"processed", many}});
}

asio::awaitable<std::int32_t> has_signature(const Call& call) {
    if (http::find_header(call.request.headers, "X-Line-Signature") == nullptr) {
        refuse(401, "unauthenticated", "x-line-signature is missing");
    }
    co_return 0;
}

}  // namespace

void add_journey_routes(Router& router, Services& services) {
    const std::string place = "/functions/v1/";
    app::App& app = services.app;
    router.add(
        {"POST",
         place + "dispatch-workflow-trigger",
         Scope::events_write,
         bound(app, dispatch),
         refused}
    );
    const auto write = Scope::runs_write;
    router.add({"POST", place + "send-line-message", write, bound(services, send_line), refused});
    router.add({"POST", place + "send-sms-8x8", write, bound(services, send_sms), refused});
    Route webhook{"POST", place + "line-webhook", {}, bound(services, line_webhook), refused};
    webhook.keyed = false;
    webhook.cross_origin = false;
    webhook.prove = has_signature;
    router.add(std::move(webhook));
}

}  // namespace pawl::api
