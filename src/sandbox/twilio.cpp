#include "base/base64.hpp"
#include "connect/form.hpp"
#include "connect/signature.hpp"
#include "connect/sms_parts.hpp"
#include "http/date.hpp"
#include "sandbox/desk.hpp"
#include "sandbox/wire.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>

namespace pawl::sandbox {

namespace {

constexpr std::size_t body_chars_max = 1600;

http::ServerResponse refuse(int status, int code, std::string_view message) {
    return json_answer(
        status,
        json::object{
            {"code", code},
            {"message", message},
            {"more_info", fmt::format("https://www.twilio.com/docs/errors/{}", code)},
            {"status", status}}
    );
}

std::string field(const connect::Form& form, std::string_view key) {
    const auto found =
        std::find_if(form.begin(), form.end(), [&](const auto& one) { return one.first == key; });
    return found == form.end() ? "" : found->second;
}

// Numbers that Twilio keeps for tests, and what they stand for.
struct TestNumber {
    std::string_view number;
    int code;
    std::string_view message;
};
constexpr TestNumber test_numbers[] = {
    {"+15005550001", 21211, "Invalid 'To' Phone Number: +15005550001"},
    {"+15005550002", 21612, "The message cannot be routed to this number"},
    {"+15005550003", 21408, "Permission to send an SMS has not been enabled for the region"},
    {"+15005550004", 21610, "Attempt to send to unsubscribed recipient"},
    {"+15005550009", 21614, "'To' number is not a valid mobile number"},
};

std::string_view status_word(FactKind kind) {
    switch (kind) {
        case FactKind::sent: return "sent";
        case FactKind::delivered: return "delivered";
        case FactKind::opened: return "read";
        case FactKind::bounced: return "undelivered";
        case FactKind::failed: return "failed";
        default: return {};
    }
}

class Twilio final : public Provider {
public:
    std::string_view name() const override { return "twilio"; }
    int tries() const override { return 1; }

    void open(Account& account, Rng& rng) const override {
        const std::string sid = "AC" + random_hex(rng, 32);
        account.hook_key = random_hex(rng, 32);
        account.proof = sid + ":" + account.hook_key;
        account.credentials = {
            {"account_sid", sid}, {"auth_token", account.hook_key}, {"from", "+15005550006"}};
    }

    http::ServerResponse answer(Desk& desk, const Request& request) const override {
        const std::string_view given = request.header("authorization");
        const auto proof = from_base64(given.starts_with("Basic ") ? given.substr(6) : "");
        const Account* account = desk.holder(name(), proof.value_or(""));
        if (account == nullptr) return refuse(401, 20003, "Authenticate");
        if (request.path.size() < 4 || request.path[0] != "2010-04-01" ||
            request.path[1] != "Accounts") {
            return refuse(404, 20404, "The requested resource was not found");
        }
        if (request.path[2] != text_in(account->credentials, "account_sid")) {
            return refuse(404, 20404, "The requested account was not found");
        }
        if (request.is("GET", {"2010-04-01", "Accounts", "*", "Messages", "*"})) {
            const std::string& file = request.path[4];
            const MessagePtr found = desk.message(name(), file.substr(0, file.find('.')));
            if (!found) return refuse(404, 20404, "The requested message was not found");
            return json_answer(200, shown_message(*account, *found));
        }
        if (request.path.size() != 4 || request.path[3] != "Messages.json") {
            return refuse(404, 20404, "The requested resource was not found");
        }
        if (request.method == "GET") return list(desk, *account, request);
        if (request.method != "POST") return refuse(405, 20004, "Method not allowed");
        const auto form = connect::read_form(request.body);
        if (!is_form_request(request) || !form) {
            return refuse(400, 21604, "A 'To' phone number is required.");
        }
        return take(desk, *account, request, *form);
    }

    http::ServerResponse limited(int seconds) const override {
        return retry_after(seconds, refuse(429, 20429, "Too Many Requests"));
    }
    http::ServerResponse broken() const override {
        return refuse(500, 20500, "An internal server error has occurred");
    }

    std::optional<http::Request> hook(
        Desk&, const Account& account, const std::vector<Event>& events, Instant
    ) const override {
        const Event& event = events.front();
        const std::string from(text_in(account.credentials, "from"));
        connect::Form form{
            {"AccountSid", std::string(text_in(account.credentials, "account_sid"))},
            {"ApiVersion", "2010-04-01"}};
        std::string url = account.hook_url;
        if (event.kind == FactKind::replied || event.kind == FactKind::unsubscribed) {
            const bool stops = event.kind == FactKind::unsubscribed;
            form.emplace_back("MessageSid", event.id);
            form.emplace_back("SmsStatus", "received");
            form.emplace_back("From", event.message ? event.message->to : event.person);
            form.emplace_back("To", from);
            form.emplace_back("Body", stops ? "STOP" : event.text);
            if (stops) form.emplace_back("OptOutType", "STOP");
        } else {
            const std::string word(status_word(event.kind));
            if (word.empty() || !event.message) return std::nullopt;
            if (!event.message->callback.empty()) url = event.message->callback;
            for (const char* key : {"MessageSid", "SmsSid"})
                form.emplace_back(key, event.message->id);
            for (const char* key : {"MessageStatus", "SmsStatus"}) form.emplace_back(key, word);
            form.emplace_back("To", event.message->to);
            form.emplace_back("From", from);
            if (event.kind == FactKind::bounced) form.emplace_back("ErrorCode", "30003");
        }
        http::Request request;
        request.method = "POST";
        request.url = url;
        request.body = connect::write_form(form);
        std::sort(form.begin(), form.end());
        std::string signed_text = url;
        for (const auto& [key, value] : form) signed_text += key + value;
        request.headers = {
            {"Content-Type", "application/x-www-form-urlencoded"},
            {"X-Twilio-Signature", to_base64(connect::hmac_sha1(account.hook_key, signed_text))},
            {"I-Twilio-Idempotency-Token", event.id}};
        return request;
    }

private:
    // The newest first, as Twilio lists them.
    http::ServerResponse list(Desk& desk, const Account& account, const Request& request) const {
        constexpr int page_max = 1000;
        constexpr int page_usual = 50;
        const std::string to = request.asked("To");
        const std::string size = request.asked("PageSize");
        int most = page_usual;
        std::from_chars(size.data(), size.data() + size.size(), most);
        most = std::clamp(most, 1, page_max);
        json::array messages;
        const auto& all = desk.messages();
        for (auto one = all.rbegin(); one != all.rend(); ++one) {
            if (static_cast<int>(messages.size()) == most) break;
            const Message& message = **one;
            if (message.provider != name() || message.account != account.name) continue;
            if (to.empty() || message.to == to) messages.push_back(shown_message(account, message));
        }
        return json_answer(
            200,
            json::object{
                {"page", 0},
                {"page_size", most},
                {"messages", std::move(messages)},
                {"next_page_uri", nullptr}}
        );
    }

    // "Thu, 24 Aug 2023 05:01:45 +0000"
    static std::string rfc2822(Instant at) {
        std::string date = http::format_date(at);
        return date.replace(date.size() - 3, 3, "+0000");
    }

    static json::object shown_message(const Account& account, const Message& message) {
        std::string_view status = "queued";
        for (const Told& told : message.told) {
            if (const auto word = status_word(told.kind); !word.empty()) status = word;
        }
        return {
            {"sid", message.id},
            {"account_sid", text_in(account.credentials, "account_sid")},
            {"api_version", "2010-04-01"},
            {"to", message.to},
            {"from", text_in(account.credentials, "from")},
            {"body", message.text},
            {"status", status},
            {"direction", "outbound-api"},
            {"num_segments", std::to_string(connect::count_sms(message.text).parts)},
            {"date_created", rfc2822(message.at)},
            {"error_code", nullptr},
            {"error_message", nullptr}};
    }

    http::ServerResponse take(
        Desk& desk, const Account& account, const Request& request, const connect::Form& form
    ) const {
        const std::string to = field(form, "To");
        const std::string from = field(form, "From");
        const std::string service = field(form, "MessagingServiceSid");
        const std::string text = field(form, "Body");
        if (to.empty()) return refuse(400, 21604, "A 'To' phone number is required.");
        if (from.empty() && service.empty()) {
            return refuse(400, 21603, "A 'From' phone number is required.");
        }
        if (!service.empty() && !(service.starts_with("MG") && service.size() == 34)) {
            return refuse(400, 21701, "The messaging service could not be found");
        }
        if (text.empty() && field(form, "MediaUrl").empty()) {
            return refuse(400, 21602, "Message body is required.");
        }
        if (connect::utf16_units(text) > body_chars_max) {
            return refuse(
                400, 21617, "The concatenated message body exceeds the 1600 character limit"
            );
        }
        for (const TestNumber& one : test_numbers) {
            if (to == one.number) return refuse(400, one.code, one.message);
        }
        if (!is_e164(to)) return refuse(400, 21211, "Invalid 'To' Phone Number: " + to);
        const bool is_name = !from.starts_with('+') && from.size() <= 11;
        if (service.empty() && !is_e164(from) && !is_name) {
            return refuse(400, 21212, "Invalid From Number (caller ID): " + from);
        }
        const std::string callback = field(form, "StatusCallback");
        if (!callback.empty() && !callback.starts_with("http")) {
            return refuse(400, 21609, "The StatusCallback URL is not a valid URL");
        }
        Message message;
        message.at = request.now;
        message.provider = account.provider;
        message.account = account.name;
        message.id = "SM" + random_hex(desk.rng(), 32);
        message.to = to;
        message.text = beginning(text);
        message.callback = callback;
        json::object all;
        for (const auto& [key, value] : form) all[key] = value;
        message.request = shown(all);
        return json_answer(201, shown_message(account, *desk.keep(std::move(message))));
    }
};

}  // namespace

const Provider& twilio_provider() {
    static const Twilio provider;
    return provider;
}

}  // namespace pawl::sandbox
