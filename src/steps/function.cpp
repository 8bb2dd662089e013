#include "steps/function.hpp"

#include "base/canonical_json.hpp"
#include "base/exact_json.hpp"
#include "base/json.hpp"
#include "steps/classify.hpp"
#include "steps/outbound_config.hpp"
#include "steps/redact.hpp"
#include "steps/secrets.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

namespace pawl::steps {

namespace {

// The name becomes a part of the URL: it must stay below functions_url.
bool is_function_name(std::string_view name) {
    const auto allowed = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
               c == '-' || c == '_' || c == '.' || c == '/';
    };
    return !name.empty() && std::all_of(name.begin(), name.end(), allowed) &&
           name.find("..") == std::string_view::npos && name.front() != '/';
}

struct Prepared {
    http::Request request;
    std::optional<StepError> error;
    std::string key;  // of the host, which belongs to the operator
};

Prepared refused(std::string_view message) {
    return {{}, invalid_config(message).error, {}};
}

Prepared prepare(const StepSettings& settings, const StepRequest& step) {
    Prepared prepared;
    http::Request& request = prepared.request;
    const auto function = text_member(step.config, "function");
    const std::string host_name = text_member(step.config, "functions").value_or("");
    const FunctionHost* host = settings.functions.find(step.tenant, host_name);
    if (const auto own = text_member(step.config, "url")) {
        request.url = *own;
    } else if (!function || !is_function_name(*function)) {
        return refused("function must be a name made of letters, digits, - _ . and /");
    } else if (host == nullptr && !host_name.empty()) {
        return refused("no functions host '" + host_name + "' is configured");
    } else if (host == nullptr) {
        return refused("no functions URL is configured, and the step has no url of its own");
    } else {
        std::string_view base = host->url;
        while (base.ends_with('/')) base.remove_suffix(1);
        request.url = fmt::format("{}/{}", base, *function);
        request.trusted = true;  // the operator configures where functions are
        if (!host->key.empty()) {
            request.headers.push_back({"Authorization", "Bearer " + host->key});
            prepared.key = host->key;
        }
    }
    request.method = "POST";
    request.timeout = step.timeout;
    request.headers.push_back({"Content-Type", "application/json"});
    if (!step.idempotency_key.empty()) {
        request.headers.push_back({"Idempotency-Key", step.idempotency_key});
    }
    prepared.error = add_callback(step, request.headers);
    if (prepared.error) return prepared;
    if (!step.traceparent.empty()) request.headers.push_back({"traceparent", step.traceparent});
    prepared.error = apply_headers(step.config, request.headers);

    json::object body;
    if (const json::value* action = step.config.if_contains("action")) body["action"] = *action;
    const json::value* payload = step.config.if_contains("payload");
    body["payload"] = payload != nullptr ? *payload : json::value(json::object());
    request.body = canonical_json(body);
    return prepared;
}

// What the function itself says went wrong; empty when it says nothing.
std::string said(const json::value& body) {
    const json::value* error = find(body, "error");
    if (error == nullptr) return {};
    if (error->is_string()) return std::string(error->get_string());
    const json::value* message = find(*error, "message");
    if (message != nullptr && message->is_string()) return std::string(message->get_string());
    return error->is_structured() ? plain_json(without_sensitive_keys(*error)) : std::string();
}

std::string failure_message(const StepRequest& step, const json::value& body, int status) {
    std::string message = said(body);
    if (!message.empty()) return message;
    return fmt::format(
        "{}/{} failed with status {}",
        text_member(step.config, "function").value_or("function"),
        text_member(step.config, "action").value_or(""),
        status
    );
}

StepOutcome interpret(const StepRequest& step, const http::Outcome& outcome) {
    auto error = classify(outcome, wall_now());
    if (!outcome) return failed(std::move(*error));
    JsonLimits limits;
    limits.bytes_max = outcome->body.size();
    // An empty answer is no answer: null.
    Result<json::value> body = json::value();
    if (!outcome->body.empty()) body = parse_json(outcome->body, limits);
    if (error) {
        // An error page need not be JSON; the status says enough.
        const json::value told = body ? *body : json::value();
        error->message = failure_message(step, told, outcome->status);
        return failed(std::move(*error));
    }
    if (!body) return failed(unusable_answer(body.error().message));
    const json::value* success = find(*body, "success");
    if (success != nullptr && success->is_bool() && !success->get_bool()) {
        // The function ran and could not do it; its document promises a retry.
        return failed(
            ErrorClass::retryable, "function_failed", failure_message(step, *body, outcome->status)
        );
    }
    const json::value* data = find(*body, "data");
    return completed(data != nullptr ? *data : *body);
}

}  // namespace

asio::awaitable<StepOutcome> call_function(
    CallTargets& targets, http::Client& client, StepSettings settings, StepRequest request
) {
    Prepared prepared = prepare(settings, request);
    if (prepared.error) co_return failed(std::move(*prepared.error));
    auto sent = co_await send_step(targets, client, request, std::move(prepared.request));
    if (sent.unsent) co_return std::move(*sent.unsent);
    StepOutcome interpreted = interpret(request, *sent.outcome);
    if (prepared.key.empty()) co_return interpreted;
    // A function that echoes its request must not show the key to the tenant that called it.
    co_return without_secrets(std::move(interpreted), {prepared.key});
}

}  // namespace pawl::steps
