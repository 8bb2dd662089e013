#include "api/auth/jwt.hpp"

#include "base/base64url.hpp"
#include "support/tokens.hpp"

#include <boost/json/array.hpp>
#include <boost/json/serialize.hpp>
#include <gtest/gtest.h>

namespace pawl::api {
namespace {

using test::TokenSigner;

constexpr std::int64_t moment = 1'800'000'000;
const Instant now{std::chrono::seconds(moment)};
const std::string secret = "super-secret-jwt-token-with-at-least-32-characters-long";

const char* const rfc_claims =
    "eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFt"
    "cGxlLmNvbS9pc19yb290Ijp0cnVlfQ";

JwtKey key_of(const std::string& jwk) {
    return JwtKey::from_jwk(parse_json(jwk).value()).value();
}
JwtKey key_of(const TokenSigner& signer) {
    return JwtKey::from_jwk(signer.jwk()).value();
}
JwtKey secret_key() {
    return JwtKey::from_secret(secret).value();
}
json::object claims(json::object more = {}) {
    if (!more.contains("exp")) more["exp"] = moment + 300;
    return more;
}

// "" when the token is accepted, else why not.
std::string refusal(
    const std::string& token,
    const std::vector<JwtKey>& keys,
    const JwtRules& rules = {},
    Instant at = now
) {
    const auto parsed = parse_jwt(token);
    if (!parsed) {
        EXPECT_EQ(parsed.error().code, Errc::unauthenticated);
        return parsed.error().message;
    }
    const auto fine = verify_jwt(*parsed, keys, rules, at);
    if (fine) return "";
    EXPECT_EQ(fine.error().code, Errc::unauthenticated);
    return fine.error().message;
}

void expect_refused(const std::string& why, const std::string& message) {
    EXPECT_NE(message.find(why), std::string::npos) << "'" << message << "' lacks '" << why << "'";
}

// A moment at which the tokens of the RFC were alive.
const Instant rfc_moment{std::chrono::seconds(1300819000)};

TEST(JwtRfc7515, A1Hs256) {
    const auto bytes = from_base64url(
        "AyM1SysPpbyDfgZld3umj1qzKObwVMkoqQ-EstJQLr_T-1qS0gZH75aKtMN3Yj0iPS4hcgUuTwjAzZr1Z9CAow"
    );
    const JwtKey key = JwtKey::from_secret(bytes.value()).value();
    const std::string token = std::string("eyJ0eXAiOiJKV1QiLA0KICJhbGciOiJIUzI1NiJ9.") +
                              rfc_claims + ".dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
    EXPECT_EQ(refusal(token, {key}, {}, rfc_moment), "");
    const auto parsed = parse_jwt(token).value();
    EXPECT_EQ(parsed.claims.at("iss").as_string(), "joe");
    expect_refused("expired at 2011-03-22T18:43:00", refusal(token, {key}));
}

TEST(JwtRfc7515, A2Rs256) {
    const JwtKey key = key_of(
        R"({"kty":"RSA","e":"AQAB","n":"ofgWCuLjybRlzo0tZWJjNiuSfb4p4fAkd_wWJcyQoTbji9k0l8W26mPdd)"
        "xHmfHQp-Vaw-4qPCJrcS2mJPMEzP1Pt0Bm4d4QlL-yRT-SFd2lZS-pCgNMsD1W_YpRPEwOWvG6b32690r2jZ47so"
        "MZo9wGzjb_7OMg0LOL-bSf63kpaSHSXndS5z5rexMdbBYUsLA9e-KXBdQOS-UTo7WTBEMa2R2CapHg665xsmtdVM"
        "TBQY4uDZlxvb3qCo5ZwKh9kG4LT6_I5IhlJH7aGhyxXFvUK-DWNmoudF8NAco9_h9iaGNj8q2ethFkMLs91kzk2P"
        R"(AcDTW9gb54h4FRWyuXpoQ"})"
    );
    const std::string token =
        std::string("eyJhbGciOiJSUzI1NiJ9.") + rfc_claims +
        ".cC4hiUPoj9Eetdgtv3hF80EGrhuB__dzERat0XF9g2VtQgr9PJbu3XOiZj5RZmh7AAuHIm4Bh-0Qc_lF5YKt_O8W"
        "2Fp5jujGbds9uJdbF9CUAr7t1dnZcAcQjbKBYNX4BAynRFdiuB--f_nZLgrnbyTyWzO75vRK5h6xBArLIARNPvkSj"
        "tQBMHlb1L07Qe7K0GarZRmB_eSN9383LcOLn6_dO--xi12jzDwusC-eOkHWEsqtFZESc6BfI7noOPqvhJ1phCnvWh"
        "6IeYI2w9QOYEUipUTI8np6LbgGY9Fs98rqVt5AXLIhWkWywlVmtVrBp0igcN_IoypGlUPQGe77Rw";
    EXPECT_EQ(refusal(token, {key}, {}, rfc_moment), "");
}

TEST(JwtRfc7515, A3Es256) {
    const JwtKey key = key_of(R"({"kty":"EC","crv":"P-256",
        "x":"f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU",
        "y":"x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0"})");
    const std::string token =
        std::string("eyJhbGciOiJFUzI1NiJ9.") + rfc_claims +
        ".DtEhU3ljbEg8L38VWAfUAqOyKAM6-Xx-F4GawxaepmXFCgfTjDxw5djxLa8ISlSApmWQxfKTUJqPP3-Kg6NU1Q";
    EXPECT_EQ(refusal(token, {key}, {}, rfc_moment), "");
}

TEST(JwtRfc7519, AnUnsecuredTokenIsRefused) {
    const std::string token = std::string("eyJhbGciOiJub25lIn0.") + rfc_claims + ".";
    expect_refused("not signed with HS256", refusal(token, {secret_key()}, {}, rfc_moment));
    const auto spelled = test::token_of(R"({"alg":"nOnE"})", R"({"exp":1800000300})", "");
    expect_refused("not signed with HS256", refusal(spelled, {secret_key()}));
}

TEST(Jwt, EachAlgorithmWithKeysMadeHere) {
    const TokenSigner ec(TokenSigner::Kind::ec, "one");
    const TokenSigner rsa(TokenSigner::Kind::rsa, "two");
    const std::vector<JwtKey> keys{key_of(ec), key_of(rsa), secret_key()};
    EXPECT_EQ(refusal(ec.sign(claims()), keys), "");
    EXPECT_EQ(refusal(rsa.sign(claims()), keys), "");
    EXPECT_EQ(refusal(test::sign_with_secret(secret, claims()), keys), "");
    // Supabase gives its legacy secret a kid too.
    EXPECT_EQ(refusal(test::sign_with_secret(secret, claims(), {{"kid", "x"}}), keys), "");
}

TEST(Jwt, AChangedTokenIsRefused) {
    const TokenSigner ec(TokenSigner::Kind::ec);
    const TokenSigner rsa(TokenSigner::Kind::rsa);
    const std::vector<JwtKey> keys{key_of(ec), key_of(rsa), secret_key()};
    const json::object admin = claims({{"role", "service_role"}});
    for (const std::string& token :
         {ec.sign(claims()), rsa.sign(claims()), test::sign_with_secret(secret, claims())}) {
        const auto first = token.find('.');
        const auto last = token.rfind('.');
        const std::string changed =
            token.substr(0, first + 1) + to_base64url(json::serialize(admin)) + token.substr(last);
        expect_refused("signature is wrong", refusal(changed, keys));
        expect_refused("signature is wrong", refusal(token.substr(0, last + 1), keys));
    }
    const TokenSigner other(TokenSigner::Kind::ec);
    expect_refused("signature is wrong", refusal(other.sign(claims()), keys));
}

TEST(Jwt, APublicKeyIsNeverTakenForASecret) {
    const TokenSigner rsa(TokenSigner::Kind::rsa, "k");
    const std::vector<JwtKey> keys{key_of(rsa)};
    const std::string forged = test::sign_with_secret(rsa.public_pem(), claims(), {{"kid", "k"}});
    expect_refused("no key of this server", refusal(forged, keys));
    const TokenSigner ec(TokenSigner::Kind::ec, "k");
    expect_refused("no key of this server", refusal(ec.sign(claims()), keys));
    const std::string renamed = ec.sign(claims(), {{"alg", "RS256"}});
    expect_refused("signature is wrong", refusal(renamed, keys));
}

TEST(Jwt, AnEs256SignatureIs64BytesAndNotZero) {
    const TokenSigner ec(TokenSigner::Kind::ec);
    const std::string claim = json::serialize(claims());
    for (const std::size_t length : {0UL, 63UL, 64UL, 65UL, 72UL}) {
        const auto token = test::token_of(R"({"alg":"ES256"})", claim, std::string(length, '\0'));
        expect_refused("signature is wrong", refusal(token, {key_of(ec)}));
    }
}

TEST(Jwt, TheKidSelectsTheKey) {
    const TokenSigner old_key(TokenSigner::Kind::ec, "old");
    const TokenSigner new_key(TokenSigner::Kind::ec, "new");
    const std::vector<JwtKey> only_old{key_of(old_key)};
    expect_refused("with a 'kid'", refusal(new_key.sign(claims()), only_old));
    EXPECT_FALSE(has_key_for(parse_jwt(new_key.sign(claims())).value(), only_old));
    const std::vector<JwtKey> both{key_of(old_key), key_of(new_key)};
    EXPECT_EQ(refusal(new_key.sign(claims()), both), "");
    const std::string lied = new_key.sign(claims(), {{"kid", "old"}});
    expect_refused("signature is wrong", refusal(lied, both));
    const TokenSigner nameless(TokenSigner::Kind::ec);
    const std::vector<JwtKey> all{key_of(old_key), key_of(nameless)};
    EXPECT_EQ(refusal(nameless.sign(claims()), all), "");
}

TEST(Jwt, ExtensionsAreRefused) {
    const auto token =
        test::sign_with_secret(secret, claims(), {{"crit", json::array{"b64"}}, {"b64", false}});
    expect_refused("crit", refusal(token, {secret_key()}));
    const auto empty = test::sign_with_secret(secret, claims(), {{"crit", json::array{}}});
    expect_refused("crit", refusal(empty, {secret_key()}));
}

TEST(Jwt, TimesHaveALeewayOfAMinute) {
    const std::vector<JwtKey> keys{secret_key()};
    const auto with = [&](json::object given) {
        return refusal(test::sign_with_secret(secret, given), keys);
    };
    EXPECT_EQ(with({{"exp", moment - 59}}), "");
    expect_refused("expired at 2027-01-15T07:59:00", with({{"exp", moment - 60}}));
    EXPECT_EQ(with(claims({{"nbf", moment + 60}})), "");
    expect_refused("not valid before", with(claims({{"nbf", moment + 61}})));
    EXPECT_EQ(with({{"exp", 1800000000.5}}), "");
    EXPECT_EQ(with({{"exp", 1e300}}), "");
    expect_refused("expired", with({{"exp", -1e300}}));
    expect_refused("not a number", with({{"exp", "1800000300"}}));
    expect_refused("not a number", with(claims({{"nbf", nullptr}})));
}

TEST(Jwt, ExpIsDemandedUnlessThatIsTurnedOff) {
    const std::string token = test::sign_with_secret(secret, {{"sub", "x"}});
    expect_refused("never expires", refusal(token, {secret_key()}));
    JwtRules rules;
    rules.require_exp = false;
    EXPECT_EQ(refusal(token, {secret_key()}, rules), "");
    EXPECT_EQ(end_of(parse_jwt(token).value(), rules), Instant::max());
    const auto ending = parse_jwt(test::sign_with_secret(secret, claims())).value();
    EXPECT_EQ(end_of(ending, rules), now + std::chrono::seconds(360));
}

TEST(Jwt, IssuerAndAudienceWhenConfigured) {
    JwtRules rules;
    rules.issuer = "https://id.example";
    rules.audience = "pawl";
    const auto with = [&](json::object given) {
        return refusal(
            test::sign_with_secret(secret, claims(std::move(given))), {secret_key()}, rules
        );
    };
    const json::value us = "https://id.example";
    EXPECT_EQ(with({{"iss", us}, {"aud", "pawl"}}), "");
    EXPECT_EQ(with({{"iss", us}, {"aud", json::array{"other", "pawl"}}}), "");
    expect_refused("wrong audience", with({{"iss", us}}));
    expect_refused("wrong audience", with({{"iss", us}, {"aud", "other"}}));
    expect_refused("wrong audience", with({{"iss", us}, {"aud", json::array{7}}}));
    expect_refused("wrong audience", with({{"iss", us}, {"aud", json::array{}}}));
    expect_refused("wrong issuer", with({{"aud", "pawl"}}));
    expect_refused("wrong issuer", with({{"iss", "https://id.example/"}, {"aud", "pawl"}}));
    expect_refused("wrong issuer", with({{"iss", json::array{us}}, {"aud", "pawl"}}));
}

TEST(Jwt, MalformedTokensAreRefusedInPlainWords) {
    const std::vector<JwtKey> keys{secret_key()};
    const std::string good = test::sign_with_secret(secret, claims());
    const std::string ok = R"({"alg":"HS256"})";
    const std::string deep = "{\"a\":" + std::string(40, '[') + std::string(40, ']') + "}";
    expect_refused("three parts", refusal("", keys));
    expect_refused("three parts", refusal("abc", keys));
    expect_refused("three parts", refusal("a.b", keys));
    expect_refused("three parts", refusal(good + ".more", keys));
    expect_refused("header part is not base64url", refusal("!!.e30.e30", keys));
    expect_refused("claims part is not base64url", refusal("eyJhbGciOiJIUzI1NiJ9.!!.e30", keys));
    expect_refused("signature is not base64url", refusal(good + "=", keys));
    expect_refused("invalid JSON", refusal(test::token_of("{", "{}", "x"), keys));
    expect_refused("not a JSON object", refusal(test::token_of("[]", "{}", "x"), keys));
    expect_refused("not a JSON object", refusal(test::token_of(ok, "7", "x"), keys));
    expect_refused("nested deeper", refusal(test::token_of(ok, deep, "x"), keys));
    expect_refused("no 'alg'", refusal(test::token_of("{}", "{}", "x"), keys));
    expect_refused("no 'alg'", refusal(test::token_of(R"({"alg":7})", "{}", "x"), keys));
    expect_refused("'kid'", refusal(test::token_of(R"({"alg":"HS256","kid":7})", "{}", "x"), keys));
    expect_refused("longer than 8192", refusal(good + std::string(8192, 'A'), keys));
    EXPECT_EQ(refusal(good, keys).find(secret), std::string::npos);
}

}  // namespace
}  // namespace pawl::api
