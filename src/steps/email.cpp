#include "steps/email.hpp"

#include "base/canonical_json.hpp"
#include "base/json.hpp"
#include "connect/email_message.hpp"
#include "steps/classify.hpp"
#include "steps/outbound_config.hpp"
#include "steps/provider_answer.hpp"

#include <boost/json/array.hpp>
#include <fmt/core.h>

namespace pawl::steps {

namespace {

using connect::Address;
using connect::Email;

json::array texts(const std::vector<Address>& addresses) {
    json::array all;
    for (const Address& address : addresses) all.emplace_back(to_text(address));
    return all;
}

http::Request resend_request(const EmailSettings& settings, const Email& email, Duration timeout) {
    json::object body;
    body["from"] = to_text(email.from);
    body["to"] = texts(email.to);
    if (!email.cc.empty()) body["cc"] = texts(email.cc);
    if (!email.bcc.empty()) body["bcc"] = texts(email.bcc);
    if (!email.reply_to.empty()) body["reply_to"] = texts(email.reply_to);
    body["subject"] = email.subject;
    if (!email.text.empty()) body["text"] = email.text;
    if (!email.html.empty()) body["html"] = email.html;
    json::object headers;
    for (const auto& [name, value] : email.headers) headers[name] = value;
    if (!headers.empty()) body["headers"] = std::move(headers);
    http::Request request =
        to_provider(base_url(settings.url, "https://api.resend.com") + "/emails", timeout);
    request.headers = {
        {"Content-Type", "application/json"}, {"Authorization", "Bearer " + settings.key}};
    if (!email.idempotency_key.empty())
        request.headers.push_back({"Idempotency-Key", email.idempotency_key});
    request.body = canonical_json(body);
    return request;
}

asio::awaitable<StepOutcome> send_by_resend(
    http::Client& client, EmailSettings settings, Email email, Duration timeout
) {
    http::Request request = resend_request(settings, email, timeout);
    const http::Outcome outcome = co_await client.send(std::move(request));
    Answer answer = read_answer(outcome);
    if (!answer.error) co_return sent("resend", text_in(answer.body, "id"));
    // With the same key it is the same email, for a day.
    const bool same_again = !email.idempotency_key.empty();
    const bool under_way = text_in(answer.body, "name") == "concurrent_idempotent_requests";
    if (under_way || (same_again && answer.error->error_class == ErrorClass::ambiguous))
        answer.error->error_class = ErrorClass::retryable;
    co_return failed(std::move(*answer.error));
}

// 4xx: not now. 5xx: not ever.
StepError smtp_refusal(const http::Response& reply) {
    StepError error;
    error.error_class = reply.status < 500 ? ErrorClass::retryable : ErrorClass::permanent;
    error.code = fmt::format("smtp_{}", reply.status);
    error.message = reply.body;
    return error;
}

asio::awaitable<StepOutcome> send_by_smtp(
    http::Client& client, EmailSettings settings, Email email, Duration timeout
) {
    http::Request request;
    request.trusted = true;
    request.url = settings.url;
    request.timeout = timeout;
    std::string id = connect::message_id(email);
    http::Mail& mail = request.mail.emplace(connect::to_mail(std::move(email), wall_now()));
    mail.user = settings.user;
    mail.password = settings.key;
    mail.needs_tls = !settings.plain;
    const http::Outcome outcome = co_await client.send(std::move(request));
    if (!outcome) co_return failed(*classify(outcome, wall_now()));
    if (outcome->status >= 400) co_return failed(smtp_refusal(*outcome));
    co_return sent("smtp", id);
}

asio::awaitable<StepOutcome> deliver(
    http::Client& client, EmailSettings settings, json::object message, Duration timeout
) {
    using Provider = EmailSettings::Provider;
    if (settings.provider == Provider::none) co_return no_provider("emails");
    if (settings.provider == Provider::sandbox && settings.from.empty())
        settings.from = "sandbox@localhost";
    Result<Email> email = connect::read_email(message, settings.from);
    if (!email) co_return failed(ErrorClass::permanent, "invalid_message", email.error().message);
    switch (settings.provider) {
        case Provider::none: break;
        case Provider::smtp:
            co_return co_await send_by_smtp(
                client, std::move(settings), std::move(*email), timeout
            );
        case Provider::resend:
            co_return co_await send_by_resend(
                client, std::move(settings), std::move(*email), timeout
            );
        case Provider::sandbox:
            co_return co_await send_to_sandbox(
                client, settings.url, settings.key, "email", std::move(message), timeout
            );
    }
    co_return no_provider("emails");
}

}  // namespace

asio::awaitable<StepOutcome> send_email(
    http::Client& client, EmailSettings settings, json::object message, Duration timeout
) {
    std::string key = settings.key;
    return without_key(
        std::move(key), deliver(client, std::move(settings), std::move(message), timeout)
    );
}

}  // namespace pawl::steps
