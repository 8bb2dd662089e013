#include "connect/sms_parts.hpp"
#include "sandbox/desk.hpp"
#include "sandbox/wire.hpp"

#include <boost/json/serialize.hpp>
#include <fmt/core.h>

namespace pawl::sandbox {

namespace {

constexpr std::size_t client_id_max = 50;
constexpr std::size_t source_max = 16;
constexpr std::size_t parts_max = 10;
constexpr std::size_t batch_max_sms = 10'000;
constexpr JsonLimits body_limits{4 << 20, 16};

http::ServerResponse refuse(int status, int code, std::string_view message) {
    Rng rng;
    return json_answer(
        status,
        json::object{
            {"code", code},
            {"message", message},
            {"errorId", random_uuid(rng)},
            {"timestamp", to_rfc3339(wall_now())}}
    );
}

// What is wrong with one message: its code and text; 0: nothing.
std::pair<int, std::string> check(const json::value& sms) {
    const json::value* text = find(sms, "text");
    const std::string_view destination = text_in(sms, "destination");
    if (destination.empty()) return {1001, "Destination is required"};
    if (!is_e164(
            destination.starts_with('+') ? std::string(destination) : "+" + std::string(destination)
        )) {
        return {1002, "Invalid MSISDN format"};
    }
    if (text == nullptr || !text->is_string() || text->get_string().empty()) {
        return {1003, "Message text is required"};
    }
    if (connect::count_sms(text->get_string()).parts > parts_max) {
        return {1004, "Message text is too long"};
    }
    if (text_in(sms, "clientMessageId").size() > client_id_max) {
        return {1005, "ClientMessageId exceeds 50 characters"};
    }
    if (text_in(sms, "source").size() > source_max) return {1006, "Source exceeds 16 characters"};
    const std::string_view encoding = text_in(sms, "encoding");
    if (!encoding.empty() && encoding != "AUTO" && encoding != "GSM7" && encoding != "UCS2") {
        return {1007, "Encoding must be AUTO, GSM7 or UCS2"};
    }
    return {0, ""};
}

// state and detail of a receipt.
std::pair<std::string_view, std::string_view> words_of(FactKind kind) {
    switch (kind) {
        case FactKind::sent: return {"sent", "sent_to_operator"};
        case FactKind::delivered: return {"delivered", "delivered_to_recipient"};
        case FactKind::opened: return {"read", "read_by_recipient"};
        case FactKind::bounced: return {"undelivered", "rejected_by_operator"};
        case FactKind::failed: return {"failed", "failed_to_deliver"};
        default: return {};
    }
}

class Sms8x8 final : public Provider {
public:
    std::string_view name() const override { return "sms_8x8"; }

    void open(Account& account, Rng& rng) const override {
        account.hook_key = random_text(rng, 24);
        account.proof = random_text(rng, 32);
        account.credentials = {
            {"subaccount_id", account.name + "_sms"},
            {"api_key", account.proof},
            {"webhook_token", account.hook_key}};
        account.settings = {{"from", "PAWL"}};
    }

    http::ServerResponse answer(Desk& desk, const Request& request) const override {
        const Account* account = desk.holder(name(), request.bearer());
        if (account == nullptr) return refuse(401, 1200, "Request was not authenticated properly");
        if (request.path.size() < 5 || request.path[0] != "api" || request.path[1] != "v1" ||
            request.path[2] != "subaccounts" || request.path[4] != "messages") {
            return refuse(404, 1404, "Resource was not found");
        }
        if (request.path[3] != text_in(account->credentials, "subaccount_id")) {
            return refuse(403, 1201, "Subaccount does not belong to this API key");
        }
        if (request.is("GET", {"api", "v1", "subaccounts", "*", "messages", "*"})) {
            return look_up(desk, request.path[5]);
        }
        const bool many = request.path.size() == 6 && request.path[5] == "batch";
        if (request.path.size() != 5 && !many) return refuse(404, 1404, "Resource was not found");
        if (request.method != "POST") return refuse(405, 1405, "Method is not allowed");
        if (!is_json_request(request))
            return refuse(415, 1415, "Content type must be application/json");
        const auto body = parse_json(request.body, body_limits);
        if (!body || !body->is_object()) return refuse(400, 1000, "Request body is not valid JSON");
        return many ? take_batch(desk, *account, request, *body)
                    : take_one(desk, *account, request, *body);
    }

    http::ServerResponse limited(int seconds) const override {
        return retry_after(seconds, refuse(429, 1429, "Too many requests"));
    }
    http::ServerResponse broken() const override {
        return refuse(500, 1500, "Internal server error");
    }

    std::optional<http::Request> hook(
        Desk& desk, const Account& account, const std::vector<Event>& events, Instant
    ) const override {
        const Event& event = events.front();
        json::object payload{{"subAccountId", account.name + "_sms"}};
        json::object body{{"namespace", "SMS"}};
        if (event.kind == FactKind::replied || event.kind == FactKind::unsubscribed) {
            const std::string& person = event.message ? event.message->to : event.person;
            payload["umid"] = event.id;
            payload["source"] = person;
            payload["destination"] = text_in(account.settings, "from");
            payload["body"] = event.kind == FactKind::unsubscribed ? "STOP" : event.text;
            payload["receivedAt"] = to_rfc3339(event.at);
            body["eventType"] = "inbound_message_received";
        } else {
            const auto [state, detail] = words_of(event.kind);
            if (state.empty() || !event.message) return std::nullopt;
            json::object status{
                {"state", state}, {"detail", detail}, {"timestamp", to_rfc3339(event.at)}};
            if (event.kind == FactKind::bounced) {
                status["errorCode"] = 13;
                status["errorMessage"] = "The number does not exist";
            }
            payload["umid"] = event.message->id;
            payload["clientMessageId"] = event.message->client_id;
            payload["source"] = text_in(account.settings, "from");
            payload["destination"] = event.message->to;
            payload["status"] = std::move(status);
            payload["price"] =
                json::object{{"total", 0.0375}, {"perSms", 0.0375}, {"currency", "USD"}};
            payload["smsCount"] = 1;
            body["eventType"] = "outbound_message_status_changed";
        }
        body["description"] = "Sandbox";
        body["payload"] = std::move(payload);
        static_cast<void>(desk);
        http::Request request = json_hook(account.hook_url, json::serialize(body));
        request.headers.push_back({"Authorization", "Bearer " + account.hook_key});
        return request;
    }

private:
    static json::object accept(
        Desk& desk, const Account& account, const Request& request, const json::value& sms
    ) {
        const std::string_view text = text_in(sms, "text");
        Message message;
        message.at = request.now;
        message.provider = account.provider;
        message.account = account.name;
        message.id = random_uuid(desk.rng());
        message.client_id = text_in(sms, "clientMessageId");
        message.to = text_in(sms, "destination");
        message.text = beginning(text);
        message.request = shown(sms);
        const auto kept = desk.keep(std::move(message));
        json::object answer{{"umid", kept->id}};
        if (!kept->client_id.empty()) answer["clientMessageId"] = kept->client_id;
        answer["destination"] = kept->to;
        answer["encoding"] = connect::count_sms(text).encoding();
        answer["status"] = json::object{
            {"code", "QUEUED"}, {"description", "SMS is accepted and queued for processing"}};
        return answer;
    }

    static http::ServerResponse take_one(
        Desk& desk, const Account& account, const Request& request, const json::value& body
    ) {
        const auto [code, why] = check(body);
        if (code != 0) return refuse(400, code, why);
        return json_answer(200, accept(desk, account, request, body));
    }

    static http::ServerResponse take_batch(
        Desk& desk, const Account& account, const Request& request, const json::value& body
    ) {
        const json::value* list = find(body, "messages");
        const std::size_t many = list != nullptr && list->is_array() ? list->get_array().size() : 0;
        if (many < 1 || many > batch_max_sms) {
            return refuse(400, 1008, "A batch has 1 to 10000 messages");
        }
        json::array answers;
        std::int64_t accepted = 0;
        for (const json::value& one : list->get_array()) {
            const auto [code, why] = check(one);
            if (code == 0) {
                answers.push_back(accept(desk, account, request, one));
                ++accepted;
            } else {
                answers.push_back(json::object{
                    {"destination", text_in(one, "destination")},
                    {"status", json::object{{"code", "REJECTED"}, {"description", why}}}});
            }
        }
        return json_answer(
            200,
            json::object{
                {"batchId", random_uuid(desk.rng())},
                {"acceptedCount", accepted},
                {"rejectedCount", static_cast<std::int64_t>(many) - accepted},
                {"messages", std::move(answers)}}
        );
    }

    http::ServerResponse look_up(const Desk& desk, const std::string& umid) const {
        const MessagePtr found = desk.message(name(), umid);
        if (!found) return refuse(404, 1404, "Message was not found");
        std::string_view state = "queued";
        for (const Told& told : found->told) {
            if (const auto word = words_of(told.kind).first; !word.empty()) state = word;
        }
        return json_answer(
            200,
            json::object{
                {"umid", umid},
                {"clientMessageId", found->client_id},
                {"destination", found->to},
                {"status", json::object{{"state", state}}}}
        );
    }
};

}  // namespace

const Provider& sms_8x8_provider() {
    static const Sms8x8 provider;
    return provider;
}

}  // namespace pawl::sandbox
