#include "base/base64.hpp"
#include "connect/signature.hpp"
#include "sandbox/desk.hpp"
#include "sandbox/line_rules.hpp"
#include "sandbox/wire.hpp"

#include <boost/json/serialize.hpp>
#include <fmt/core.h>

namespace pawl::sandbox {

namespace {

constexpr std::size_t body_max = 2 << 20;
constexpr std::size_t multicast_max = 500;
constexpr Duration reply_time = std::chrono::minutes(1);

http::ServerResponse refuse(int status, std::string_view message, json::array details = {}) {
    json::object body{{"message", message}};
    if (!details.empty()) body["details"] = std::move(details);
    return json_answer(status, body);
}

http::ServerResponse refuse_details(json::array details) {
    const std::string message = fmt::format("The request body has {} error(s)", details.size());
    return refuse(400, message, std::move(details));
}

http::ServerResponse invalid(std::string_view property) {
    return refuse(
        400,
        fmt::format(
            "The property, '{}', in the request body is invalid (line: -, column: -)", property
        )
    );
}

class Line final : public Provider {
public:
    std::string_view name() const override { return "line"; }

    void open(Account& account, Rng& rng) const override {
        account.hook_key = random_hex(rng, 32);
        account.proof = random_text(rng, 96);
        account.credentials = {
            {"channel_access_token", account.proof},
            {"channel_secret", account.hook_key},
            {"channel_id", random_digits(rng, 10)}};
    }

    http::ServerResponse answer(Desk& desk, const Request& request) const override {
        http::ServerResponse response = decide(desk, request);
        response.headers.push_back({"X-Line-Request-Id", random_uuid(desk.rng())});
        return response;
    }

    http::ServerResponse limited(int) const override {
        // Without Retry-After: LINE does not say when.
        return refuse(429, "The API rate limit has been exceeded. Try again later.");
    }
    http::ServerResponse broken() const override { return refuse(500, "Internal server error"); }

    std::optional<http::Request> hook(
        Desk& desk, const Account& account, const std::vector<Event>& events, Instant now
    ) const override {
        json::array list;
        for (const Event& event : events) {
            json::object one = event_json(desk, account, event, now);
            if (!one.empty()) list.push_back(std::move(one));
        }
        if (list.empty()) return std::nullopt;
        const json::object body{
            {"destination", "U" + account.hook_key}, {"events", std::move(list)}};
        http::Request request = json_hook(account.hook_url, json::serialize(body));
        const std::string mac = connect::hmac_sha256(account.hook_key, request.body);
        request.headers.push_back({"x-line-signature", to_base64(mac)});
        request.headers.push_back({"User-Agent", "LineBotWebhook/2.0"});
        return request;
    }

private:
    http::ServerResponse decide(Desk& desk, const Request& request) const {
        const Account* account = desk.holder(name(), request.bearer());
        if (account == nullptr) {
            return refuse(
                401,
                "Authentication failed due to the following reason: invalid token. Confirm that "
                "the access token in the authorization header is valid."
            );
        }
        if (request.is("GET", {"v2", "bot", "message", "quota"})) {
            return json_answer(200, json::object{{"type", "none"}});
        }
        if (request.is("GET", {"v2", "bot", "message", "quota", "consumption"})) {
            return json_answer(200, json::object{{"totalUsage", desk.accepted()}});
        }
        if (request.is("GET", {"v2", "bot", "info"})) {
            return json_answer(
                200,
                json::object{
                    {"userId", "U" + account->hook_key},
                    {"basicId", "@" + account->name},
                    {"displayName", account->name}}
            );
        }
        const bool validates = request.path.size() == 5 && request.path[3] == "validate";
        const std::string call = request.path.empty() ? "" : request.path.back();
        if (request.path.size() < 4 || request.path[0] != "v2" || request.path[1] != "bot" ||
            request.path[2] != "message" || (!validates && request.path.size() != 4) ||
            (call != "push" && call != "multicast" && call != "reply")) {
            return refuse(404, "Not found");
        }
        if (request.method != "POST") return refuse(405, "Method not allowed");
        if (!is_json_request(request)) return refuse(415, "Unsupported media type");
        if (request.body.size() > body_max) return refuse(413, "Payload too large");
        const auto body = parse_json(request.body, {body_max, 64});
        if (!body || !body->is_object()) {
            return refuse(400, "The request body could not be parsed as JSON");
        }
        if (auto wrong = check_line_messages(find(*body, "messages")); !wrong.empty()) {
            return refuse_details(std::move(wrong));
        }
        if (validates) return json_answer(200, json::object());
        return send(desk, *account, request, call, *body);
    }

    http::ServerResponse send(
        Desk& desk,
        const Account& account,
        const Request& request,
        const std::string& call,
        const json::value& body
    ) const {
        const std::string_view retry_key = request.header("x-line-retry-key");
        if (!retry_key.empty() && call == "reply") {
            return refuse(400, "The retry key is not supported by this API");
        }
        if (!retry_key.empty() && !parse_uuid(retry_key)) {
            return refuse(400, "The value for the 'X-Line-Retry-Key' header is invalid");
        }
        const std::string replay_key = fmt::format("line/{}/{}", account.name, retry_key);
        if (const auto* before = desk.replay(replay_key, request.now);
            before && !retry_key.empty()) {
            return accepted_before(*before);
        }
        std::vector<std::string> receivers;
        if (auto refused = read_receivers(desk, account, request, call, body, receivers)) {
            return std::move(*refused);
        }
        http::ServerResponse answer = deliver(desk, account, request, call, body, receivers);
        if (!retry_key.empty()) {
            Desk::Replay kept{{}, answer, request.now};
            kept.answer.headers.push_back({"X-Line-Accepted-Request-Id", random_uuid(desk.rng())});
            desk.remember(replay_key, std::move(kept));
        }
        return answer;
    }

    static http::ServerResponse accepted_before(const Desk::Replay& before) {
        http::ServerResponse again = before.answer;
        again.status = 409;
        auto body = parse_json(again.body).value().as_object();
        json::object said{{"message", "The retry key is already accepted"}};
        for (auto& [key, value] : body) said[key] = value;
        again.body = json::serialize(said);
        return again;
    }

    static std::optional<http::ServerResponse> read_receivers(
        Desk& desk,
        const Account& account,
        const Request& request,
        const std::string& call,
        const json::value& body,
        std::vector<std::string>& receivers
    ) {
        if (call == "reply") {
            const std::string token(text_in(body, "replyToken"));
            const auto owner = desk.redeem("reply " + token, request.now, true);
            const std::size_t space = owner ? owner->find(' ') : std::string::npos;
            if (space == std::string::npos || owner->substr(0, space) != account.name) {
                return refuse(400, "Invalid reply token");
            }
            receivers.push_back(owner->substr(space + 1));
            return std::nullopt;
        }
        const json::value* to = find(body, "to");
        if (call == "push") {
            if (to == nullptr || !to->is_string() || !is_line_id(to->get_string(), "UCR")) {
                return invalid("to");
            }
            receivers.emplace_back(to->get_string());
            return std::nullopt;
        }
        if (to == nullptr || !to->is_array() || to->get_array().empty() ||
            to->get_array().size() > multicast_max) {
            return refuse_details({json::object{
                {"message", "Size must be between 1 and 500"}, {"property", "to"}}});
        }
        for (const json::value& one : to->get_array()) {
            if (!one.is_string() || !is_line_id(one.get_string(), "U")) return invalid("to");
            receivers.emplace_back(one.get_string());
        }
        return std::nullopt;
    }

    http::ServerResponse deliver(
        Desk& desk,
        const Account& account,
        const Request& request,
        const std::string& call,
        const json::value& body,
        const std::vector<std::string>& receivers
    ) const {
        const json::value& messages = *find(body, "messages");
        json::array sent;
        for (std::size_t i = 0; i < messages.get_array().size(); ++i) {
            sent.push_back(json::object{
                {"id", random_digits(desk.rng(), 18)}, {"quoteToken", random_text(desk.rng(), 30)}}
            );
        }
        for (const std::string& to : receivers) {
            Message message;
            message.at = request.now;
            message.provider = name();
            message.account = account.name;
            message.id = sent[0].as_object().at("id").as_string();
            message.client_id = request.header("x-line-retry-key");
            message.to = to;
            message.text = line_text(messages);
            message.request = shown(messages);
            desk.keep(std::move(message));
        }
        if (call == "multicast") return json_answer(200, json::object());
        return json_answer(200, json::object{{"sentMessages", std::move(sent)}});
    }

    // LINE says nothing about messages, only what people do.
    static json::object event_json(
        Desk& desk, const Account& account, const Event& event, Instant now
    ) {
        json::object one;
        const std::string& user = event.message ? event.message->to : event.person;
        const bool answers = event.kind == FactKind::replied || event.kind == FactKind::followed;
        switch (event.kind) {
            case FactKind::replied:
                one["type"] = "message";
                one["message"] = json::object{
                    {"type", "text"}, {"id", random_digits(desk.rng(), 18)}, {"text", event.text}};
                break;
            case FactKind::followed:
                one["type"] = "follow";
                one["follow"] = json::object{{"isUnblocked", false}};
                break;
            case FactKind::unsubscribed:
            case FactKind::unfollowed: one["type"] = "unfollow"; break;
            default: return one;
        }
        if (answers) {
            const std::string token = random_hex(desk.rng(), 32);
            desk.issue("reply " + token, account.name + " " + user, now + reply_time);
            one["replyToken"] = token;
        }
        one["mode"] = "active";
        one["timestamp"] = event.at.time_since_epoch() / std::chrono::milliseconds(1);
        one["source"] = json::object{{"type", "user"}, {"userId", user}};
        one["webhookEventId"] = event.id;
        one["deliveryContext"] = json::object{{"isRedelivery", false}};
        return one;
    }
};

}  // namespace

const Provider& line_provider() {
    static const Line line;
    return line;
}

}  // namespace pawl::sandbox
