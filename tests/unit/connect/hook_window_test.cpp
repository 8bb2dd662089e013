#include "unit/connect/hook_fixture.hpp"

// How old a call of a provider may be: where the scheme signs a time, by each provider's vector.
namespace pawl::connect {
namespace {

using namespace std::chrono_literals;

struct Vector {
    Signing signing = Signing::svix;
    std::string secret;
    HookRequest hook;
    bool says_time = true;
};

HookRequest call(std::string body, http::Headers headers, std::int64_t at, std::string url = "") {
    HookRequest hook;
    hook.url = std::move(url);
    hook.body = std::move(body);
    hook.headers = std::move(headers);
    hook.now = Instant(std::chrono::seconds(at));
    return hook;
}

http::Headers standard(const std::string& start) {
    return {
        {start + "-id", "msg_p5jXN8AQM9LWM0D4loKWxJek"},
        {start + "-timestamp", "1614265330"},
        {start + "-signature", "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="}};
}

std::vector<Vector> vectors() {
    const std::string svix = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
    const std::string test = R"({"test": 2432232314})";
    return {
        {Signing::svix, svix, call(test, standard("svix"), 1614265330)},
        {Signing::standard_webhook, svix, call(test, standard("webhook"), 1614265330)},
        {Signing::sendgrid_ecdsa,
         "MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEEDr2LjtURuePQzplybdC+u4CwrqDqBaWjcMMsTbhdbcwHBcepxo7"
         "yAQGhHPTnlvFYPAZFceEu/1FwCM/QmGUhA==",
         call(
             R"({"category":"example_payload","event":"test_event","message_id":"message_id"})",
             {{"X-Twilio-Email-Event-Webhook-Timestamp", "1588788367"},
              {"X-Twilio-Email-Event-Webhook-Signature",
               "MEUCIQCtIHJeH93Y+qpYeWrySphQgpNGNr/U+UyUlBkU6n7RAwIgJTz2C+8a8xonZGi6BpSzoQsbVRamr2"
               "nlxFDWYNH2j/0="}},
             1588788367
         )},
        {Signing::line_hmac,
         "channel-secret",
         call(
             R"({"destination":"U0","events":[]})",
             {{"x-line-signature", "W3dP9Bhbu4pAfrrGKmS3sZ+m7GXhMWYtP0X+0oJHG4w="}},
             1600000000
         ),
         false},
        {Signing::twilio_hmac_sha1,
         "12345",
         call(
             "CallSid=CA1234567890ABCDE&Caller=%2B14158675309&Digits=1234&From=%2B14158675309&"
             "To=%2B18005551212",
             {{"X-Twilio-Signature", "RSOYDt4T1cUTdK1PDd93/VVr8B8="}},
             1600000000,
             "https://mycompany.com/myapp.php?foo=1&bar=2"
         ),
         false},
        {Signing::bearer,
         "token",
         call("{}", {{"Authorization", "Bearer token"}}, 1600000000),
         false}};
}

TEST(ConnectHookWindow, WhatIsOlderOrNewerIsRefusedWhereTheTimeIsSigned) {
    for (const Vector& vector : vectors()) {
        const auto accepted = [&](Duration later, Duration window) {
            HookRequest hook = vector.hook;
            hook.now += later;
            const auto checked = check_signature(vector.signing, vector.secret, hook, window);
            if (!checked) EXPECT_EQ(checked.error().code, Errc::unauthenticated);
            return checked.has_value();
        };
        const auto which = static_cast<int>(vector.signing);
        EXPECT_TRUE(accepted(0s, 5min)) << which;
        EXPECT_TRUE(accepted(5min, 5min)) << which;
        EXPECT_TRUE(accepted(-5min, 5min)) << which;
        EXPECT_EQ(accepted(5min + 1s, 5min), !vector.says_time) << which;
        EXPECT_EQ(accepted(-5min - 1s, 5min), !vector.says_time) << which;
        EXPECT_TRUE(accepted(5min + 1s, 1h)) << which << ": as the account says";
        EXPECT_TRUE(accepted(24h * 365, 0s)) << which << ": without a window";
    }
}

// A window without a signed time to compare it with is a mistake that looks like protection.
TEST(ConnectHookWindow, IsRefusedWhereNoTimeIsSigned) {
    for (const auto& [signature, fits] : std::initializer_list<std::pair<const char*, bool>>{
             {"standard_webhook", true},
             {"svix", true},
             {"sendgrid_ecdsa", true},
             {"line_hmac", false},
             {"twilio_hmac_sha1", false},
             {"bearer", false}}) {
        const auto problems = connector_problems(fmt::format(
            "name: x\nchannels: [sms]\ncredentials: {{s: {{}}}}\nrequest: {{url: "
            "\"https://x.example\"}}\nanswers: [{{status: 2xx, means: accepted}}]\nhooks: "
            "{{signature: {}, secret: s, window: 5m, word: event.type, words: {{a: sent}}}}\n",
            signature
        ));
        EXPECT_EQ(problems.empty(), fits) << signature;
        if (!fits) EXPECT_EQ(problems.at(0).path, "hooks.window");
    }
    for (const Connector& connector : shipped_connectors()) {
        if (!connector.hooks) continue;
        const Signing signing = connector.hooks->signing;
        const bool says_time = signing == Signing::svix || signing == Signing::standard_webhook ||
                               signing == Signing::sendgrid_ecdsa;
        EXPECT_EQ(connector.hooks->window > Duration::zero(), says_time) << connector.name;
    }
}

}  // namespace
}  // namespace pawl::connect
