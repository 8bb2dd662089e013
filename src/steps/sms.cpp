#include "steps/sms.hpp"

#include "base/base64.hpp"
#include "base/canonical_json.hpp"
#include "base/json.hpp"
#include "connect/form.hpp"
#include "steps/provider_answer.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <optional>

namespace pawl::steps {

namespace {

struct Sms {
    std::string from;
    std::string to;
    std::string body;
    std::string idempotency_key;
};

bool is_number(std::string_view text) {
    if (text.starts_with('+')) text.remove_prefix(1);
    return text.size() >= 3 && text.size() <= 20 &&
           std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

Result<Sms> read_sms(const json::object& message, std::string_view usual_from) {
    constexpr std::size_t body_bytes_max = 6400;
    Sms sms;
    sms.to = text_in(message, "to");
    sms.body = text_in(message, "body");
    sms.from = text_in(message, "from");
    if (sms.from.empty()) sms.from = usual_from;
    sms.idempotency_key = text_in(message, "idempotency_key");
    const auto wrong = [](std::string what) { return Error{Errc::invalid, std::move(what), {}}; };
    if (!is_number(sms.to)) return wrong("to must be a telephone number: +66812345678");
    if (sms.body.empty()) return wrong("body is missing");
    if (sms.body.size() > body_bytes_max) return wrong("body is too long for a text message");
    if (!http::is_field_value(sms.from)) return wrong("from holds a control character");
    return sms;
}

std::string basic_auth(std::string_view user, std::string_view password) {
    return "Basic " + to_base64(fmt::format("{}:{}", user, password));
}

http::Request twilio_request(const SmsSettings& settings, const Sms& sms, Duration timeout) {
    const std::string account = connect::percent_encoded(settings.account);
    http::Request request = to_provider(
        fmt::format(
            "{}/2010-04-01/Accounts/{}/Messages.json",
            base_url(settings.url, "https://api.twilio.com"),
            account
        ),
        timeout
    );
    request.headers = {
        {"Content-Type", "application/x-www-form-urlencoded"},
        {"Authorization",
         basic_auth(settings.user.empty() ? settings.account : settings.user, settings.key)}};
    const char* sender =
        sms.from.starts_with("MG") && sms.from.size() == 34 ? "MessagingServiceSid" : "From";
    request.body = connect::write_form({{"To", sms.to}, {sender, sms.from}, {"Body", sms.body}});
    return request;
}

asio::awaitable<StepOutcome> send_by_twilio(
    http::Client& client, SmsSettings settings, Sms sms, Duration timeout
) {
    if (sms.from.empty()) {
        co_return failed(ErrorClass::permanent, "invalid_message", "it has no sender: give `from`");
    }
    http::Request request = twilio_request(settings, sms, timeout);
    const http::Outcome outcome = co_await client.send(std::move(request));
    Answer answer = read_answer(outcome);
    if (!answer.error) co_return sent("twilio", text_in(answer.body, "sid"));
    // Twilio says that a message may have gone out in spite of this answer.
    if (outcome && outcome->status == 500) answer.error->error_class = ErrorClass::ambiguous;
    co_return failed(std::move(*answer.error));
}

asio::awaitable<StepOutcome> send_by_8x8(
    http::Client& client, SmsSettings settings, Sms sms, Duration timeout
) {
    constexpr std::size_t client_id_max = 50;
    json::object body;
    body["destination"] = sms.to;
    body["text"] = sms.body;
    if (!sms.from.empty()) body["source"] = sms.from;
    if (!sms.idempotency_key.empty())
        body["clientMessageId"] = sms.idempotency_key.substr(0, client_id_max);
    const std::string base = base_url(settings.url, "https://sms.8x8.com");
    const std::string account = connect::percent_encoded(settings.account);
    http::Request request =
        to_provider(fmt::format("{}/api/v1/subaccounts/{}/messages", base, account), timeout);
    request.headers = {
        {"Content-Type", "application/json"}, {"Authorization", "Bearer " + settings.key}};
    request.body = canonical_json(body);
    const http::Outcome outcome = co_await client.send(std::move(request));
    Answer answer = read_answer(outcome);
    if (answer.error) co_return failed(std::move(*answer.error));
    const json::value* status = answer.body.if_contains("status");
    const std::string_view code = status == nullptr ? "" : text_in(*status, "code");
    if (code == "REJECTED" || code == "FAILED") {
        co_return failed(
            ErrorClass::permanent,
            "rejected",
            fmt::format("8x8 says {}: {}", code, text_in(*status, "description"))
        );
    }
    co_return sent("8x8", text_in(answer.body, "umid"));
}

asio::awaitable<StepOutcome> deliver(
    http::Client& client, SmsSettings settings, json::object message, Duration timeout
) {
    using Provider = SmsSettings::Provider;
    if (settings.provider == Provider::none) co_return no_provider("text messages");
    Result<Sms> sms = read_sms(message, settings.from);
    if (!sms) co_return failed(ErrorClass::permanent, "invalid_message", sms.error().message);
    switch (settings.provider) {
        case Provider::none: break;
        case Provider::twilio:
            co_return co_await send_by_twilio(
                client, std::move(settings), std::move(*sms), timeout
            );
        case Provider::eight_by_eight:
            co_return co_await send_by_8x8(client, std::move(settings), std::move(*sms), timeout);
        case Provider::sandbox:
            co_return co_await send_to_sandbox(
                client, settings.url, settings.key, "sms", std::move(message), timeout
            );
    }
    co_return no_provider("text messages");
}

}  // namespace

asio::awaitable<StepOutcome> send_sms(
    http::Client& client, SmsSettings settings, json::object message, Duration timeout
) {
    std::string key = settings.key;
    return without_key(
        std::move(key), deliver(client, std::move(settings), std::move(message), timeout)
    );
}

}  // namespace pawl::steps
