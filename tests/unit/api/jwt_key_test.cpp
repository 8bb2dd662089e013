#include "api/auth/jwt_key.hpp"

#include "base/base64url.hpp"
#include "base/json.hpp"
#include "support/tokens.hpp"

#include <boost/json/serialize.hpp>
#include <gtest/gtest.h>

namespace pawl::api {
namespace {

using test::TokenSigner;

std::string refusal(const json::object& jwk) {
    const auto key = JwtKey::from_jwk(jwk);
    return key ? "" : key.error().message;
}

std::string set_of(json::array keys) {
    return json::serialize(json::object{{"keys", std::move(keys)}});
}

TEST(JwtKey, AShortSecretIsRefused) {
    EXPECT_TRUE(JwtKey::from_secret(std::string(32, 'x')));
    const auto weak = JwtKey::from_secret("secret");
    ASSERT_FALSE(weak);
    EXPECT_EQ(weak.error().message, "the JWT secret has 6 bytes; HS256 needs at least 32");
}

TEST(JwtKey, AKeyForSomethingElseIsRefused) {
    const TokenSigner ec(TokenSigner::Kind::ec);
    const auto with = [&](std::string_view member, json::value value) {
        json::object jwk = ec.jwk();
        jwk[member] = std::move(value);
        return refusal(jwk);
    };
    EXPECT_EQ(with("use", "sig"), "");
    EXPECT_EQ(with("alg", "ES256"), "");
    EXPECT_EQ(with("key_ops", json::array{"verify"}), "");
    EXPECT_NE(with("use", "enc"), "");
    EXPECT_NE(with("alg", "ES384"), "");
    EXPECT_NE(with("key_ops", json::array{"sign"}), "");
    EXPECT_NE(with("key_ops", "verify"), "");
    EXPECT_NE(with("crv", "P-384"), "");
    EXPECT_NE(with("kty", "oct"), "");
}

TEST(JwtKey, AnEcKeyMustBeAPointOfTheCurve) {
    const TokenSigner ec(TokenSigner::Kind::ec);
    json::object jwk = ec.jwk();
    jwk["y"] = jwk["x"];
    EXPECT_NE(refusal(jwk).find("no point of P-256"), std::string::npos) << refusal(jwk);
    jwk["y"] = to_base64url("short");
    EXPECT_NE(refusal(jwk).find("32 bytes"), std::string::npos);
    jwk.erase("y");
    EXPECT_NE(refusal(jwk).find("32 bytes"), std::string::npos);
}

TEST(JwtKey, AWeakRsaKeyIsRefused) {
    json::object jwk{{"kty", "RSA"}, {"e", "AQAB"}, {"n", to_base64url(std::string(128, '\xff'))}};
    EXPECT_NE(refusal(jwk).find("2048 bits"), std::string::npos);
    jwk["n"] = to_base64url(std::string(2048, '\xff'));
    EXPECT_NE(refusal(jwk).find("8192 bits"), std::string::npos);
    jwk["n"] = "not base64url!";
    EXPECT_NE(refusal(jwk), "");
}

TEST(Jwks, TakesWhatItCanUse) {
    const TokenSigner ec(TokenSigner::Kind::ec, "a");
    const TokenSigner rsa(TokenSigner::Kind::rsa, "b");
    const json::object strange{{"kty", "OKP"}, {"crv", "Ed25519"}, {"x", "AAAA"}};
    const auto keys = parse_jwks(set_of({strange, ec.jwk(), rsa.jwk(), 7})).value();
    ASSERT_EQ(keys.size(), 2u);
    EXPECT_EQ(keys[0].kid(), "a");
    EXPECT_EQ(keys[0].alg(), JwtAlg::es256);
    EXPECT_EQ(keys[1].alg(), JwtAlg::rs256);
}

TEST(Jwks, RefusesASetItCannotUse) {
    EXPECT_FALSE(parse_jwks("nonsense"));
    EXPECT_FALSE(parse_jwks("{}"));
    EXPECT_FALSE(parse_jwks(R"({"keys":{}})"));
    const auto none = parse_jwks(R"({"keys":[{"kty":"oct","k":"c2VjcmV0"}]})");
    ASSERT_FALSE(none);
    EXPECT_NE(none.error().message.find("no usable key"), std::string::npos);
    EXPECT_EQ(none.error().message.find("c2Vj"), std::string::npos) << "a secret in a message";
}

}  // namespace
}  // namespace pawl::api
