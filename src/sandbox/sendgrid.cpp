#include "base/base64.hpp"
#include "sandbox/desk.hpp"
#include "sandbox/keys.hpp"
#include "sandbox/wire.hpp"

#include <boost/json/serialize.hpp>
#include <fmt/core.h>

namespace pawl::sandbox {

namespace {

constexpr std::size_t personalizations_max = 1000;
constexpr std::size_t custom_args_max = 10'000;
constexpr JsonLimits body_limits{30 << 20, 32};

json::object problem(std::string_view message, std::string_view field = "") {
    return {
        {"message", message},
        {"field", field.empty() ? json::value() : json::value(field)},
        {"help", nullptr}};
}

http::ServerResponse refuse(int status, json::array problems) {
    return json_answer(status, json::object{{"errors", std::move(problems)}});
}

// Goes through a request as SendGrid does, and collects everything that is wrong.
class MailCheck {
public:
    json::array run(const json::value& mail) {
        personalizations(find(mail, "personalizations"));
        address(find(mail, "from"), "from");
        if (const json::value* reply = find(mail, "reply_to")) address(reply, "reply_to");
        subject_ = text_in(mail, "subject");
        if (text_in(mail, "template_id").empty()) {
            if (subject_.empty() && !all_have_subject_) {
                say("The subject is required. You can get around this requirement if you use a "
                    "template with a subject defined or if every personalization has a subject "
                    "defined.",
                    "subject");
            }
            contents(find(mail, "content"));
        }
        return std::move(wrong_);
    }

private:
    void say(std::string_view message, std::string_view field) {
        wrong_.push_back(problem(message, field));
    }

    void address(const json::value* value, const std::string& field) {
        const std::string_view email =
            value == nullptr ? std::string_view() : text_in(*value, "email");
        if (!mailbox(email)) say("Does not contain a valid address.", field + ".email");
    }

    void personalizations(const json::value* list) {
        if (list == nullptr || !list->is_array() || list->get_array().empty()) {
            return say(
                "The personalizations field is required and must have at least one "
                "personalization.",
                "personalizations"
            );
        }
        if (list->get_array().size() > personalizations_max) {
            return say(
                "There is a limit of 1000 personalizations per API request.", "personalizations"
            );
        }
        all_have_subject_ = true;
        for (std::size_t i = 0; i < list->get_array().size(); ++i) {
            const json::value& one = list->get_array()[i];
            if (text_in(one, "subject").empty()) all_have_subject_ = false;
            const std::string place = fmt::format("personalizations.{}", i);
            const json::value* to = find(one, "to");
            if (to == nullptr || !to->is_array() || to->get_array().empty()) {
                say("The to array is required for all personalization objects, and must have at "
                    "least one email object with a valid email address.",
                    place + ".to");
                continue;
            }
            for (std::size_t k = 0; k < to->get_array().size(); ++k) {
                address(&to->get_array()[k], fmt::format("{}.to.{}", place, k));
            }
            custom_args(find(one, "custom_args"), place + ".custom_args");
        }
    }

    void custom_args(const json::value* args, const std::string& field) {
        if (args == nullptr) return;
        if (!args->is_object()) return say("custom_args must be an object", field);
        for (const auto& [key, value] : args->get_object()) {
            if (!value.is_string()) say("custom_args values must be strings", field);
        }
        if (json::serialize(*args).size() > custom_args_max) {
            say("custom_args must be less than 10,000 bytes", field);
        }
    }

    void contents(const json::value* list) {
        if (list == nullptr || !list->is_array() || list->get_array().empty()) {
            return say(
                "Unless a valid template_id is provided, the content parameter is required. There "
                "must be at least one defined content block.",
                "content"
            );
        }
        int place_of_html = -1;
        for (std::size_t i = 0; i < list->get_array().size(); ++i) {
            const json::value& one = list->get_array()[i];
            const std::string_view type = text_in(one, "type");
            const std::string place = fmt::format("content.{}", i);
            if (type.empty())
                say("The content type must be a string at least one character in length.",
                    place + ".type");
            if (text_in(one, "value").empty()) {
                say("The content value must be a string at least one character in length.",
                    place + ".value");
            }
            if (type == "text/html") place_of_html = static_cast<int>(i);
            if (type == "text/plain" && place_of_html >= 0) {
                say("If present, text/plain must be first, followed by text/html, followed by any "
                    "other content.",
                    "content");
            }
        }
    }

    json::array wrong_;
    std::string_view subject_;
    bool all_have_subject_ = false;
};

std::string_view word_of(FactKind kind) {
    switch (kind) {
        case FactKind::sent: return "processed";
        case FactKind::delivered: return "delivered";
        case FactKind::opened: return "open";
        case FactKind::clicked: return "click";
        case FactKind::bounced: return "bounce";
        case FactKind::complained: return "spamreport";
        case FactKind::unsubscribed: return "unsubscribe";
        case FactKind::failed: return "dropped";
        default: return {};
    }
}

class SendGrid final : public Provider {
public:
    std::string_view name() const override { return "sendgrid"; }
    std::size_t batch_max() const override { return 500; }

    void open(Account& account, Rng& rng) const override {
        KeyPair key = new_ec_key();
        account.hook_key = std::move(key.private_pem);
        account.proof = "SG." + random_text(rng, 16) + "." + random_text(rng, 32);
        account.credentials = {
            {"api_key", account.proof}, {"webhook_public_key", key.public_base64}};
        account.settings = {{"from", "Sandbox <news@sandbox.example>"}};
    }

    http::ServerResponse answer(Desk& desk, const Request& request) const override {
        const Account* account = desk.holder(name(), request.bearer());
        if (account == nullptr) {
            return refuse(
                401, {problem("The provided authorization grant is invalid, expired, or revoked")}
            );
        }
        if (request.is("GET", {"v3", "messages"})) return activity(desk, *account, request);
        if (request.path != std::vector<std::string>{"v3", "mail", "send"}) {
            return refuse(404, {problem("not found")});
        }
        if (request.method != "POST") return refuse(405, {problem("method not allowed")});
        if (!is_json_request(request)) {
            return refuse(415, {problem("Content-Type should be application/json.")});
        }
        const auto body = parse_json(request.body, body_limits);
        if (!body || !body->is_object()) return refuse(400, {problem("Bad Request")});
        if (json::array wrong = MailCheck().run(*body); !wrong.empty()) {
            return refuse(400, std::move(wrong));
        }
        return take(desk, *account, request, *body);
    }

    http::ServerResponse limited(int seconds) const override {
        auto response = retry_after(seconds, refuse(429, {problem("too many requests")}));
        response.headers.push_back({"X-RateLimit-Remaining", "0"});
        return response;
    }
    http::ServerResponse broken() const override {
        return refuse(500, {problem("internal server error")});
    }

    std::optional<http::Request> hook(
        Desk& desk, const Account& account, const std::vector<Event>& events, Instant now
    ) const override {
        json::array list;
        for (const Event& event : events) {
            json::object one = event_json(event);
            if (!one.empty()) list.push_back(std::move(one));
        }
        if (list.empty()) return std::nullopt;
        static_cast<void>(desk);
        http::Request request = json_hook(account.hook_url, json::serialize(list));
        const std::string time = std::to_string(now.time_since_epoch() / std::chrono::seconds(1));
        const std::string signature = to_base64(sign_ecdsa(account.hook_key, time + request.body));
        request.headers.push_back({"X-Twilio-Email-Event-Webhook-Timestamp", time});
        request.headers.push_back({"X-Twilio-Email-Event-Webhook-Signature", signature});
        return request;
    }

private:
    // The Email Activity feed, by the one query that a sender needs: unique_args['x']="y".
    http::ServerResponse activity(Desk& desk, const Account& account, const Request& request)
        const {
        constexpr std::string_view start = "unique_args['pawl_message']=\"";
        std::string query = request.asked("query");
        if (!query.starts_with(start) || !query.ends_with('"')) {
            return refuse(400, {problem("invalid query", "query")});
        }
        query = query.substr(start.size(), query.size() - start.size() - 1);
        json::array messages;
        for (const MessagePtr& one : desk.messages()) {
            if (one->provider != name() || one->account != account.name) continue;
            if (one->client_id != query) continue;
            messages.push_back(json::object{
                {"from_email", "news@sandbox.example"},
                {"msg_id", one->id + ".filter0001.1.sandbox-0"},
                {"subject", one->text},
                {"to_email", one->to},
                {"status", "delivered"},
                {"opens_count", 0},
                {"clicks_count", 0},
                {"last_event_time", to_rfc3339(one->at)}});
        }
        return json_answer(200, json::object{{"messages", std::move(messages)}});
    }

    static http::ServerResponse take(
        Desk& desk, const Account& account, const Request& request, const json::value& mail
    ) {
        const std::string id = random_text(desk.rng(), 16);
        for (const json::value& one : find(mail, "personalizations")->get_array()) {
            const json::value* args = find(one, "custom_args");
            Message message;
            message.at = request.now;
            message.provider = account.provider;
            message.account = account.name;
            message.id = id;
            message.client_id = args == nullptr ? "" : std::string(text_in(*args, "pawl_message"));
            message.to = text_in(find(one, "to")->get_array()[0], "email");
            const std::string_view own = text_in(one, "subject");
            message.text = beginning(own.empty() ? text_in(mail, "subject") : own);
            message.request = shown(mail);
            desk.keep(std::move(message));
        }
        http::ServerResponse response;
        response.status = 202;
        response.headers = {{"X-Message-Id", id}};
        return response;
    }

    static json::object event_json(const Event& event) {
        const std::string_view word = word_of(event.kind);
        if (word.empty() || !event.message) return {};
        json::object one{
            {"email", event.message->to},
            {"timestamp", event.at.time_since_epoch() / std::chrono::seconds(1)},
            {"event", word},
            {"sg_event_id", event.id},
            {"sg_message_id", event.message->id + ".filter0001.1.sandbox-0"},
            {"smtp-id", fmt::format("<{}@sandbox.example>", event.message->id)}};
        if (!event.message->client_id.empty()) one["pawl_message"] = event.message->client_id;
        if (event.kind == FactKind::bounced) {
            one["type"] = "bounce";
            one["status"] = "5.1.1";
            one["reason"] = "550 5.1.1 The mailbox does not exist";
            one["bounce_classification"] = "Invalid Address";
        }
        if (event.kind == FactKind::opened) {
            one["useragent"] = "Mozilla/5.0";
            one["sg_machine_open"] = false;
        }
        if (event.kind == FactKind::clicked) one["url"] = "https://shop.example/";
        return one;
    }
};

}  // namespace

const Provider& sendgrid_provider() {
    static const SendGrid provider;
    return provider;
}

}  // namespace pawl::sandbox
