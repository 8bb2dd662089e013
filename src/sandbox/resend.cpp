#include "base/sha256.hpp"
#include "base/webhook_secret.hpp"
#include "sandbox/desk.hpp"
#include "sandbox/wire.hpp"

#include <boost/json/serialize.hpp>
#include <fmt/core.h>

#include <algorithm>

namespace pawl::sandbox {

namespace {

constexpr std::size_t recipients_max = 50;
constexpr std::size_t batch_emails_max = 100;
constexpr std::size_t key_max = 256;
constexpr JsonLimits body_limits{40 << 20, 32};

http::ServerResponse refuse(int status, std::string_view name, std::string_view message) {
    return json_answer(
        status, json::object{{"statusCode", status}, {"name", name}, {"message", message}}
    );
}

bool is_tag(std::string_view text) {
    return !text.empty() && text.size() <= key_max &&
           std::all_of(text.begin(), text.end(), [](char c) {
               return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                      c == '_' || c == '-';
           });
}

std::vector<std::string> recipients(const json::value* to) {
    std::vector<std::string> all;
    if (to == nullptr) return all;
    if (to->is_string()) all.emplace_back(to->get_string());
    if (to->is_array()) {
        for (const json::value& one : to->get_array()) {
            all.push_back(one.is_string() ? std::string(one.get_string()) : "");
        }
    }
    return all;
}

using Wrong = std::optional<http::ServerResponse>;

Wrong missing(std::string_view field) {
    return refuse(422, "missing_required_field", fmt::format("Missing `{}` field.", field));
}

Wrong check_tags(const json::value* tags) {
    if (tags == nullptr || tags->is_null()) return std::nullopt;
    if (!tags->is_array()) return refuse(422, "validation_error", "Tags must be an array.");
    for (const json::value& tag : tags->get_array()) {
        if (is_tag(text_in(tag, "name")) && is_tag(text_in(tag, "value"))) continue;
        return refuse(
            422,
            "validation_error",
            "Tags should only contain ASCII letters, numbers, underscores, or dashes."
        );
    }
    return std::nullopt;
}

Wrong check_email(const json::value& mail) {
    if (!mail.is_object()) return refuse(422, "validation_error", "Expected an object.");
    if (text_in(mail, "from").empty()) return missing("from");
    const auto to = recipients(find(mail, "to"));
    if (to.empty()) return missing("to");
    if (find(mail, "subject") == nullptr) return missing("subject");
    if (!mailbox(text_in(mail, "from"))) {
        return refuse(
            422,
            "validation_error",
            "Invalid `from` field. The email address needs to follow the `email@example.com` or "
            "`Name <email@example.com>` format."
        );
    }
    if (to.size() > recipients_max) {
        return refuse(422, "validation_error", "The `to` field must have at most 50 recipients.");
    }
    for (const std::string& one : to) {
        if (mailbox(one)) continue;
        return refuse(
            422,
            "validation_error",
            "Invalid `to` field. The email address needs to follow the `email@example.com` or "
            "`Name <email@example.com>` format."
        );
    }
    if (text_in(mail, "html").empty() && text_in(mail, "text").empty() &&
        find(mail, "template") == nullptr) {
        return refuse(422, "validation_error", "Missing `html` or `text` field.");
    }
    return check_tags(find(mail, "tags"));
}

std::string_view type_of(FactKind kind) {
    switch (kind) {
        case FactKind::sent: return "email.sent";
        case FactKind::delivered: return "email.delivered";
        case FactKind::opened: return "email.opened";
        case FactKind::clicked: return "email.clicked";
        case FactKind::bounced: return "email.bounced";
        case FactKind::complained: return "email.complained";
        case FactKind::failed: return "email.failed";
        default: return {};
    }
}

class Resend final : public Provider {
public:
    std::string_view name() const override { return "resend"; }

    void open(Account& account, Rng& rng) const override {
        account.hook_key = new_webhook_secret();
        account.proof = "re_" + random_text(rng, 24);
        account.credentials = {{"api_key", account.proof}, {"webhook_secret", account.hook_key}};
        account.settings = {{"from", "Sandbox <news@sandbox.example>"}};
    }

    http::ServerResponse answer(Desk& desk, const Request& request) const override {
        if (request.header("authorization").empty()) {
            return refuse(401, "missing_api_key", "Missing API Key");
        }
        const Account* account = desk.holder(name(), request.bearer());
        if (account == nullptr) return refuse(403, "invalid_api_key", "API key is invalid");
        if (request.is("GET", {"emails", "*"})) return look_up(desk, request.path[1]);
        const bool many = request.path.size() == 2 && request.path[1] == "batch";
        if (request.path.empty() || request.path[0] != "emails" ||
            (request.path.size() != 1 && !many)) {
            return refuse(404, "not_found", "The requested endpoint does not exist");
        }
        if (request.method != "POST") {
            return refuse(
                405, "method_not_allowed", "Method is not allowed for the requested path"
            );
        }
        const auto body = parse_json(request.body, body_limits);
        if (!is_json_request(request) || !body) {
            return refuse(400, "validation_error", "The request body must be valid JSON");
        }
        return take_once(desk, *account, request, *body, many);
    }

    http::ServerResponse limited(int seconds) const override {
        return retry_after(
            seconds,
            refuse(
                429,
                "rate_limit_exceeded",
                "Too many requests. You can only make 2 requests per second."
            )
        );
    }
    http::ServerResponse broken() const override {
        return refuse(500, "internal_server_error", "An unexpected error occurred");
    }

    std::optional<http::Request> hook(
        Desk&, const Account& account, const std::vector<Event>& events, Instant now
    ) const override {
        const Event& event = events.front();
        const std::string_view type = type_of(event.kind);
        if (type.empty() || !event.message) return std::nullopt;
        json::object data{
            {"email_id", event.message->id},
            {"created_at", to_rfc3339(event.message->at)},
            {"from", text_in(event.message->request, "from")},
            {"to", json::array{json::value(event.message->to)}},
            {"subject", event.message->text}};
        if (!event.message->client_id.empty()) {
            data["tags"] = json::object{{"pawl_message", event.message->client_id}};
        }
        if (event.kind == FactKind::bounced) {
            data["bounce"] = json::object{
                {"type", "Permanent"}, {"subType", "General"}, {"message", "No such mailbox"}};
        }
        if (event.kind == FactKind::clicked) {
            data["click"] = json::object{
                {"link", "https://shop.example/"},
                {"userAgent", "Mozilla/5.0"},
                {"timestamp", to_rfc3339(event.at)}};
        }
        const json::object body{
            {"type", type}, {"created_at", to_rfc3339(event.at)}, {"data", std::move(data)}};
        http::Request request = json_hook(account.hook_url, json::serialize(body));
        const std::int64_t seconds = now.time_since_epoch() / std::chrono::seconds(1);
        const std::string id = "msg_" + event.id;
        const std::string key = webhook_key(account.hook_key).value_or("");
        request.headers.push_back({"svix-id", id});
        request.headers.push_back({"svix-timestamp", std::to_string(seconds)});
        request.headers.push_back(
            {"svix-signature", webhook_signature(key, id, seconds, request.body)}
        );
        return request;
    }

private:
    static http::ServerResponse take_once(
        Desk& desk,
        const Account& account,
        const Request& request,
        const json::value& body,
        bool many
    ) {
        const std::string key(request.header("idempotency-key"));
        if (key.size() > key_max) {
            return refuse(400, "invalid_idempotency_key", "The key must be between 1-256 chars.");
        }
        const std::string kept = fmt::format("resend/{}/{}", account.name, key);
        const std::string digest = sha256(request.body);
        if (const auto* before = key.empty() ? nullptr : desk.replay(kept, request.now)) {
            if (before->digest == digest) return before->answer;
            return refuse(
                409,
                "invalid_idempotent_request",
                "Same idempotency key used with a different request payload."
            );
        }
        http::ServerResponse answer = many ? take_batch(desk, account, request, body)
                                           : take_one(desk, account, request, body);
        if (!key.empty() && answer.status == 200) {
            desk.remember(kept, {digest, answer, request.now});
        }
        return answer;
    }

    static http::ServerResponse take_one(
        Desk& desk, const Account& account, const Request& request, const json::value& body
    ) {
        if (auto wrong = check_email(body)) return std::move(*wrong);
        return json_answer(200, json::object{{"id", accept(desk, account, request, body)}});
    }

    static http::ServerResponse take_batch(
        Desk& desk, const Account& account, const Request& request, const json::value& body
    ) {
        if (!body.is_array() || body.get_array().empty() ||
            body.get_array().size() > batch_emails_max) {
            return refuse(422, "validation_error", "A batch has 1 to 100 emails.");
        }
        for (const json::value& one : body.get_array()) {
            if (auto wrong = check_email(one)) return std::move(*wrong);
        }
        json::array ids;
        for (const json::value& one : body.get_array()) {
            ids.push_back(json::object{{"id", accept(desk, account, request, one)}});
        }
        return json_answer(200, json::object{{"data", std::move(ids)}});
    }

    static std::string accept(
        Desk& desk, const Account& account, const Request& request, const json::value& mail
    ) {
        Message message;
        message.at = request.now;
        message.provider = account.provider;
        message.account = account.name;
        message.id = random_uuid(desk.rng());
        message.to = mailbox(recipients(find(mail, "to")).front()).value_or("");
        message.text = beginning(text_in(mail, "subject"));
        if (const json::value* tags = find(mail, "tags"); tags != nullptr && tags->is_array()) {
            for (const json::value& tag : tags->get_array()) {
                if (text_in(tag, "name") == "pawl_message")
                    message.client_id = text_in(tag, "value");
            }
        }
        message.request = shown(mail);
        return desk.keep(std::move(message))->id;
    }

    http::ServerResponse look_up(const Desk& desk, const std::string& id) const {
        const MessagePtr found = desk.message(name(), id);
        if (!found) return refuse(404, "not_found", "Email not found");
        std::string last = "sent";
        for (const Told& told : found->told) last = connect::name(told.kind);
        return json_answer(
            200,
            json::object{
                {"object", "email"},
                {"id", id},
                {"to", json::array{json::value(found->to)}},
                {"subject", found->text},
                {"created_at", to_rfc3339(found->at)},
                {"last_event", last}}
        );
    }
};

}  // namespace

const Provider& resend_provider() {
    static const Resend provider;
    return provider;
}

}  // namespace pawl::sandbox
