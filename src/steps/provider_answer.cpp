#include "steps/provider_answer.hpp"

#include "base/canonical_json.hpp"
#include "base/json.hpp"
#include "steps/classify.hpp"
#include "steps/secrets.hpp"
#include "steps/storable_text.hpp"

#include <fmt/core.h>

namespace pawl::steps {

std::string base_url(std::string_view base, std::string_view usual) {
    if (base.empty()) base = usual;
    while (base.ends_with('/')) base.remove_suffix(1);
    return std::string(base);
}

http::Request to_provider(std::string url, Duration timeout) {
    http::Request request;
    request.trusted = true;
    request.method = "POST";
    request.url = std::move(url);
    request.timeout = timeout;
    return request;
}

StepOutcome no_provider(std::string_view channel) {
    return failed(
        ErrorClass::permanent,
        "no_provider",
        fmt::format("no provider of {} is configured: start the workers with --messages", channel)
    );
}

StepOutcome sent(std::string_view provider, std::string_view message_id) {
    constexpr std::size_t id_bytes_max = 1000;
    return completed(json::object{
        {"message_id", storable(message_id, id_bytes_max)}, {"provider", provider}});
}

Answer read_answer(const http::Outcome& outcome) {
    Answer answer;
    answer.error = classify(outcome, wall_now());
    if (!outcome) return answer;
    auto body = parse_json(outcome->body);
    if (body && body->is_object()) answer.body = std::move(body->get_object());
    if (!answer.error && (!body || !body->is_object())) {
        // It was taken, whatever came back: trying again would send it twice.
        return answer;
    }
    if (!answer.error) return answer;
    for (const std::string_view key : {"message", "error"}) {
        const std::string_view said = text_in(answer.body, key);
        if (said.empty()) continue;
        answer.error->message = fmt::format("status {}: {}", outcome->status, said);
        break;
    }
    return answer;
}

asio::awaitable<StepOutcome> send_to_sandbox(
    http::Client& client,
    std::string url,
    std::string key,
    std::string channel,
    json::object message,
    Duration timeout
) {
    http::Request request = to_provider(base_url(url, "") + "/" + channel, timeout);
    request.headers = {{"Content-Type", "application/json"}, {"Authorization", "Bearer " + key}};
    const std::string idempotency_key(text_in(message, "idempotency_key"));
    if (!idempotency_key.empty()) request.headers.push_back({"Idempotency-Key", idempotency_key});
    request.body =
        canonical_json(json::object{{"action", "send"}, {"payload", std::move(message)}});
    const http::Outcome outcome = co_await client.send(std::move(request));
    const Answer answer = read_answer(outcome);
    if (answer.error) co_return failed(*answer.error);
    const json::value* data = answer.body.if_contains("data");
    co_return sent("sandbox", data == nullptr ? "" : text_in(*data, "message_id"));
}

asio::awaitable<StepOutcome> without_key(std::string key, asio::awaitable<StepOutcome> sending) {
    const std::vector<std::string> secrets{std::move(key)};
    auto outcome = co_await std::move(sending);
    co_return without_secrets(std::move(outcome), secrets);
}

}  // namespace pawl::steps
