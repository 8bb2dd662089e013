#include "base/webhook_secret.hpp"
#include "connect/signature.hpp"
#include "sandbox/desk.hpp"
#include "sandbox/wire.hpp"

#include <boost/json/serialize.hpp>
#include <fmt/core.h>

namespace pawl::sandbox {

namespace {

constexpr Duration window = std::chrono::minutes(5);

http::ServerResponse refuse(int status, std::string_view code, std::string_view message) {
    return json_answer(status, json::object{{"code", code}, {"message", message}});
}

// A receiver of the connector `webhook`: /sandbox/webhook/ACCOUNT.
class Webhook final : public Provider {
public:
    std::string_view name() const override { return "webhook"; }

    void open(Account& account, Rng&) const override {
        account.hook_key = new_webhook_secret();
        account.proof = account.name;
        account.credentials = {{"secret", account.hook_key}};
    }

    http::ServerResponse answer(Desk& desk, const Request& request) const override {
        const Account* account =
            request.path.size() == 1 ? desk.find(name(), request.path[0]) : nullptr;
        if (account == nullptr) return refuse(404, "not_found", "there is no such receiver");
        if (request.method != "POST") return refuse(405, "method", "only POST is taken");
        connect::HookRequest hook;
        hook.headers = request.headers;
        hook.body = request.body;
        hook.now = request.now;
        const auto fine = connect::check_signature(
            connect::Signing::standard_webhook, account->hook_key, hook, window
        );
        if (!fine) return refuse(401, "signature", fine.error().message);
        const auto body = parse_json(request.body);
        const json::value* data = body ? find(*body, "data") : nullptr;
        if (data == nullptr || text_in(*data, "message_id").empty()) {
            return refuse(400, "body", "data.message_id is missing");
        }
        const std::string id(request.header("webhook-id"));
        const std::string key = fmt::format("webhook/{}/{}", account->name, id);
        if (const auto* before = desk.replay(key, request.now)) return before->answer;
        Message message;
        message.at = request.now;
        message.provider = account->provider;
        message.account = account->name;
        message.id = "hook_" + random_hex(desk.rng(), 24);
        message.client_id = text_in(*data, "message_id");
        message.to = text_in(*data, "person");
        if (const json::value* content = find(*data, "content")) {
            message.text = beginning(text_in(*content, "text"));
        }
        message.request = shown(*data);
        const auto answer =
            json_answer(200, json::object{{"id", desk.keep(std::move(message))->id}});
        desk.remember(key, {{}, answer, request.now});
        return answer;
    }

    http::ServerResponse limited(int seconds) const override {
        return retry_after(seconds, refuse(429, "rate", "too many requests"));
    }
    http::ServerResponse broken() const override { return refuse(500, "broken", "out of order"); }

    std::optional<http::Request> hook(
        Desk&, const Account& account, const std::vector<Event>& events, Instant now
    ) const override {
        const Event& event = events.front();
        json::object data;
        if (event.message) {
            data["external_id"] = event.message->id;
            data["message_id"] = event.message->client_id;
        } else {
            data["address"] = event.person;
        }
        if (!event.text.empty()) data["text"] = event.text;
        if (event.kind == FactKind::bounced) data["permanent"] = "true";
        const json::object body{
            {"type", fmt::format("message.{}", connect::name(event.kind))},
            {"timestamp", to_rfc3339(event.at)},
            {"data", std::move(data)}};
        http::Request request = json_hook(account.hook_url, json::serialize(body));
        const std::int64_t seconds = now.time_since_epoch() / std::chrono::seconds(1);
        const std::string key = webhook_key(account.hook_key).value_or("");
        request.headers.push_back({"webhook-id", event.id});
        request.headers.push_back({"webhook-timestamp", std::to_string(seconds)});
        request.headers.push_back(
            {"webhook-signature", webhook_signature(key, event.id, seconds, request.body)}
        );
        return request;
    }
};

// Mail does not come by HTTP: see sandbox/smtp_sink.hpp. Here are its accounts.
class Smtp final : public Provider {
public:
    std::string_view name() const override { return "smtp"; }

    void open(Account& account, Rng& rng) const override {
        const std::string password = random_text(rng, 18);
        account.proof = account.name + ":" + password;
        account.credentials = {{"username", account.name}, {"password", password}};
        account.settings = {{"from", "Sandbox <news@sandbox.example>"}, {"plain", true}};
    }
    http::ServerResponse answer(Desk&, const Request&) const override {
        return refuse(404, "not_found", "mail comes by SMTP");
    }
    http::ServerResponse limited(int) const override {
        return {450, {}, "450 4.7.1 Too many messages, try again later"};
    }
    http::ServerResponse broken() const override {
        return {451, {}, "451 4.3.0 Local error in processing"};
    }
    std::optional<http::Request> hook(Desk&, const Account&, const std::vector<Event>&, Instant)
        const override {
        return std::nullopt;
    }
};

}  // namespace

const Provider& webhook_provider() {
    static const Webhook provider;
    return provider;
}

const Provider& smtp_provider() {
    static const Smtp provider;
    return provider;
}

}  // namespace pawl::sandbox
