#include "steps/outbound_config.hpp"

#include "base/exact_json.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

namespace pawl::steps {

namespace {

void remove_header(http::Headers& headers, std::string_view name) {
    std::erase_if(headers, [&](const http::Header& header) {
        return http::equal_ignoring_case(header.name, name);
    });
}

StepError wrong_headers(std::string message) {
    return *invalid_config(message).error;
}

}  // namespace

std::optional<std::string> text_member(const json::object& config, std::string_view key) {
    const json::value* value = config.if_contains(key);
    if (value == nullptr || !value->is_string()) return std::nullopt;
    return std::string(value->get_string());
}

void add_missing_header(http::Headers& headers, std::string name, std::string value) {
    if (http::find_header(headers, name) != nullptr) return;
    headers.push_back({std::move(name), std::move(value)});
}

std::optional<StepError> apply_headers(const json::object& config, http::Headers& headers) {
    const json::value* given = config.if_contains("headers");
    if (given == nullptr || given->is_null()) return std::nullopt;
    if (!given->is_object()) return wrong_headers("headers must be an object");
    for (const auto& [key, value] : given->get_object()) {
        const std::string name(key);
        remove_header(headers, name);
        if (value.is_null()) continue;
        if (value.is_structured()) {
            return wrong_headers(fmt::format("headers.{} must be text", name));
        }
        std::string text = value.is_string() ? std::string(value.get_string()) : plain_json(value);
        headers.push_back({name, std::move(text)});
    }
    return std::nullopt;
}

std::optional<StepError> add_callback(const StepRequest& step, http::Headers& headers) {
    const json::value* wanted = step.config.if_contains("callback");
    if (wanted == nullptr || *wanted != true) return std::nullopt;
    if (!step.callback) {
        return StepError{
            ErrorClass::permanent,
            "no_link_secret",
            "callback: true needs a secret to sign with: start the workers with --link-secret",
            std::nullopt};
    }
    headers.push_back({"Pawl-Callback-Token", step.callback->token});
    if (!step.callback->url.empty()) headers.push_back({"Pawl-Callback-Url", step.callback->url});
    return std::nullopt;
}

namespace {

// What a step waits for whose peer has answered 202; nothing when it is over.
std::optional<StepOutcome> awaited_callback(const StepRequest& step, const http::Outcome& outcome) {
    constexpr int accepted = 202;
    if (!step.callback || !outcome || outcome->status != accepted) return std::nullopt;
    events::CallbackWait wait;
    wait.visit = step.visit;
    wait.until = step.callback->until;
    if (const json::value* heartbeat = step.config.if_contains("heartbeat")) {
        wait.heartbeat = *heartbeat;
    }
    return pending(std::move(wait));
}

}  // namespace

asio::awaitable<CallTargets::Sent> send_step(
    CallTargets& targets, http::Client& client, const StepRequest& step, http::Request request
) {
    CallTargets::Sent sent = co_await targets.send(client, step.tenant, std::move(request));
    if (sent.outcome && !sent.unsent) sent.unsent = awaited_callback(step, *sent.outcome);
    co_return sent;
}

bool is_json(const http::Response& response) {
    const std::string* type = http::find_header(response.headers, "content-type");
    if (type == nullptr) return false;
    std::string_view media = std::string_view(*type).substr(0, type->find(';'));
    while (media.ends_with(' ')) media.remove_suffix(1);
    if (http::equal_ignoring_case(media, "application/json")) return true;
    constexpr std::string_view suffix = "+json";
    return media.size() > suffix.size() &&
           http::equal_ignoring_case(media.substr(media.size() - suffix.size()), suffix);
}

}  // namespace pawl::steps
