#include "connect/hook.hpp"
#include "sandbox/desk.hpp"

#include <gtest/gtest.h>

namespace pawl::sandbox {
namespace {

constexpr const char* our_id = "0190b5a0-0000-7000-8000-000000000001";

Account open(const Provider& provider, Desk& desk) {
    Account account;
    account.provider = provider.name();
    account.name = "shop";
    account.hook_url = "https://pawl.example/v1/hooks/x/y?message=" + std::string(our_id);
    provider.open(account, desk.rng());
    desk.put(account);
    return account;
}

// What a connector reads out of a hook of the sandbox's provider.
Result<std::vector<connect::Fact>> told(const Provider& provider, FactKind kind, bool damage) {
    Desk desk;
    const Account account = open(provider, desk);
    Message message;
    message.provider = provider.name();
    message.account = account.name;
    message.id = "external-1";
    message.client_id = our_id;
    message.to = "+66812345678";
    Event event;
    event.kind = kind;
    event.id = "event-1";
    event.at = wall_now();
    event.message = desk.keep(std::move(message));
    const auto request = provider.hook(desk, account, {event}, wall_now());
    if (!request) return Error{Errc::not_found, "it tells no such thing", {}};
    connect::HookRequest hook;
    hook.url = request->url;
    hook.headers = request->headers;
    hook.body = request->body;
    hook.now = wall_now();
    if (damage) hook.body.insert(hook.body.size() - 1, " ");
    return connect::read_hook(
        *connect::find_shipped(provider.name()), {account.credentials, account.settings}, hook
    );
}

TEST(SandboxProviders, SignHooksAsTheirConnectorsCheckThem) {
    for (const char* name : {"sms_8x8", "twilio", "sendgrid", "resend", "webhook"}) {
        for (const FactKind kind : {FactKind::sent, FactKind::delivered, FactKind::bounced}) {
            const auto facts = told(*find_provider(name), kind, false);
            ASSERT_TRUE(facts) << name << ": " << facts.error().message;
            ASSERT_EQ(facts->size(), 1U) << name;
            EXPECT_EQ(facts->front().kind, kind) << name;
            EXPECT_EQ(facts->front().external_id, "external-1") << name;
            EXPECT_EQ(facts->front().message_id, our_id) << name;
        }
    }
}

TEST(SandboxProviders, SignEveryByteOfHooks) {
    for (const char* name : {"twilio", "sendgrid", "resend", "webhook"}) {
        const auto facts = told(*find_provider(name), FactKind::delivered, true);
        ASSERT_FALSE(facts) << name;
        EXPECT_EQ(facts.error().code, Errc::unauthenticated) << name;
    }
}

TEST(SandboxProviders, TellNothingThatTheRealOnesDoNot) {
    for (const char* name : {"line", "fcm", "smtp"}) {
        EXPECT_FALSE(told(*find_provider(name), FactKind::delivered, false)) << name;
    }
    EXPECT_FALSE(told(*find_provider("twilio"), FactKind::clicked, false));
    EXPECT_FALSE(told(*find_provider("resend"), FactKind::unsubscribed, false));
}

TEST(SandboxDesk, KeepsTheNewestMessagesAndForgetsOldKeys) {
    Desk desk(2);
    for (int i = 0; i < 3; ++i) desk.keep({});
    EXPECT_EQ(desk.message(1), nullptr);
    EXPECT_EQ(desk.message(3)->number, 3U);
    EXPECT_EQ(desk.message(4), nullptr);
    EXPECT_EQ(desk.accepted(), 3U);
    const Instant now = wall_now();
    desk.remember("key", {"digest", {}, now});
    EXPECT_NE(desk.replay("key", now + std::chrono::hours(23)), nullptr);
    EXPECT_EQ(desk.replay("key", now + std::chrono::hours(25)), nullptr);
    desk.issue("token", "shop", now);
    EXPECT_EQ(desk.redeem("token", now, true), "shop");
    EXPECT_EQ(desk.redeem("token", now, true), std::nullopt);
}

}  // namespace
}  // namespace pawl::sandbox
