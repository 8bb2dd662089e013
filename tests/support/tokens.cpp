#include "support/tokens.hpp"

#include "base/base64url.hpp"

#include <boost/json/serialize.hpp>
#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/ecdsa.h>
#include <openssl/evp.h>
#include <openssl/pem.h>

#include <array>
#include <stdexcept>

namespace pawl::test {

namespace {

constexpr int coordinate = 32;

void must(bool fine) {
    if (!fine) throw std::runtime_error("OpenSSL refused what the test asked for");
}

std::string number(EVP_PKEY* key, const char* name, int bytes = 0) {
    BIGNUM* value = nullptr;
    must(EVP_PKEY_get_bn_param(key, name, &value) == 1);
    std::string text(static_cast<std::size_t>(bytes > 0 ? bytes : BN_num_bytes(value)), '\0');
    must(
        BN_bn2binpad(
            value, reinterpret_cast<unsigned char*>(text.data()), static_cast<int>(text.size())
        ) >= 0
    );
    BN_free(value);
    return to_base64url(text);
}

std::string raw_signature(const std::string& der) {
    const auto* at = reinterpret_cast<const unsigned char*>(der.data());
    ECDSA_SIG* pair = d2i_ECDSA_SIG(nullptr, &at, static_cast<long>(der.size()));
    must(pair != nullptr);
    std::string raw(2 * coordinate, '\0');
    auto* to = reinterpret_cast<unsigned char*>(raw.data());
    must(BN_bn2binpad(ECDSA_SIG_get0_r(pair), to, coordinate) == coordinate);
    must(BN_bn2binpad(ECDSA_SIG_get0_s(pair), to + coordinate, coordinate) == coordinate);
    ECDSA_SIG_free(pair);
    return raw;
}

json::object laid_over(json::object header, const json::object& more) {
    for (const auto& [key, value] : more) header[key] = value;
    return header;
}

std::string unsigned_part(const json::object& header, const json::object& claims) {
    return to_base64url(json::serialize(header)) + "." + to_base64url(json::serialize(claims));
}

}  // namespace

TokenSigner::TokenSigner(Kind kind, std::string kid) : kind_(kind), kid_(std::move(kid)) {
    EVP_PKEY* key = kind == Kind::ec
                        ? EVP_PKEY_Q_keygen(nullptr, nullptr, "EC", "prime256v1")
                        : EVP_PKEY_Q_keygen(nullptr, nullptr, "RSA", std::size_t{2048});
    must(key != nullptr);
    key_ = std::shared_ptr<EVP_PKEY>(key, EVP_PKEY_free);
}

json::object TokenSigner::jwk() const {
    auto* key = static_cast<EVP_PKEY*>(key_.get());
    json::object jwk;
    if (kind_ == Kind::ec) {
        jwk["kty"] = "EC";
        jwk["crv"] = "P-256";
        jwk["x"] = number(key, OSSL_PKEY_PARAM_EC_PUB_X, coordinate);
        jwk["y"] = number(key, OSSL_PKEY_PARAM_EC_PUB_Y, coordinate);
    } else {
        jwk["kty"] = "RSA";
        jwk["n"] = number(key, OSSL_PKEY_PARAM_RSA_N);
        jwk["e"] = number(key, OSSL_PKEY_PARAM_RSA_E);
    }
    if (!kid_.empty()) jwk["kid"] = kid_;
    return jwk;
}

std::string TokenSigner::jwks() const {
    json::object set;
    set["keys"] = json::array{jwk()};
    return json::serialize(set);
}

std::string TokenSigner::sign(const json::object& claims, const json::object& header) const {
    json::object base{{"alg", kind_ == Kind::ec ? "ES256" : "RS256"}};
    if (!kid_.empty()) base["kid"] = kid_;
    const std::string text = unsigned_part(laid_over(base, header), claims);
    return text + "." + to_base64url(signature(text));
}

std::string TokenSigner::public_pem() const {
    const std::shared_ptr<BIO> out(BIO_new(BIO_s_mem()), BIO_free);
    must(PEM_write_bio_PUBKEY(out.get(), static_cast<EVP_PKEY*>(key_.get())) == 1);
    char* data = nullptr;
    const long length = BIO_get_mem_data(out.get(), &data);
    return {data, static_cast<std::size_t>(length)};
}

std::string TokenSigner::signature(const std::string& text) const {
    const std::shared_ptr<EVP_MD_CTX> context(EVP_MD_CTX_new(), EVP_MD_CTX_free);
    auto* key = static_cast<EVP_PKEY*>(key_.get());
    const auto* data = reinterpret_cast<const unsigned char*>(text.data());
    std::size_t length = 0;
    must(EVP_DigestSignInit(context.get(), nullptr, EVP_sha256(), nullptr, key) == 1);
    must(EVP_DigestSign(context.get(), nullptr, &length, data, text.size()) == 1);
    std::string made(length, '\0');
    auto* to = reinterpret_cast<unsigned char*>(made.data());
    must(EVP_DigestSign(context.get(), to, &length, data, text.size()) == 1);
    made.resize(length);
    return kind_ == Kind::ec ? raw_signature(made) : made;
}

std::string sign_with_secret(
    const std::string& secret, const json::object& claims, const json::object& header
) {
    const std::string text = unsigned_part(laid_over({{"alg", "HS256"}}, header), claims);
    std::array<unsigned char, EVP_MAX_MD_SIZE> mac{};
    std::size_t length = 0;
    must(
        EVP_Q_mac(
            nullptr,
            "HMAC",
            nullptr,
            "SHA256",
            nullptr,
            secret.data(),
            secret.size(),
            reinterpret_cast<const unsigned char*>(text.data()),
            text.size(),
            mac.data(),
            mac.size(),
            &length
        ) != nullptr
    );
    const std::string_view signature(reinterpret_cast<const char*>(mac.data()), length);
    return text + "." + to_base64url(signature);
}

std::string token_of(
    const std::string& header, const std::string& claims, const std::string& signature
) {
    return to_base64url(header) + "." + to_base64url(claims) + "." + to_base64url(signature);
}

}  // namespace pawl::test
