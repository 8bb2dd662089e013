#include "base/seal.hpp"

#include "base/base64url.hpp"
#include "base/error.hpp"
#include "base/hmac.hpp"

#include <openssl/crypto.h>

namespace pawl {

namespace {

std::string signature(
    const std::string& secret, std::string_view purpose, std::string_view payload
) {
    // The length in front keeps "ab" + "c" and "a" + "bc" apart.
    const std::string text =
        std::to_string(purpose.size()) + ":" + std::string(purpose) + std::string(payload);
    return hmac_sha256(secret, text);
}

}  // namespace

std::string Seal::close(std::string_view purpose, std::string_view payload) const {
    PAWL_ASSERT(usable());
    return to_base64url(payload) + "." + to_base64url(signature(secret_, purpose, payload));
}

std::string Seal::derive(std::string_view purpose) const {
    PAWL_ASSERT(usable());
    return signature(secret_, "derive", purpose);
}

std::optional<std::string> Seal::open(std::string_view purpose, std::string_view sealed) const {
    const std::size_t dot = sealed.find('.');
    if (!usable() || dot == std::string_view::npos) return std::nullopt;
    auto payload = from_base64url(sealed.substr(0, dot));
    const auto given = from_base64url(sealed.substr(dot + 1));
    if (!payload || !given) return std::nullopt;
    const std::string right = signature(secret_, purpose, *payload);
    if (given->size() != right.size() ||
        CRYPTO_memcmp(given->data(), right.data(), right.size()) != 0) {
        return std::nullopt;
    }
    return payload;
}

}  // namespace pawl
