#include "steps/http.hpp"

#include "base/canonical_json.hpp"
#include "base/json.hpp"
#include "steps/classify.hpp"
#include "steps/outbound_config.hpp"
#include "steps/storable_text.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <utility>
#include <vector>

namespace pawl::steps {

namespace {

// Response headers that later steps can use. All of them would fill the log with noise.
constexpr std::string_view kept_headers[] = {
    "content-type",
    "etag",
    "last-modified",
    "link",
    "location",
    "request-id",
    "retry-after",
    "x-message-id",
    "x-request-id",
};

constexpr int redirects_max = 5;

struct Prepared {
    http::Request request;
    std::vector<int> expected;  // empty: any 2xx
    std::optional<StepError> error;
};

std::string upper(std::string text) {
    std::transform(text.begin(), text.end(), text.begin(), [](char c) {
        return c >= 'a' && c <= 'z' ? static_cast<char>(c - ('a' - 'A')) : c;
    });
    return text;
}

// False when it is neither a status nor a list of them.
bool read_expected(const json::object& config, std::vector<int>& expected) {
    const json::value* given = config.if_contains("expect_status");
    if (given == nullptr || given->is_null()) return true;
    const json::array one = {*given};
    const json::array& all = given->is_array() ? given->get_array() : one;
    for (const json::value& item : all) {
        json::error_code wrong;
        const int status = item.to_number<int>(wrong);
        if (wrong || status < 100 || status > 599) return false;
        expected.push_back(status);
    }
    return true;
}

void set_body(const json::object& config, http::Request& request) {
    const json::value* body = config.if_contains("body");
    if (body == nullptr || body->is_null()) return;
    if (body->is_string()) {
        request.body = body->get_string();
        add_missing_header(request.headers, "Content-Type", "text/plain; charset=utf-8");
    } else {
        request.body = canonical_json(*body);
        add_missing_header(request.headers, "Content-Type", "application/json");
    }
}

Prepared prepare(const StepRequest& step) {
    Prepared prepared;
    http::Request& request = prepared.request;
    request.url = text_member(step.config, "url").value_or("");
    request.timeout = step.timeout;
    const json::value* redirects = step.config.if_contains("follow_redirects");
    if (redirects != nullptr && *redirects == true) request.redirects_max = redirects_max;
    set_body(step.config, request);
    const char* usual = request.body.empty() ? "GET" : "POST";
    request.method = upper(text_member(step.config, "method").value_or(usual));
    // Peers that know the header do not act twice; to the others it is one more header.
    const bool safe =
        request.method == "GET" || request.method == "HEAD" || request.method == "OPTIONS";
    if (!safe && !step.idempotency_key.empty()) {
        request.headers.push_back({"Idempotency-Key", step.idempotency_key});
    }
    prepared.error = add_callback(step, request.headers);
    if (prepared.error) return prepared;
    if (!step.traceparent.empty()) request.headers.push_back({"traceparent", step.traceparent});
    prepared.error = apply_headers(step.config, request.headers);
    if (!read_expected(step.config, prepared.expected)) {
        prepared.error =
            invalid_config("expect_status must be a status from 100 to 599 or a list of them")
                .error;
    }
    return prepared;
}

json::object headers_of(const http::Response& response) {
    json::object headers;
    for (const std::string_view name : kept_headers) {
        const std::string* value = http::find_header(response.headers, name);
        if (value != nullptr && is_storable(std::string_view(*value))) headers[name] = *value;
    }
    return headers;
}

Result<json::value> body_of(const http::Response& response) {
    if (is_json(response)) {
        if (response.body.empty()) return json::value();
        JsonLimits limits;
        limits.bytes_max = response.body.size();
        return parse_json(response.body, limits);
    }
    if (is_storable(std::string_view(response.body))) return json::value(response.body);
    return Error{
        Errc::invalid,
        "the answer holds U+0000 or is not UTF-8 text, which Postgres cannot store",
        {}};
}

StepOutcome interpret(const http::Outcome& outcome, const std::vector<int>& expected) {
    auto error = classify(outcome, wall_now());
    if (outcome && !expected.empty()) {
        const bool matches =
            std::find(expected.begin(), expected.end(), outcome->status) != expected.end();
        if (matches) {
            error.reset();
        } else if (!error) {
            error = unusable_answer(fmt::format("status {} was not expected", outcome->status));
            error->code = "unexpected_status";
        }
    }
    if (error) return failed(std::move(*error));
    Result<json::value> body = body_of(*outcome);
    if (!body) return failed(unusable_answer(body.error().message));
    json::object result;
    result["status"] = outcome->status;
    result["headers"] = headers_of(*outcome);
    result["body"] = std::move(*body);
    return completed(std::move(result));
}

}  // namespace

asio::awaitable<StepOutcome> call_http(
    CallTargets& targets, http::Client& client, StepRequest request
) {
    Prepared prepared = prepare(request);
    if (prepared.error) co_return failed(std::move(*prepared.error));
    auto sent = co_await send_step(targets, client, request, std::move(prepared.request));
    if (sent.unsent) co_return std::move(*sent.unsent);
    co_return interpret(*sent.outcome, prepared.expected);
}

}  // namespace pawl::steps
