#include "base/webhook_secret.hpp"

#include "base/base64.hpp"
#include "base/error.hpp"
#include "base/hex.hpp"
#include "base/hmac.hpp"
#include "base/sha256.hpp"

#include <fmt/core.h>
#include <openssl/rand.h>

#include <array>

namespace pawl {

namespace {

constexpr std::string_view start = "whsec_";
constexpr std::size_t secret_bytes = 32;

}  // namespace

std::string new_webhook_secret() {
    std::string bytes(secret_bytes, '\0');
    if (RAND_bytes(reinterpret_cast<unsigned char*>(bytes.data()), secret_bytes) != 1) {
        throw Failure({Errc::internal, "OpenSSL gave no random bytes", {}});
    }
    return std::string(start) + to_base64(bytes);
}

std::optional<std::string> webhook_key(std::string_view secret) {
    if (secret.starts_with(start)) secret.remove_prefix(start.size());
    auto key = from_base64(secret);
    if (!key || key->size() < 24 || key->size() > 64) return std::nullopt;
    return key;
}

std::string webhook_signature(
    std::string_view key, std::string_view id, std::int64_t timestamp, std::string_view body
) {
    std::string text = fmt::format("{}.{}.", id, timestamp);
    text += body;
    return "v1," + to_base64(hmac_sha256(key, text));
}

std::string sha256_hex(std::string_view text) {
    return hex_of(sha256(text));
}

}  // namespace pawl
