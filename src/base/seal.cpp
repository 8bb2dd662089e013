#include "base/seal.hpp"

#include "base/base64url.hpp"
#include "base/error.hpp"

#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>

#include <array>

namespace pawl {

namespace {

std::string signature(
    const std::string& secret, std::string_view purpose, std::string_view payload
) {
    // The length in front keeps "ab" + "c" and "a" + "bc" apart.
    const std::string text =
        std::to_string(purpose.size()) + ":" + std::string(purpose) + std::string(payload);
    std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
    unsigned length = 0;
    const auto* made = HMAC(
        EVP_sha256(),
        secret.data(),
        static_cast<int>(secret.size()),
        reinterpret_cast<const unsigned char*>(text.data()),
        text.size(),
        digest.data(),
        &length
    );
    if (made == nullptr) throw Failure({Errc::internal, "OpenSSL cannot compute an HMAC", {}});
    return {reinterpret_cast<const char*>(digest.data()), length};
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
