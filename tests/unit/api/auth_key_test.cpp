#include "app/tenants/auth_key.hpp"

#include "api/auth/auth_cache.hpp"
#include "api/auth/principal.hpp"
#include "base/sha256.hpp"

#include <gtest/gtest.h>

#include <regex>

namespace pawl::api {
namespace {

using std::chrono::seconds;

TEST(ApiKey, HasAPrefixAnd32RandomBytes) {
    const auto key = app::make_api_key();
    EXPECT_TRUE(std::regex_match(key.text, std::regex("pawl_[a-z2-7]{8}_[A-Za-z0-9_-]{43}")));
    EXPECT_EQ(app::api_key_prefix(key.text), key.prefix);
    EXPECT_TRUE(app::looks_like_api_key(key.text));
    EXPECT_NE(app::make_api_key().text, key.text);
}

TEST(ApiKey, OtherTextsDoNotLookLikeOne) {
    const std::string key = app::make_api_key().text;
    EXPECT_FALSE(app::looks_like_api_key(""));
    EXPECT_FALSE(app::looks_like_api_key("pawl_"));
    EXPECT_FALSE(app::looks_like_api_key("pawl_" + std::string(64, 'a'))) << "the old form";
    EXPECT_FALSE(app::looks_like_api_key(key + "A"));
    EXPECT_FALSE(app::looks_like_api_key(key.substr(0, key.size() - 1) + "!"));
    EXPECT_FALSE(app::looks_like_api_key("X" + key.substr(1)));
}

TEST(ApiKey, HashIsSha256) {
    // FIPS 180-2, appendix B.1.
    const std::string digest = sha256("abc");
    ASSERT_EQ(digest.size(), 32u);
    EXPECT_EQ(digest.substr(0, 4), "\xba\x78\x16\xbf");
    EXPECT_EQ(digest.substr(28), std::string("\xf2\x00\x15\xad", 4));
}

TEST(Scopes, AdminImpliesAll) {
    const Principal admin{1, 0, "x", {Scope::admin}};
    const Principal reader{1, 0, "x", {Scope::runs_read}};
    EXPECT_TRUE(require(admin, Scope::workflows_write));
    EXPECT_TRUE(require(reader, Scope::runs_read));
    const auto refused = require(reader, Scope::runs_write);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, Errc::forbidden);
    EXPECT_EQ(refused.error().message, "this needs the scope 'runs:write'; yours: runs:read");
    EXPECT_FALSE(require(reader, Scope::admin));
}

TEST(Scopes, AreWrittenAsTheyAreRead) {
    const auto scopes = parse_scopes({"runs:write", "workflows:read", "runs:write"}).value();
    EXPECT_EQ(to_string(scopes), "workflows:read, runs:write");
    EXPECT_EQ(parse_scopes(scopes.names()).value(), scopes);
    EXPECT_EQ(to_string(ScopeSet()), "none");
    EXPECT_EQ(
        parse_scope("run:read").error().message,
        "unknown scope 'run:read', did you mean 'runs:read'?"
    );
    EXPECT_NE(parse_scope("everything").error().message.find("there are"), std::string::npos);
}

TEST(ExpiringCache, ForgetsInTime) {
    ExpiringCache<int> cache(10, seconds(5));
    const auto start = Steady::time_point{};
    cache.put("a", 1, start);
    EXPECT_EQ(cache.find("a", start + seconds(4)), 1);
    EXPECT_FALSE(cache.find("a", start + seconds(5)));
    EXPECT_FALSE(cache.find("b", start));
    cache.put("a", 2, start + seconds(5));
    EXPECT_EQ(cache.find("a", start + seconds(6)), 2);
    cache.put("short", 3, start + seconds(6), seconds(1));
    EXPECT_EQ(cache.find("short", start + seconds(6)), 3);
    EXPECT_FALSE(cache.find("short", start + seconds(7)));
}

TEST(ExpiringCache, IsBoundedAndDropsTheOldest) {
    ExpiringCache<int> cache(3, seconds(5));
    const auto start = Steady::time_point{};
    for (int i = 0; i < 5; ++i) cache.put(std::to_string(i), i, start);
    EXPECT_EQ(cache.size(), 3u);
    EXPECT_FALSE(cache.find("1", start));
    EXPECT_EQ(cache.find("4", start), 4);
    cache.put("late", 9, start + seconds(9));
    EXPECT_EQ(cache.size(), 1u) << "what had expired is gone";
}

}  // namespace
}  // namespace pawl::api
