#include "api/auth/jwt_key.hpp"

#include "base/base64url.hpp"
#include "base/enum_names.hpp"
#include "base/json.hpp"

#include <fmt/core.h>
#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/ecdsa.h>
#include <openssl/evp.h>
#include <openssl/param_build.h>
#include <openssl/rsa.h>

#include <array>
#include <optional>

namespace pawl::api {

namespace {

constexpr std::size_t coordinate_bytes = 32;  // of P-256
constexpr std::size_t secret_bytes_min = 32;
constexpr int rsa_bits_min = 2048;
constexpr int rsa_bits_max = 8192;  // larger ones only cost time
constexpr std::size_t keys_max = 100;
constexpr JsonLimits jwks_limits{1 << 20, 16};

template <auto free_it>
struct Freer {
    template <class T>
    void operator()(T* thing) const {
        free_it(thing);
    }
};
template <class T, auto free_it>
using Owned = std::unique_ptr<T, Freer<free_it>>;

using Context = Owned<EVP_PKEY_CTX, EVP_PKEY_CTX_free>;
using Digester = Owned<EVP_MD_CTX, EVP_MD_CTX_free>;
using Builder = Owned<OSSL_PARAM_BLD, OSSL_PARAM_BLD_free>;
using Parameters = Owned<OSSL_PARAM, OSSL_PARAM_free>;
using Number = Owned<BIGNUM, BN_free>;

const unsigned char* bytes_of(std::string_view text) {
    return reinterpret_cast<const unsigned char*>(text.data());
}

Error refuse(std::string why) {
    return {Errc::invalid, std::move(why), {}};
}

std::string text_of(const json::value& jwk, std::string_view member) {
    const json::value* value = find(jwk, member);
    return value != nullptr && value->is_string() ? std::string(value->get_string()) : "";
}

std::optional<std::string> decoded(const json::value& jwk, std::string_view member) {
    const std::string text = text_of(jwk, member);
    return text.empty() ? std::nullopt : from_base64url(text);
}

Number number_of(std::string_view bytes) {
    return Number(BN_bin2bn(bytes_of(bytes), static_cast<int>(bytes.size()), nullptr));
}

// An EVP_PKEY of what the builder holds, or null when that is no key.
std::shared_ptr<EVP_PKEY> build(const char* type, OSSL_PARAM_BLD* builder) {
    const Parameters parameters(OSSL_PARAM_BLD_to_param(builder));
    const Context context(EVP_PKEY_CTX_new_from_name(nullptr, type, nullptr));
    EVP_PKEY* key = nullptr;
    if (!parameters || !context || EVP_PKEY_fromdata_init(context.get()) != 1) return nullptr;
    if (EVP_PKEY_fromdata(context.get(), &key, EVP_PKEY_PUBLIC_KEY, parameters.get()) != 1) {
        return nullptr;
    }
    std::shared_ptr<EVP_PKEY> made(key, EVP_PKEY_free);
    const Context check(EVP_PKEY_CTX_new_from_pkey(nullptr, key, nullptr));
    if (!check || EVP_PKEY_public_check(check.get()) != 1) return nullptr;
    return made;
}

Result<std::shared_ptr<EVP_PKEY>> ec_key(const json::value& jwk) {
    const auto x = decoded(jwk, "x");
    const auto y = decoded(jwk, "y");
    if (!x || !y || x->size() != coordinate_bytes || y->size() != coordinate_bytes) {
        return refuse("an EC key needs 'x' and 'y' of 32 bytes each in base64url");
    }
    const std::string point = '\x04' + *x + *y;  // uncompressed
    const Builder builder(OSSL_PARAM_BLD_new());
    const bool pushed = builder &&
                        OSSL_PARAM_BLD_push_utf8_string(
                            builder.get(), OSSL_PKEY_PARAM_GROUP_NAME, "prime256v1", 0
                        ) == 1 &&
                        OSSL_PARAM_BLD_push_octet_string(
                            builder.get(), OSSL_PKEY_PARAM_PUB_KEY, point.data(), point.size()
                        ) == 1;
    auto key = pushed ? build("EC", builder.get()) : nullptr;
    if (!key) return refuse("'x' and 'y' of an EC key are no point of P-256");
    return key;
}

Result<std::shared_ptr<EVP_PKEY>> rsa_key(const json::value& jwk) {
    const auto n = decoded(jwk, "n");
    const auto e = decoded(jwk, "e");
    if (!n || !e || n->size() > rsa_bits_max / 8 || e->size() > 8) {
        return refuse("an RSA key needs 'n' (up to 8192 bits) and 'e' in base64url");
    }
    const Number modulus = number_of(*n);
    const Number exponent = number_of(*e);
    if (!modulus || BN_num_bits(modulus.get()) < rsa_bits_min) {
        return refuse("an RSA key must have 2048 bits or more");
    }
    const Builder builder(OSSL_PARAM_BLD_new());
    const bool pushed =
        builder && exponent &&
        OSSL_PARAM_BLD_push_BN(builder.get(), OSSL_PKEY_PARAM_RSA_N, modulus.get()) == 1 &&
        OSSL_PARAM_BLD_push_BN(builder.get(), OSSL_PKEY_PARAM_RSA_E, exponent.get()) == 1;
    auto key = pushed ? build("RSA", builder.get()) : nullptr;
    if (!key) return refuse("'n' and 'e' are not an RSA key");
    return key;
}

bool verify_mac(std::string_view secret, std::string_view text, std::string_view signature) {
    std::array<unsigned char, EVP_MAX_MD_SIZE> mac{};
    std::size_t length = 0;
    const unsigned char* made = EVP_Q_mac(
        nullptr,
        "HMAC",
        nullptr,
        "SHA256",
        nullptr,
        secret.data(),
        secret.size(),
        bytes_of(text),
        text.size(),
        mac.data(),
        mac.size(),
        &length
    );
    return made != nullptr && length == signature.size() &&
           CRYPTO_memcmp(mac.data(), signature.data(), length) == 0;
}

// JOSE writes an ECDSA signature as r and s, 32 bytes each; OpenSSL wants them in DER.
std::string to_der(std::string_view signature) {
    if (signature.size() != 2 * coordinate_bytes) return {};
    const Owned<ECDSA_SIG, ECDSA_SIG_free> pair(ECDSA_SIG_new());
    Number r = number_of(signature.substr(0, coordinate_bytes));
    Number s = number_of(signature.substr(coordinate_bytes));
    if (!pair || !r || !s) return {};
    if (ECDSA_SIG_set0(pair.get(), r.get(), s.get()) != 1) return {};
    static_cast<void>(r.release());  // they are the pair's now
    static_cast<void>(s.release());
    unsigned char* der = nullptr;
    const int length = i2d_ECDSA_SIG(pair.get(), &der);
    if (length <= 0) return {};
    std::string text(reinterpret_cast<const char*>(der), static_cast<std::size_t>(length));
    OPENSSL_free(der);
    return text;
}

bool verify_public(EVP_PKEY* key, std::string_view text, std::string_view signature) {
    const Digester digester(EVP_MD_CTX_new());
    return digester &&
           EVP_DigestVerifyInit(digester.get(), nullptr, EVP_sha256(), nullptr, key) == 1 &&
           EVP_DigestVerify(
               digester.get(), bytes_of(signature), signature.size(), bytes_of(text), text.size()
           ) == 1;
}

bool is_for_signatures(const json::value& jwk) {
    if (const std::string use = text_of(jwk, "use"); !use.empty() && use != "sig") return false;
    const json::value* operations = find(jwk, "key_ops");
    if (operations == nullptr) return true;
    if (!operations->is_array()) return false;
    for (const json::value& operation : operations->get_array()) {
        if (operation == "verify") return true;
    }
    return false;
}

}  // namespace

std::string_view name(JwtAlg alg) {
    constexpr EnumNames<JwtAlg, 3> algorithms{{"HS256", "ES256", "RS256"}};
    return algorithms.name(alg);
}

Result<JwtKey> JwtKey::from_secret(std::string secret) {
    if (secret.size() < secret_bytes_min) {
        return refuse(fmt::format(
            "the JWT secret has {} bytes; HS256 needs at least {}", secret.size(), secret_bytes_min
        ));
    }
    JwtKey key(JwtAlg::hs256, "");
    key.secret_ = std::move(secret);
    return key;
}

Result<JwtKey> JwtKey::from_jwk(const json::value& jwk) {
    const std::string type = text_of(jwk, "kty");
    const bool elliptic = type == "EC" && text_of(jwk, "crv") == "P-256";
    if (!elliptic && type != "RSA") return refuse("only EC keys of P-256 and RSA keys are taken");
    JwtKey key(elliptic ? JwtAlg::es256 : JwtAlg::rs256, text_of(jwk, "kid"));
    const std::string alg = text_of(jwk, "alg");
    if ((!alg.empty() && alg != name(key.alg_)) || !is_for_signatures(jwk)) {
        return refuse(fmt::format("the key is not for signatures with {}", name(key.alg_)));
    }
    auto made = elliptic ? ec_key(jwk) : rsa_key(jwk);
    if (!made) return made.error();
    key.public_key_ = *made;
    return key;
}

bool JwtKey::verify(std::string_view text, std::string_view signature) const {
    if (alg_ == JwtAlg::hs256) return verify_mac(secret_, text, signature);
    auto* key = static_cast<EVP_PKEY*>(public_key_.get());
    if (alg_ == JwtAlg::rs256) return verify_public(key, text, signature);
    const std::string der = to_der(signature);
    return !der.empty() && verify_public(key, text, der);
}

Result<std::vector<JwtKey>> parse_jwks(std::string_view document) {
    const auto set = parse_json(document, jwks_limits);
    if (!set) return set.error();
    const json::value* list = find(*set, "keys");
    if (list == nullptr || !list->is_array() || list->get_array().size() > keys_max) {
        return refuse(fmt::format("a JWK set is an object with up to {} 'keys'", keys_max));
    }
    std::vector<JwtKey> keys;
    std::string last = "it is empty";
    for (const json::value& jwk : list->get_array()) {
        auto key = JwtKey::from_jwk(jwk);
        if (key)
            keys.push_back(std::move(*key));
        else
            last = key.error().message;
    }
    if (keys.empty()) return refuse("the JWK set holds no usable key: " + last);
    return keys;
}

}  // namespace pawl::api
