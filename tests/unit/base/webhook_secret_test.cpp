#include "base/webhook_secret.hpp"

#include <gtest/gtest.h>

namespace pawl {
namespace {

// The vector that receivers' libraries are tested with.
TEST(WebhookSecret, SignsAsTheStandardSays) {
    const auto key = webhook_key("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw");
    ASSERT_TRUE(key);
    EXPECT_EQ(
        webhook_signature(
            *key, "msg_p5jXN8AQM9LWM0D4loKWxJek", 1614265330, R"({"test": 2432232314})"
        ),
        "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="
    );
}

TEST(WebhookSecret, NewOnesDifferAndCanBeRead) {
    const std::string one = new_webhook_secret();
    EXPECT_TRUE(one.starts_with("whsec_"));
    EXPECT_NE(one, new_webhook_secret());
    ASSERT_TRUE(webhook_key(one));
    EXPECT_EQ(webhook_key(one)->size(), 32U);
    for (const char* wrong :
         {"", "whsec_", "whsec_AAAA", "whsec_!!!!", "whsec_MfKQ9r8GKYqrTwjUP"}) {
        EXPECT_FALSE(webhook_key(wrong)) << wrong;
    }
}

}  // namespace
}  // namespace pawl
