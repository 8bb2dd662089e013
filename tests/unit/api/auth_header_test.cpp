#include "api/auth/auth_header.hpp"

#include <gtest/gtest.h>

namespace pawl::api {
namespace {

std::string credential(const http::Headers& headers) {
    const auto found = credential_of(headers);
    if (found) return *found;
    EXPECT_EQ(found.error().code, Errc::unauthenticated);
    return "refused: " + found.error().message;
}

TEST(AuthHeader, BearerInAnySpelling) {
    EXPECT_EQ(credential({{"Authorization", "Bearer abc"}}), "abc");
    EXPECT_EQ(credential({{"authorization", "bearer   abc "}}), "abc");
    EXPECT_EQ(credential({{"AUTHORIZATION", " BEARER\t"}}).substr(0, 18), "refused: malformed");
}

TEST(AuthHeader, ApikeyOnlyWithoutAUsableAuthorization) {
    EXPECT_EQ(credential({{"apikey", " abc "}}), "abc");
    EXPECT_EQ(credential({{"Authorization", "Basic eDp5"}, {"apikey", "abc"}}), "abc");
    EXPECT_EQ(credential({{"Authorization", "Bearer "}, {"apikey", "abc"}}), "abc");
    EXPECT_EQ(credential({{"apikey", "anon"}, {"Authorization", "Bearer user"}}), "user");
}

TEST(AuthHeader, SaysWhatIsMissing) {
    EXPECT_NE(credential({}).find("no credentials"), std::string::npos);
    EXPECT_NE(credential({{"apikey", ""}}).find("no credentials"), std::string::npos);
    const std::string basic = credential({{"Authorization", "Basic c2VjcmV0"}});
    EXPECT_NE(basic.find("malformed Authorization header"), std::string::npos);
    EXPECT_EQ(basic.find("c2VjcmV0"), std::string::npos) << "a secret in a message";
    EXPECT_NE(credential({{"Authorization", "Bearerabc"}}).find("malformed"), std::string::npos);
}

}  // namespace
}  // namespace pawl::api
