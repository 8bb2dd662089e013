#include "api/http/idempotent.hpp"

#include "api/http/problem.hpp"
#include "base/base64url.hpp"
#include "base/sha256.hpp"

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

// Beside the headers of an answer whose body is a secret: the key and the nonce it is encrypted
// with; empty where the body was not kept. No header of HTTP can have this name.
constexpr std::string_view box_name = "(box)";

std::string about(std::int32_t tenant, const std::string& key) {
    return fmt::format("idempotency {} {}", tenant, key);
}

void hide_body(store::StoredAnswer& answer, const Vault& vault, const std::string& about) {
    json::object& headers = answer.headers.as_object();
    if (!vault.usable()) {
        headers[box_name] = json::object();
        answer.body.clear();
        return;
    }
    const VaultBox box = vault.close(about, answer.body);
    headers[box_name] = json::object{{"key", box.key_id}, {"nonce", to_base64url(box.nonce)}};
    answer.body = to_base64url(box.data);
}

std::string shown_body(
    const store::StoredAnswer& stored, const Vault& vault, const std::string& about
) {
    const json::value* box = find(stored.headers, box_name);
    if (box == nullptr) return stored.body;
    const json::value* key = find(*box, "key");
    const json::value* nonce = find(*box, "nonce");
    if (key != nullptr && nonce != nullptr) {
        VaultBox closed;
        closed.key_id = key->as_string();
        closed.nonce = from_base64url(std::string_view(nonce->as_string())).value_or("");
        closed.data = from_base64url(stored.body).value_or("");
        if (auto body = vault.open(about, closed)) return std::move(*body);
    }
    refuse(
        409,
        "answer_not_kept",
        "this was done before, and its answer holds a secret that is not kept; send the request "
        "with another Idempotency-Key to get a new one"
    );
}

http::ServerResponse again(
    const store::StoredAnswer& stored,
    const std::string& fingerprint,
    const Vault& vault,
    const std::string& about
) {
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
            if (name == box_name) continue;
            response.headers.push_back({std::string(name), std::string(value.as_string())});
        }
    }
    response.headers.push_back({"Idempotent-Replayed", "true"});
    response.body = shown_body(stored, vault, about);
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
    store::Idempotency& store, const Vault& vault, const Route& route, Call call
) {
    const std::int32_t tenant = call.principal.tenant;
    const std::string key = call.idempotency_key;
    const std::string fingerprint = fingerprint_of(call);
    const std::string what = about(tenant, key);
    if (const auto stored = co_await store.find(tenant, key)) {
        co_return again(*stored, fingerprint, vault, what);
    }
    http::ServerResponse response = co_await route.handler(std::move(call));
    if (response.status < 200 || response.status >= 300) co_return response;
    store::StoredAnswer answer;
    answer.fingerprint = fingerprint;
    answer.status = static_cast<std::int16_t>(response.status);
    answer.headers = kept_headers(response.headers);
    answer.body = response.body;
    if (route.secret_answer) hide_body(answer, vault, what);
    const auto winner = co_await store.remember(tenant, key, std::move(answer));
    if (winner.fingerprint != fingerprint) co_return again(winner, fingerprint, vault, what);
    co_return response;
}

}  // namespace pawl::api
