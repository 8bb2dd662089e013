#include "base/base64.hpp"
#include "base/webhook_secret.hpp"
#include "connect/form.hpp"
#include "unit/connect/hook_fixture.hpp"

#include <algorithm>

namespace pawl::connect {
namespace {

const std::string id(message_uuid);
const std::string twilio_url = "https://p.example/v1/hooks/twilio/x?message=" + id;

HookRequest twilio_hook(Form form) {
    HookRequest hook;
    hook.url = twilio_url;
    hook.body = write_form(form);
    std::sort(form.begin(), form.end());
    std::string text = hook.url;
    for (const auto& [key, value] : form) text += key + value;
    hook.headers = {{"X-Twilio-Signature", to_base64(hmac_sha1("12345", text))}};
    hook.now = noon;
    return hook;
}

TEST(ConnectHook, TwilioVector) {
    HookRequest hook;
    hook.url = "https://mycompany.com/myapp.php?foo=1&bar=2";
    hook.body =
        "CallSid=CA1234567890ABCDE&Caller=%2B14158675309&Digits=1234&From=%2B14158675309&"
        "To=%2B18005551212";
    hook.headers = {{"X-Twilio-Signature", "RSOYDt4T1cUTdK1PDd93/VVr8B8="}};
    const auto fits = [&] {
        return static_cast<bool>(check_signature(Signing::twilio_hmac_sha1, "12345", hook, {}));
    };
    EXPECT_TRUE(fits());
    hook.url = "https://mycompany.com:443/myapp.php?foo=1&bar=2";
    EXPECT_TRUE(fits());
    hook.url = "http://mycompany.com/myapp.php?foo=1&bar=2";
    EXPECT_FALSE(fits());
    hook.url = "https://mycompany.com/myapp.php?foo=1&bar=2";
    hook.body += "&X=1";
    EXPECT_FALSE(fits());
    hook.body = "%";
    EXPECT_FALSE(fits());
}

TEST(ConnectHook, TwilioSignsTheDigestOfJson) {
    HookRequest hook;
    hook.body = R"({"a":1})";
    hook.url = "https://p.example/x?bodySHA256=" + sha256_hex(hook.body);
    hook.headers = {{"X-Twilio-Signature", to_base64(hmac_sha1("12345", hook.url))}};
    EXPECT_TRUE(check_signature(Signing::twilio_hmac_sha1, "12345", hook, {}));
    hook.body = R"({"a":2})";
    EXPECT_FALSE(check_signature(Signing::twilio_hmac_sha1, "12345", hook, {}));
}

TEST(ConnectHook, TwilioWords) {
    const auto status = [](const char* text) {
        return word(
            "twilio",
            twilio_account(),
            twilio_hook({{"MessageSid", "SM1"}, {"MessageStatus", text}, {"To", "+66812345678"}})
        );
    };
    EXPECT_EQ(status("sent"), "sent");
    EXPECT_EQ(status("delivered"), "delivered");
    EXPECT_EQ(status("read"), "opened");
    EXPECT_EQ(status("undelivered"), "bounced");
    EXPECT_EQ(status("failed"), "failed");
    for (const char* none : {"queued", "sending", "accepted", "new_word"})
        EXPECT_EQ(status(none), "-") << none;
    const auto read = facts(
        "twilio",
        twilio_account(),
        twilio_hook(
            {{"MessageSid", "SM1"},
             {"MessageStatus", "failed"},
             {"To", "+66"},
             {"ErrorCode", "30006"}}
        )
    );
    ASSERT_EQ(read.size(), 1U);
    EXPECT_EQ(read[0].provider_event_id, "SM1:failed");
    EXPECT_EQ(read[0].external_id, "SM1");
    EXPECT_EQ(read[0].message_id, id);
    EXPECT_EQ(read[0].detail.at("code"), "30006");
    EXPECT_EQ(read[0].at, noon);
}

TEST(ConnectHook, TwilioReplies) {
    Form form{
        {"MessageSid", "SM2"},
        {"SmsStatus", "received"},
        {"From", "+66812345678"},
        {"To", "+1500"},
        {"Body", "Yes \"please\"\n"}};
    const auto read = facts("twilio", twilio_account(), twilio_hook(form));
    ASSERT_EQ(read.size(), 1U);
    EXPECT_EQ(read[0].kind, FactKind::replied);
    EXPECT_EQ(read[0].address, "+66812345678");
    EXPECT_EQ(read[0].detail.at("text"), "Yes \"please\"\n");
    form.emplace_back("OptOutType", "STOP");
    EXPECT_EQ(word("twilio", twilio_account(), twilio_hook(form)), "unsubscribed");
    form.back().second = "START";
    EXPECT_EQ(word("twilio", twilio_account(), twilio_hook(form)), "followed");
}

}  // namespace
}  // namespace pawl::connect
