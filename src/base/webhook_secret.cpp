#include "base/webhook_secret.hpp"

#include "base/error.hpp"
#include "base/hmac.hpp"

#include <fmt/core.h>
#include <openssl/evp.h>
#include <openssl/rand.h>

#include <array>

namespace pawl {

namespace {

constexpr std::string_view start = "whsec_";
constexpr std::size_t secret_bytes = 32;

std::string to_base64(std::string_view bytes) {
    std::string text((bytes.size() + 2) / 3 * 4 + 1, '\0');
    const int length = EVP_EncodeBlock(
        reinterpret_cast<unsigned char*>(text.data()),
        reinterpret_cast<const unsigned char*>(bytes.data()),
        static_cast<int>(bytes.size())
    );
    text.resize(static_cast<std::size_t>(length));
    return text;
}

std::optional<std::string> from_base64(std::string_view text) {
    if (text.empty() || text.size() % 4 != 0) return std::nullopt;
    std::string bytes(text.size() / 4 * 3 + 1, '\0');
    const int length = EVP_DecodeBlock(
        reinterpret_cast<unsigned char*>(bytes.data()),
        reinterpret_cast<const unsigned char*>(text.data()),
        static_cast<int>(text.size())
    );
    if (length < 0) return std::nullopt;
    // It counts the bytes that padding stands for.
    const std::size_t padding = text.ends_with("==") ? 2 : text.ends_with("=") ? 1 : 0;
    bytes.resize(static_cast<std::size_t>(length) - padding);
    return bytes;
}

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
    std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
    unsigned length = 0;
    EVP_Digest(text.data(), text.size(), digest.data(), &length, EVP_sha256(), nullptr);
    std::string hex;
    for (unsigned i = 0; i < length; ++i) hex += fmt::format("{:02x}", digest[i]);
    return hex;
}

}  // namespace pawl
