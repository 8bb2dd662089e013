#include "api/idempotent.hpp"

#include "api/auth_key.hpp"
#include "api/problem.hpp"

#include <fmt/core.h>

namespace pawl::api {

namespace {

constexpr std::size_t key_max = 255;

std::string fingerprint_of(const Call& call) {
    return sha256(
        fmt::format("{}\n{}\n{}", call.request.method, call.request.target, call.request.body)
    );
}

// What of an answer is worth repeating besides its body.
json::object kept_headers(const http::Headers& headers) {
    json::object kept;
    for (const http::Header& header : headers) kept[header.name] = header.value;
    return kept;
}

http::ServerResponse again(const store::StoredAnswer& stored, const std::string& fingerprint) {
    if (stored.fingerprint != fingerprint) {
        refuse(
            422,
            "idempotency_key_reused",
            "this Idempotency-Key was used for another request; take a new one"
        );
    }
    http::ServerResponse response;
    response.status = stored.status;
    if (const json::object* headers = stored.headers.if_object()) {
        for (const auto& [name, value] : *headers) {
            response.headers.push_back({std::string(name), std::string(value.as_string())});
        }
    }
    response.headers.push_back({"Idempotent-Replayed", "true"});
    response.body = stored.body;
    return response;
}

}  // namespace

std::string idempotency_key_of(const http::Headers& headers) {
    const std::string* given = http::find_header(headers, "Idempotency-Key");
    if (given == nullptr) return {};
    std::string_view key = *given;
    if (key.size() >= 2 && key.front() == '"' && key.back() == '"') {
        key = key.substr(1, key.size() - 2);
    }
    if (key.empty() || key.size() > key_max || !http::is_field_value(key)) {
        refuse_parameter("Idempotency-Key", "must have 1 to 255 characters");
    }
    return std::string(key);
}

asio::awaitable<http::ServerResponse> answer_once(
    store::Idempotency& store, const CallHandler& handler, Call call
) {
    const std::int32_t tenant = call.principal.tenant;
    const std::string key = call.idempotency_key;
    const std::string fingerprint = fingerprint_of(call);
    if (const auto stored = co_await store.find(tenant, key)) co_return again(*stored, fingerprint);
    http::ServerResponse response = co_await handler(std::move(call));
    if (response.status < 200 || response.status >= 300) co_return response;
    store::StoredAnswer answer;
    answer.fingerprint = fingerprint;
    answer.status = static_cast<std::int16_t>(response.status);
    answer.headers = kept_headers(response.headers);
    answer.body = response.body;
    const auto winner = co_await store.remember(tenant, key, std::move(answer));
    if (winner.fingerprint != fingerprint) co_return again(winner, fingerprint);
    co_return response;
}

}  // namespace pawl::api
