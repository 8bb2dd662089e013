#include "base/wrapped_secret.hpp"

#include "base/hmac.hpp"

#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/rsa.h>
#include <openssl/sha.h>
#include <openssl/x509.h>

#include <memory>

namespace pawl {

namespace {

constexpr std::size_t key_bits = 2048;
constexpr std::size_t seed_bytes = 252;  // of the number; it has no more

using Key = std::unique_ptr<EVP_PKEY, decltype(&EVP_PKEY_free)>;
using Context = std::unique_ptr<EVP_PKEY_CTX, decltype(&EVP_PKEY_CTX_free)>;

const unsigned char* raw_bytes(std::string_view text) {
    return reinterpret_cast<const unsigned char*>(text.data());
}

Error cannot_open() {
    return {Errc::invalid, "the credentials cannot be opened: write them again", {}};
}

std::string sha256(const std::string& text) {
    std::string out(SHA256_DIGEST_LENGTH, '\0');
    SHA256(raw_bytes(text), text.size(), reinterpret_cast<unsigned char*>(out.data()));
    return out;
}

// The number that was wrapped, as the bytes it was made of; empty: it is none.
std::string seed_of(std::string_view private_key, const std::string& wrapped) {
    const unsigned char* at = raw_bytes(private_key);
    const Key key(
        d2i_AutoPrivateKey(nullptr, &at, static_cast<long>(private_key.size())), EVP_PKEY_free
    );
    const Context context(key ? EVP_PKEY_CTX_new(key.get(), nullptr) : nullptr, EVP_PKEY_CTX_free);
    if (!context || EVP_PKEY_decrypt_init(context.get()) <= 0 ||
        EVP_PKEY_CTX_set_rsa_padding(context.get(), RSA_NO_PADDING) <= 0) {
        return {};
    }
    std::string number(key_bits / 8, '\0');
    std::size_t size = number.size();
    auto* out = reinterpret_cast<unsigned char*>(number.data());
    if (wrapped.size() != number.size() ||
        EVP_PKEY_decrypt(context.get(), out, &size, raw_bytes(wrapped), wrapped.size()) <= 0 ||
        size != number.size()) {
        return {};
    }
    return number.substr(number.size() - seed_bytes);
}

std::string with_stream(const std::string& key, std::string data) {
    for (std::size_t at = 0; at < data.size(); at += SHA256_DIGEST_LENGTH) {
        const auto block = static_cast<std::uint32_t>(at / SHA256_DIGEST_LENGTH);
        std::string counter;
        for (int shift = 24; shift >= 0; shift -= 8) {
            counter += static_cast<char>(block >> shift & 0xff);
        }
        const std::string stream = sha256(key + counter);
        for (std::size_t i = 0; i < stream.size() && at + i < data.size(); ++i) {
            data[at + i] = static_cast<char>(data[at + i] ^ stream[i]);
        }
    }
    return data;
}

}  // namespace

WrapKey new_wrap_key() {
    const Key key(EVP_RSA_gen(key_bits), EVP_PKEY_free);
    BIGNUM* modulus = nullptr;
    if (!key || EVP_PKEY_get_bn_param(key.get(), OSSL_PKEY_PARAM_RSA_N, &modulus) <= 0) {
        throw Failure({Errc::internal, "OpenSSL made no key", {}});
    }
    char* decimal = BN_bn2dec(modulus);
    BN_free(modulus);
    unsigned char* der = nullptr;
    const int size = i2d_PrivateKey(key.get(), &der);
    if (decimal == nullptr || size <= 0) {
        throw Failure({Errc::internal, "OpenSSL made no key", {}});
    }
    WrapKey made{
        decimal, std::string(reinterpret_cast<char*>(der), static_cast<std::size_t>(size))};
    OPENSSL_free(decimal);
    OPENSSL_clear_free(der, static_cast<std::size_t>(size));
    return made;
}

Result<std::string> unwrap_secret(
    std::string_view private_key, std::string_view about, const WrappedSecret& secret
) {
    const std::string seed = seed_of(private_key, secret.wrapped);
    if (seed.empty()) return cannot_open();
    const std::string right =
        hmac_sha256(hmac_sha256(seed, "sign"), secret.wrapped + secret.data + std::string(about));
    if (secret.mac.size() != right.size() ||
        CRYPTO_memcmp(secret.mac.data(), right.data(), right.size()) != 0) {
        return cannot_open();
    }
    return with_stream(hmac_sha256(seed, "encrypt"), secret.data);
}

}  // namespace pawl
