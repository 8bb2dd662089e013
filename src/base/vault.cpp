#include "base/vault.hpp"

#include "base/hex.hpp"
#include "base/hmac.hpp"

#include <fmt/core.h>
#include <sodium.h>

#include <algorithm>
#include <cstring>
#include <optional>

namespace pawl {

namespace {

constexpr std::size_t key_bytes = crypto_aead_xchacha20poly1305_ietf_KEYBYTES;
constexpr std::size_t nonce_bytes = crypto_aead_xchacha20poly1305_ietf_NPUBBYTES;
constexpr std::size_t tag_bytes = crypto_aead_xchacha20poly1305_ietf_ABYTES;

const unsigned char* raw_bytes(std::string_view text) {
    return reinterpret_cast<const unsigned char*>(text.data());
}

unsigned char* raw_bytes(std::string& text) {
    return reinterpret_cast<unsigned char*>(text.data());
}

void start_sodium() {
    if (sodium_init() < 0) throw Failure({Errc::internal, "libsodium cannot be used", {}});
}

std::optional<std::string> read_key(std::string_view text) {
    std::string key(key_bytes, '\0');
    std::size_t length = 0;
    const char* end = nullptr;
    const char* stop = text.data() + text.size();
    if (text.size() == 2 * key_bytes &&
        sodium_hex2bin(
            raw_bytes(key), key.size(), text.data(), text.size(), nullptr, &length, &end
        ) == 0 &&
        end == stop) {
        return key;
    }
    for (const int variant :
         {sodium_base64_VARIANT_ORIGINAL,
          sodium_base64_VARIANT_ORIGINAL_NO_PADDING,
          sodium_base64_VARIANT_URLSAFE,
          sodium_base64_VARIANT_URLSAFE_NO_PADDING}) {
        const bool read = sodium_base642bin(
                              raw_bytes(key),
                              key.size(),
                              text.data(),
                              text.size(),
                              nullptr,
                              &length,
                              &end,
                              variant
                          ) == 0;
        if (read && length == key_bytes && end == stop) return key;
    }
    return std::nullopt;
}

std::string id_of(const std::string& key) {
    std::string hash(16, '\0');
    const std::string_view purpose = "pawl key id";
    crypto_generichash(
        raw_bytes(hash), hash.size(), raw_bytes(purpose), purpose.size(), raw_bytes(key), key.size()
    );
    return hex_of(hash.substr(0, 4));
}

std::int64_t mark_by(const std::string& key, std::string_view about, std::string_view text) {
    const std::string own_key = hmac_sha256(key, "pawl mark");
    const std::string digest = hmac_sha256(hmac_sha256(own_key, about), text);
    std::int64_t mark = 0;
    std::memcpy(&mark, digest.data(), sizeof mark);
    return mark;
}

}  // namespace

Result<Vault> Vault::from_keys(std::string_view text) {
    start_sodium();
    Vault vault;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find_first_of(",\n\r \t"), text.size());
        const std::string_view word = text.substr(0, end);
        text.remove_prefix(std::min(end + 1, text.size()));
        if (word.empty()) continue;
        auto key = read_key(word);
        if (!key) {
            return Error{
                Errc::invalid,
                "a secret key must have 32 bytes, in hex or base64",
                {{"next", "make one: openssl rand -base64 32"}}};
        }
        std::string id = id_of(*key);
        vault.keys_.push_back({std::move(id), std::move(*key)});
    }
    return vault;
}

const std::string& Vault::key_id() const {
    PAWL_ASSERT(usable());
    return keys_.front().id;
}

VaultBox Vault::close(std::string_view about, std::string_view secret) const {
    PAWL_ASSERT(usable());
    VaultBox box;
    box.key_id = keys_.front().id;
    box.nonce.resize(nonce_bytes);
    randombytes_buf(box.nonce.data(), box.nonce.size());
    box.data.resize(secret.size() + tag_bytes);
    unsigned long long length = 0;
    crypto_aead_xchacha20poly1305_ietf_encrypt(
        raw_bytes(box.data),
        &length,
        raw_bytes(secret),
        secret.size(),
        raw_bytes(about),
        about.size(),
        nullptr,
        raw_bytes(std::string_view(box.nonce)),
        raw_bytes(std::string_view(keys_.front().bytes))
    );
    box.data.resize(length);
    return box;
}

Result<std::string> Vault::open(std::string_view about, const VaultBox& box) const {
    const auto key = std::find_if(keys_.begin(), keys_.end(), [&box](const Key& one) {
        return one.id == box.key_id;
    });
    if (key == keys_.end()) {
        return Error{
            Errc::conflict,
            fmt::format("it was encrypted with the key {}, which is not here", box.key_id),
            {{"next", "give the key in PAWL_SECRET_KEY"}}};
    }
    std::string secret(box.data.size(), '\0');
    unsigned long long length = 0;
    const bool opened = box.nonce.size() == nonce_bytes && box.data.size() >= tag_bytes &&
                        crypto_aead_xchacha20poly1305_ietf_decrypt(
                            raw_bytes(secret),
                            &length,
                            nullptr,
                            raw_bytes(std::string_view(box.data)),
                            box.data.size(),
                            raw_bytes(about),
                            about.size(),
                            raw_bytes(std::string_view(box.nonce)),
                            raw_bytes(std::string_view(key->bytes))
                        ) == 0;
    if (!opened) return Error{Errc::conflict, "it was changed since it was encrypted", {}};
    secret.resize(length);
    return secret;
}

std::int64_t Vault::mark(std::string_view about, std::string_view text) const {
    PAWL_ASSERT(usable());
    return mark_by(keys_.front().bytes, about, text);
}

bool Vault::is_mark(std::string_view about, std::string_view text, std::int64_t mark) const {
    return std::any_of(keys_.begin(), keys_.end(), [&](const Key& key) {
        return mark_by(key.bytes, about, text) == mark;
    });
}

}  // namespace pawl
