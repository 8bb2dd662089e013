#include "app/webhooks/webhook_uses.hpp"

#include "store/under_test.hpp"

// What every door does with webhooks: the API's handlers, which commands on a database call too.
namespace pawl::test {
namespace {

TEST(WebhookUses, ATestAndARedeliveryWakeThePublisher) {
    PgUnderTest db;
    const Vault vault;
    store::OutboxTargets targets(db.pool(), vault);
    int woken = 0;
    const app::Wake wake = [&woken] { ++woken; };
    app::WebhookUses uses{targets, db.pg(), vault, wake};
    OutboxRequest request;
    request.channel = "told";
    const auto made = db.loop().run(app::create_webhook(uses, {}, request));
    ASSERT_TRUE(made);
    const auto id = static_cast<std::int32_t>(made->at("id").as_int64());
    EXPECT_EQ(woken, 0);
    const auto sent = db.loop().run(app::test_webhook(uses, {}, id));
    ASSERT_TRUE(sent);
    EXPECT_EQ(woken, 1);
    EXPECT_TRUE(db.loop().run(app::redeliver(uses, {}, id, *sent)));
    EXPECT_EQ(woken, 2);
    EXPECT_FALSE(db.loop().run(app::redeliver(uses, {}, id, "evt_x")));
    EXPECT_FALSE(db.loop().run(app::test_webhook(uses, {}, id + 1)));
    EXPECT_EQ(woken, 2);
}

}  // namespace
}  // namespace pawl::test
