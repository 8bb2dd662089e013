#include "base/base64.hpp"
#include "base/webhook_secret.hpp"
#include "connect/message_refusal.hpp"
#include "unit/connect/hook_fixture.hpp"

namespace pawl::connect {
namespace {

using namespace std::chrono_literals;

const std::string id(message_uuid);
const std::string svix_secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

HookRequest line_hook(std::string body) {
    HookRequest hook;
    hook.headers = {{"X-Line-Signature", to_base64(hmac_sha256("channel-secret", body))}};
    hook.body = std::move(body);
    hook.now = noon;
    return hook;
}

HookRequest resend_hook(std::string body) {
    HookRequest hook;
    hook.headers = {
        {"svix-id", "msg_1"},
        {"svix-timestamp", "1769850000"},
        {"svix-signature",
         "v1,AAAA " + webhook_signature(*webhook_key(svix_secret), "msg_1", 1769850000, body)}};
    hook.body = std::move(body);
    hook.now = noon;
    return hook;
}

HookRequest sms_hook(std::string body) {
    HookRequest hook;
    hook.headers = {{"Authorization", "Bearer hook-token"}};
    hook.body = std::move(body);
    hook.now = noon;
    return hook;
}

TEST(ConnectHook, LineChecksAUrlWithoutEvents) {
    HookRequest hook;
    hook.body = R"({"destination":"U0","events":[]})";
    hook.headers = {{"x-line-signature", "W3dP9Bhbu4pAfrrGKmS3sZ+m7GXhMWYtP0X+0oJHG4w="}};
    EXPECT_TRUE(facts("line", line_account(), hook).empty());
}

TEST(ConnectHook, LineEvents) {
    const auto read = facts("line", line_account(), line_hook(R"({"destination":"U0","events":[
        {"type":"message","webhookEventId":"01A","timestamp":1769849999123,"replyToken":"rt",
         "source":{"type":"user","userId":"U9"},"message":{"type":"text","id":"1","text":"hi"}},
        {"type":"follow","webhookEventId":"01B","timestamp":1769849999123,
         "source":{"type":"user","userId":"U9"}},
        {"type":"unfollow","webhookEventId":"01C","timestamp":1769849999123,
         "source":{"type":"user","userId":"U9"}},
        {"type":"postback","webhookEventId":"01D","timestamp":1769849999123,
         "source":{"type":"user","userId":"U9"},"postback":{"data":"a=1"}},
        {"type":"message","webhookEventId":"01E","source":{"type":"group","userId":"U9"}},
        {"type":"join","webhookEventId":"01F"},
        {"type":7}, 7, null]})"));
    ASSERT_EQ(read.size(), 4U);
    EXPECT_EQ(read[0].kind, FactKind::replied);
    EXPECT_EQ(read[0].provider_event_id, "01A");
    EXPECT_EQ(read[0].address, "U9");
    EXPECT_EQ(read[0].at, Instant(1769849999123ms));
    EXPECT_EQ(read[0].detail.at("text"), "hi");
    EXPECT_EQ(read[0].detail.at("reply_token"), "rt");
    EXPECT_EQ(read[1].kind, FactKind::followed);
    EXPECT_EQ(read[2].kind, FactKind::unfollowed);
    EXPECT_EQ(read[3].detail.at("postback"), "a=1");
}

TEST(ConnectHook, LineSignatureIsOverTheBytes) {
    HookRequest hook = line_hook(R"({"events":[]})");
    hook.body = R"({"events": []})";
    EXPECT_EQ(refused_hook("line", line_account(), hook), Errc::unauthenticated);
    hook = line_hook(R"({"events":[]})");
    hook.headers.clear();
    EXPECT_EQ(refused_hook("line", line_account(), hook), Errc::unauthenticated);
    hook = line_hook(R"({"events":[]})");
    Account without = line_account();
    without.credentials.erase("channel_secret");
    EXPECT_EQ(refused_hook("line", without, hook), Errc::unauthenticated);
    // With LINE Login beside it, the messaging channel's secret counts.
    without.credentials["channel_secret"] = "login";
    without.credentials["messaging_channel_secret"] = "channel-secret";
    EXPECT_TRUE(facts("line", without, hook).empty());
}

TEST(ConnectHook, SignedAndUnreadable) {
    for (const char* body : {"", "{", R"({"events":[{"type":"mess)", R"({"events":{}})", "[]", "7"})
        EXPECT_EQ(refused_hook("line", line_account(), line_hook(body)), Errc::invalid) << body;
    HookRequest get = line_hook(R"({"events":[]})");
    get.method = "GET";
    EXPECT_EQ(refused_hook("line", line_account(), get), Errc::invalid);
    EXPECT_EQ(refused_hook("fcm", account("{}"), get), Errc::not_found);
}

std::string resend_event(std::string_view type, std::string_view more = "") {
    return fmt::format(
        R"({{"type":"{}","created_at":"2026-01-31T08:59:58.5Z","data":{{"email_id":"e1",)"
        R"("to":["ann@x.example"],"tags":{{"pawl_message":"{}"}}{}}}}})",
        type,
        id,
        more
    );
}

TEST(ConnectHook, ResendFact) {
    const auto read =
        facts("resend", resend_account(), resend_hook(resend_event("email.delivered")));
    ASSERT_EQ(read.size(), 1U);
    EXPECT_EQ(read[0].kind, FactKind::delivered);
    EXPECT_EQ(read[0].provider_event_id, "msg_1");
    EXPECT_EQ(read[0].external_id, "e1");
    EXPECT_EQ(read[0].message_id, id);
    EXPECT_EQ(read[0].address, "ann@x.example");
    EXPECT_EQ(read[0].at, noon - 1500ms);
}

TEST(ConnectHook, ResendWords) {
    const auto kind = [](std::string_view type, std::string_view more = "") {
        return word("resend", resend_account(), resend_hook(resend_event(type, more)));
    };
    EXPECT_EQ(kind("email.sent"), "sent");
    EXPECT_EQ(kind("email.opened"), "opened");
    EXPECT_EQ(kind("email.clicked", R"(,"click":{"link":"https://x"})"), "clicked");
    EXPECT_EQ(kind("email.bounced", R"(,"bounce":{"type":"Permanent"})"), "bounced!");
    EXPECT_EQ(kind("email.bounced", R"(,"bounce":{"type":"Transient"})"), "bounced");
    EXPECT_EQ(kind("email.complained"), "complained");
    EXPECT_EQ(kind("email.failed"), "failed");
    EXPECT_EQ(kind("email.suppressed"), "bounced!");
    for (const char* none :
         {"email.delivery_delayed", "email.scheduled", "email.received", "contact.created", ""})
        EXPECT_EQ(kind(none), "-") << none;
}

// A provider may send anything: what is signed and damaged is refused or gives less.
TEST(ConnectHook, DamagedBodiesAreRefusedOrRead) {
    const std::string body = resend_event("email.bounced", R"(,"bounce":{"type":"Permanent"})");
    for (std::size_t at = 0; at < body.size(); ++at) {
        const auto cut =
            read_hook(shipped("resend"), resend_account(), resend_hook(body.substr(0, at)));
        ASSERT_FALSE(cut) << at;
        EXPECT_EQ(cut.error().code, Errc::invalid);
        std::string other = body;
        other[at] = '7';
        const auto read = read_hook(shipped("resend"), resend_account(), resend_hook(other));
        if (read) EXPECT_LE(read->size(), 1U);
    }
}

TEST(ConnectHook, StandardWebhooksVector) {
    HookRequest hook;
    hook.body = R"({"test": 2432232314})";
    hook.headers = {
        {"svix-id", "msg_p5jXN8AQM9LWM0D4loKWxJek"},
        {"svix-timestamp", "1614265330"},
        {"svix-signature", "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="}};
    const auto at = [&](Duration after) {
        hook.now = Instant(1614265330s) + after;
        return static_cast<bool>(check_signature(Signing::svix, svix_secret, hook, 5min));
    };
    EXPECT_TRUE(at(0s));
    EXPECT_TRUE(at(5min));
    EXPECT_FALSE(at(5min + 1s));
    EXPECT_TRUE(at(-5min));
    EXPECT_FALSE(at(-5min - 1s));
    EXPECT_TRUE(check_signature(Signing::svix, svix_secret, hook, Duration{}));
    for (http::Header& header : hook.headers) header.name.replace(0, 4, "webhook");
    hook.now = Instant(1614265330s);
    EXPECT_TRUE(check_signature(Signing::standard_webhook, svix_secret, hook, 5min));
    EXPECT_FALSE(check_signature(Signing::svix, svix_secret, hook, 5min));
    EXPECT_FALSE(check_signature(Signing::standard_webhook, "whsec_!", hook, 5min));
}

TEST(ConnectHook, SvixRefusesWhatIsNotSigned) {
    const std::string body = resend_event("email.sent");
    for (const auto& [name, value] : std::initializer_list<std::pair<const char*, const char*>>{
             {"svix-id", "msg_2"},
             {"svix-timestamp", "1769850001"},
             {"svix-timestamp", "now"},
             {"svix-timestamp", "-5"},
             {"svix-timestamp", "99999999999999999999"},
             {"svix-signature", ""},
             {"svix-signature", "v1,"},
             {"svix-signature", "v2,AAAA"}}) {
        HookRequest hook = resend_hook(body);
        for (http::Header& header : hook.headers) {
            if (header.name == name) header.value = value;
        }
        EXPECT_EQ(refused_hook("resend", resend_account(), hook), Errc::unauthenticated) << value;
    }
    HookRequest late = resend_hook(body);
    late.now = noon + 6min;
    const auto read = read_hook(shipped("resend"), resend_account(), late);
    ASSERT_FALSE(read);
    EXPECT_EQ(reason_of(read.error()), "bad_signature");
    Account patient = resend_account();
    patient.settings["webhook_window"] = "10m";
    EXPECT_EQ(word("resend", patient, late), "sent");
    HookRequest cut = resend_hook(body);
    cut.body.resize(cut.body.size() / 2);
    EXPECT_EQ(refused_hook("resend", resend_account(), cut), Errc::unauthenticated);
}

HookRequest sendgrid_vector() {
    HookRequest hook;
    hook.body =
        "{\"category\":\"example_payload\",\"event\":\"test_event\",\"message_id\":\"message_id\"}";
    hook.headers = {
        {"X-Twilio-Email-Event-Webhook-Timestamp", "1588788367"},
        {"X-Twilio-Email-Event-Webhook-Signature",
         "MEUCIQCtIHJeH93Y+qpYeWrySphQgpNGNr/U+UyUlBkU6n7RAwIgJTz2C+8a8xonZGi6BpSzoQsbVRamr2nlxFDW"
         "YNH2j/0="}};
    hook.now = Instant(1588788367s);
    return hook;
}

TEST(ConnectHook, SendgridVector) {
    HookRequest hook = sendgrid_vector();
    EXPECT_TRUE(facts("sendgrid", sendgrid_account(), hook).empty());
    hook.now += 6min;
    EXPECT_EQ(refused_hook("sendgrid", sendgrid_account(), hook), Errc::unauthenticated);
    Account patient = sendgrid_account();
    patient.settings["webhook_window"] = "1h";
    EXPECT_TRUE(facts("sendgrid", patient, hook).empty());
    hook = sendgrid_vector();
    hook.body += " ";
    EXPECT_EQ(refused_hook("sendgrid", sendgrid_account(), hook), Errc::unauthenticated);
    hook = sendgrid_vector();
    hook.headers[1].value = "AAAA";
    EXPECT_EQ(refused_hook("sendgrid", sendgrid_account(), hook), Errc::unauthenticated);
    Account wrong = sendgrid_account();
    wrong.credentials["webhook_public_key"] = "AAAA";
    EXPECT_EQ(refused_hook("sendgrid", wrong, sendgrid_vector()), Errc::unauthenticated);
}

std::string receipt(std::string_view state) {
    return fmt::format(
        R"({{"namespace":"SMS","eventType":"outbound_message_status_changed","payload":)"
        R"({{"umid":"u-1","clientMessageId":"{}","destination":"+66812345678","smsCount":2,)"
        R"("status":{{"state":"{}","detail":"d","timestamp":"2026-01-31T08:59:59Z"}}}}}})",
        id,
        state
    );
}

TEST(ConnectHook, SmsReceipts) {
    const auto state = [](std::string_view text) {
        return word("sms_8x8", sms_account(), sms_hook(receipt(text)));
    };
    EXPECT_EQ(state("sent"), "sent");
    EXPECT_EQ(state("delivered"), "delivered");
    EXPECT_EQ(state("read"), "opened");
    EXPECT_EQ(state("undelivered"), "bounced");
    EXPECT_EQ(state("rejected"), "failed");
    EXPECT_EQ(state("failed"), "failed");
    EXPECT_EQ(state("queued"), "-");
    EXPECT_EQ(state("unknown"), "-");
    const auto read = facts("sms_8x8", sms_account(), sms_hook(receipt("delivered")));
    ASSERT_EQ(read.size(), 1U);
    EXPECT_EQ(read[0].provider_event_id, "u-1:delivered:d");
    EXPECT_EQ(read[0].external_id, "u-1");
    EXPECT_EQ(read[0].message_id, id);
    EXPECT_EQ(read[0].at, noon - 1s);
    EXPECT_EQ(read[0].detail.at("parts"), "2");
    const auto reply = facts(
        "sms_8x8",
        sms_account(),
        sms_hook(R"({"eventType":"inbound_message_received","payload":{"umid":"u-2",
            "source":"+66812345678","destination":"x","body":"STOP"}})")
    );
    ASSERT_EQ(reply.size(), 1U);
    EXPECT_EQ(reply[0].kind, FactKind::replied);
    EXPECT_EQ(reply[0].address, "+66812345678");
    EXPECT_EQ(reply[0].provider_event_id, "u-2");
}

TEST(ConnectHook, SmsTokenMustFit) {
    for (const char* wrong : {"", "Bearer ", "Bearer hook-toke", "Bearer hook-tokenn", "Basic x"}) {
        HookRequest hook = sms_hook(receipt("sent"));
        hook.headers[0].value = wrong;
        EXPECT_EQ(refused_hook("sms_8x8", sms_account(), hook), Errc::unauthenticated) << wrong;
    }
    HookRequest plain = sms_hook(receipt("sent"));
    plain.headers[0].value = "hook-token";
    EXPECT_EQ(word("sms_8x8", sms_account(), plain), "sent");
}

// Wrong types are no reason to make a provider repeat itself for ever.
TEST(ConnectHook, WrongTypesGiveNoFactOrLessOfOne) {
    const auto read = facts(
        "sms_8x8",
        sms_account(),
        sms_hook(R"([{"eventType":"outbound_message_status_changed","payload":{"umid":["x"],
            "clientMessageId":"not-a-uuid","destination":{},
            "status":{"state":"delivered","timestamp":"yesterday"}}},
            {"eventType":{"a":1}}, "x", {"payload":7}])")
    );
    ASSERT_EQ(read.size(), 1U);
    EXPECT_EQ(read[0].kind, FactKind::delivered);
    EXPECT_EQ(read[0].external_id, "");
    EXPECT_EQ(read[0].message_id, "");
    EXPECT_EQ(read[0].address, "");
    EXPECT_EQ(read[0].at, noon);
    EXPECT_FALSE(read[0].provider_event_id.empty());
}

TEST(ConnectHook, WebhookReportsInOurWords) {
    HookRequest hook;
    hook.body = R"([{"type":"message.delivered","data":{"message_id":")" + id +
                R"("}},{"type":"message.bounced","data":{"permanent":true}}])";
    hook.now = noon;
    hook.headers = {
        {"webhook-id", "w1"},
        {"webhook-timestamp", "1769850000"},
        {"webhook-signature",
         webhook_signature(*webhook_key(svix_secret), "w1", 1769850000, hook.body)}};
    Account with = account("{}");
    with.credentials["secret"] = svix_secret;
    const auto read = facts("webhook", with, hook);
    ASSERT_EQ(read.size(), 2U);
    EXPECT_EQ(read[0].message_id, id);
    EXPECT_EQ(read[1].detail.at("permanent"), true);
    // They share a delivery, and are two facts.
    EXPECT_NE(read[0].provider_event_id, read[1].provider_event_id);
    EXPECT_TRUE(read[0].provider_event_id.starts_with("w1:"));
}

}  // namespace
}  // namespace pawl::connect
