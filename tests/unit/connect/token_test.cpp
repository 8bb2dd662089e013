#include "connect/token.hpp"

#include "base/base64url.hpp"
#include "connect/form.hpp"
#include "connect/message_refusal.hpp"
#include "unit/connect/connect_fixture.hpp"

#include <openssl/bio.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/rsa.h>

namespace pawl::connect {
namespace {

using namespace std::chrono_literals;

using Key = std::unique_ptr<EVP_PKEY, void (*)(EVP_PKEY*)>;

std::string pem_of(EVP_PKEY* key) {
    BIO* memory = BIO_new(BIO_s_mem());
    PEM_write_bio_PrivateKey(memory, key, nullptr, nullptr, 0, nullptr, nullptr);
    char* bytes = nullptr;
    const long size = BIO_get_mem_data(memory, &bytes);
    std::string pem(bytes, static_cast<std::size_t>(size));
    BIO_free(memory);
    return pem;
}

Account account_with(std::string pem) {
    Account with = account("{}");
    with.credentials["service_account"] = json::object{
        {"client_email", "fcm@shop-1.iam.example"},
        {"private_key", std::move(pem)},
        {"private_key_id", "k1"},
        {"project_id", "shop-1"},
        {"token_uri", "https://oauth2.googleapis.com/token"}};
    return with;
}

bool verified(EVP_PKEY* key, const std::string& text, const std::string& signature) {
    EVP_MD_CTX* context = EVP_MD_CTX_new();
    EVP_DigestVerifyInit(context, nullptr, EVP_sha256(), nullptr, key);
    const int fits = EVP_DigestVerify(
        context,
        reinterpret_cast<const unsigned char*>(signature.data()),
        signature.size(),
        reinterpret_cast<const unsigned char*>(text.data()),
        text.size()
    );
    EVP_MD_CTX_free(context);
    return fits == 1;
}

TEST(ConnectToken, SignsAnAssertion) {
    const Key key(EVP_RSA_gen(1024), EVP_PKEY_free);
    const Account with = account_with(pem_of(key.get()));
    const auto request = make_token_request(shipped("fcm"), with, noon);
    ASSERT_TRUE(request) << to_string(request.error());
    EXPECT_EQ(request->method, "POST");
    EXPECT_EQ(request->url, "https://oauth2.googleapis.com/token");
    const auto form = read_form(request->body);
    ASSERT_TRUE(form);
    EXPECT_EQ((*form)[0].second, "urn:ietf:params:oauth:grant-type:jwt-bearer");
    const std::string& assertion = (*form)[1].second;
    const std::size_t first = assertion.find('.');
    const std::size_t last = assertion.rfind('.');
    EXPECT_EQ(
        json::parse(*from_base64url(assertion.substr(0, first))),
        json::parse(R"({"alg":"RS256","typ":"JWT","kid":"k1"})")
    );
    EXPECT_EQ(
        json::parse(*from_base64url(assertion.substr(first + 1, last - first - 1))),
        json::parse(R"({"iss":"fcm@shop-1.iam.example",
            "scope":"https://www.googleapis.com/auth/firebase.messaging",
            "aud":"https://oauth2.googleapis.com/token","iat":1769850000,"exp":1769853600})")
    );
    EXPECT_TRUE(
        verified(key.get(), assertion.substr(0, last), *from_base64url(assertion.substr(last + 1)))
    );
    Account elsewhere = with;
    elsewhere.settings["base_url"] = "http://127.0.0.1:9/fcm";
    EXPECT_EQ(
        make_token_request(shipped("fcm"), elsewhere, noon)->url, "http://127.0.0.1:9/fcm/token"
    );
}

TEST(ConnectToken, RefusesWhatIsNoServiceAccount) {
    const auto why = [](const Account& with) {
        const auto request = make_token_request(shipped("fcm"), with, noon);
        return request ? "" : request.error().message;
    };
    EXPECT_EQ(
        why(account_with("no key")),
        "credentials.service_account: has a private_key that is no RSA key in PEM"
    );
    EXPECT_EQ(
        why(account(R"({"service_account":{"project_id":"p"}})")),
        "credentials.service_account: has no client_email"
    );
    EXPECT_EQ(
        why(account("{}")),
        "credentials.service_account: is missing: the JSON file of the service account"
    );
    EXPECT_FALSE(make_token_request(shipped("line"), line_account(), noon));
}

TEST(ConnectToken, ReadsTheAnswer) {
    const auto answered = [](int status, std::string body) {
        http::Response answer;
        answer.status = status;
        answer.body = std::move(body);
        return read_token_answer(answer, noon);
    };
    const auto token = answered(200, R"({"access_token":"ya29","expires_in":3599})");
    ASSERT_TRUE(token);
    EXPECT_EQ(token->text, "ya29");
    EXPECT_EQ(token->expires_at, noon + 3539s);
    EXPECT_EQ(answered(200, R"({"access_token":"a","expires_in":1e300})")->expires_at, noon);
    EXPECT_EQ(answered(200, "{}").error().code, Errc::invalid);
    const auto refused =
        answered(400, R"({"error":"invalid_grant","error_description":"Invalid JWT"})");
    EXPECT_EQ(refused.error().code, Errc::invalid);
    EXPECT_EQ(refused.error().message, "no access token, status 400: Invalid JWT");
    EXPECT_EQ(answered(503, "").error().code, Errc::unavailable);
    EXPECT_EQ(answered(429, "").error().code, Errc::unavailable);
    EXPECT_EQ(answered(408, "").error().code, Errc::unavailable);
}

// That of a proxy says nothing about the account.
TEST(ConnectToken, APageIsNoAnswer) {
    const auto code = [](int status, std::string body) {
        http::Response answer;
        answer.status = status;
        answer.body = std::move(body);
        return read_token_answer(answer, noon).error().code;
    };
    for (const int status : {200, 302, 400, 403, 404, 407}) {
        EXPECT_EQ(code(status, "<html>log in"), Errc::unavailable) << status;
    }
    for (const int status : {200, 302, 407}) {
        EXPECT_EQ(code(status, ""), Errc::unavailable) << status;
    }
    EXPECT_EQ(code(400, R"({"error":"invalid_grant"})"), Errc::invalid);
    EXPECT_EQ(code(403, R"({"error":"access_denied"})"), Errc::invalid);
    EXPECT_EQ(code(401, ""), Errc::invalid);
}

}  // namespace
}  // namespace pawl::connect
