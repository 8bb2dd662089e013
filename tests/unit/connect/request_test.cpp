#include "connect/request.hpp"

#include "base/base64.hpp"
#include "base/webhook_secret.hpp"
#include "unit/connect/connect_fixture.hpp"

namespace pawl::connect {
namespace {

const std::string id(message_uuid);

http::Request made(std::string_view connector, const Account& with, const Outgoing& message) {
    auto call = make_request(shipped(connector), with, message);
    if (!call) ADD_FAILURE() << connector << ": " << to_string(call.error());
    return call ? call->request : http::Request{};
}

TEST(ConnectRequest, LinePushCarriesItsRetryKey) {
    const auto request = made("line", line_account(), outgoing("U0", R"({"text":"Hi"})"));
    EXPECT_EQ(request.method, "POST");
    EXPECT_EQ(request.url, "https://api.line.me/v2/bot/message/push");
    EXPECT_EQ(header(request, "authorization"), "Bearer tok");
    EXPECT_EQ(header(request, "x-line-retry-key"), id);
    EXPECT_EQ(header(request, "content-type"), "application/json");
    EXPECT_EQ(request.body, R"({"to":"U0","messages":[{"text":"Hi","type":"text"}]})");
    EXPECT_FALSE(request.trusted);
}

TEST(ConnectRequest, LineTakesTheNamesOfAccountsWithLogin) {
    const Account both = account(
        R"({"channel_id":"login","channel_secret":"login-secret",
            "messaging_channel_id":"m","messaging_channel_secret":"ms",
            "messaging_channel_access_token":"mt"})"
    );
    const auto request = made("line", both, outgoing("U0", R"({"text":"Hi"})"));
    EXPECT_EQ(header(request, "authorization"), "Bearer mt");
    const auto checked = check_account(shipped("line"), both);
    ASSERT_TRUE(checked);
    EXPECT_EQ(checked->credentials.at("channel_secret"), "ms");
    EXPECT_EQ(checked->credentials.at("channel_id"), "m");
}

TEST(ConnectRequest, LineReplyHasNoRetryKeyAndTheAccountOfLine) {
    const auto request = made(
        "line_reply",
        line_account(),
        outgoing("token1", R"({"messages":[{"type":"sticker","packageId":"1","stickerId":"2"}]})")
    );
    EXPECT_EQ(shipped("line_reply").account_of, "line");
    EXPECT_EQ(request.url, "https://api.line.me/v2/bot/message/reply");
    EXPECT_EQ(header(request, "x-line-retry-key"), "");
    EXPECT_EQ(
        request.body,
        R"({"messages":[{"type":"sticker","packageId":"1","stickerId":"2"}],"replyToken":"token1"})"
    );
}

TEST(ConnectRequest, SmsOf8x8CarriesOurId) {
    const auto request =
        made("sms_8x8", sms_account(), outgoing("+66 81-234 5678", R"({"text":"Hi"})"));
    EXPECT_EQ(request.url, "https://sms.8x8.com/api/v1/subaccounts/sub_1/messages");
    EXPECT_EQ(header(request, "authorization"), "Bearer k8");
    EXPECT_EQ(
        request.body,
        R"({"text":"Hi","source":"Shop","destination":"+66812345678","clientMessageId":")" + id +
            R"("})"
    );
}

TEST(ConnectRequest, TwilioSendsAFormAndNamesItsCallback) {
    Outgoing message = outgoing("+66812345678", R"({"text":"a & b=é\n+"})");
    message.hook_url = "https://p.example/v1/hooks/twilio/x";
    const auto request = made("twilio", twilio_account(), message);
    EXPECT_EQ(request.url, "https://api.twilio.com/2010-04-01/Accounts/AC1/Messages.json");
    EXPECT_EQ(header(request, "authorization"), "Basic " + to_base64("AC1:12345"));
    EXPECT_EQ(header(request, "content-type"), "application/x-www-form-urlencoded");
    EXPECT_EQ(
        request.body,
        "To=%2B66812345678&From=%2B15005550006&Body=a%20%26%20b%3D%C3%A9%0A%2B&StatusCallback="
        "https%3A%2F%2Fp.example%2Fv1%2Fhooks%2Ftwilio%2Fx%3Fmessage%3D" +
            id
    );
}

TEST(ConnectRequest, TwilioKnowsAMessagingService) {
    const auto request =
        made("twilio", twilio_account("MG123"), outgoing("+66812345678", R"({"text":"x"})"));
    EXPECT_EQ(request.body, "To=%2B66812345678&MessagingServiceSid=MG123&Body=x");
}

TEST(ConnectRequest, SendgridHasOurIdInItsArguments) {
    Outgoing message =
        outgoing("ann@x.example", R"({"subject":"S","text":"T","html":"<b>","data":{"k":"v"}})");
    message.unsubscribe_url = "https://p.example/u/1";
    const auto request = made("sendgrid", sendgrid_account(), message);
    EXPECT_EQ(request.url, "https://api.sendgrid.com/v3/mail/send");
    EXPECT_EQ(
        json::parse(request.body),
        json::parse(
            R"({"personalizations":[{"to":[{"email":"ann@x.example"}],
                "custom_args":{"k":"v","pawl_message":")" +
            id + R"("},
                "headers":{"List-Unsubscribe":"<https://p.example/u/1>",
                    "List-Unsubscribe-Post":"List-Unsubscribe=One-Click"}}],
                "from":{"email":"news@shop.example","name":"Shop"},
                "reply_to":{"email":"help@shop.example"},
                "subject":"S",
                "content":[{"type":"text/plain","value":"T"},{"type":"text/html","value":"<b>"}]})"
        )
    );
}

TEST(ConnectRequest, ResendHasOurIdAsKeyAndTag) {
    const auto request = made(
        "resend", resend_account(), outgoing("Ann <ann@x.example>", R"({"subject":"S","html":"H"})")
    );
    EXPECT_EQ(request.url, "https://api.resend.com/emails");
    EXPECT_EQ(header(request, "idempotency-key"), id);
    EXPECT_EQ(
        json::parse(request.body),
        json::parse(
            R"({"from":"\"Shop\" <news@shop.example>","to":["\"Ann\" <ann@x.example>"],
                "subject":"S","html":"H","tags":[{"name":"pawl_message","value":")" +
            id + R"("}]})"
        )
    );
}

TEST(ConnectRequest, SmtpMakesAMail) {
    Outgoing message = outgoing("ann@x.example", R"({"subject":"Grüße","text":"T","html":"H"})");
    message.unsubscribe_url = "https://p.example/u/1";
    const auto call = make_request(shipped("smtp"), smtp_account(), message);
    ASSERT_TRUE(call) << to_string(call.error());
    const http::Request& request = call->request;
    EXPECT_EQ(request.url, "smtp://mail.example:587");
    ASSERT_TRUE(request.mail);
    EXPECT_EQ(request.mail->from, "news@shop.example");
    EXPECT_EQ(request.mail->to, std::vector<std::string>{"ann@x.example"});
    EXPECT_EQ(request.mail->user, "u");
    EXPECT_EQ(request.mail->password, "p");
    EXPECT_TRUE(request.mail->needs_tls);
    EXPECT_EQ(call->external_id, "<" + id + "@shop.example>");
    const auto mail_header = [&](std::string_view name) {
        const std::string* value = http::find_header(request.mail->headers, name);
        return value == nullptr ? std::string() : *value;
    };
    EXPECT_EQ(mail_header("Message-ID"), call->external_id);
    EXPECT_EQ(mail_header("Date"), "Sat, 31 Jan 2026 09:00:00 +0000");
    EXPECT_EQ(mail_header("Subject"), "=?UTF-8?B?R3LDvMOfZQ==?=");
    EXPECT_EQ(mail_header("List-Unsubscribe"), "<https://p.example/u/1>");
    EXPECT_EQ(mail_header("List-Unsubscribe-Post"), "List-Unsubscribe=One-Click");
    ASSERT_EQ(request.mail->forms.size(), 2U);
    EXPECT_EQ(request.mail->forms[1].type, "text/html");
}

TEST(ConnectRequest, SmtpWithoutTlsOnlyWhenTheAccountSaysSo) {
    Account plain = smtp_account();
    plain.settings["plain"] = true;
    plain.settings["base_url"] = "smtp://127.0.0.1:2525";
    const auto request =
        made("smtp", plain, outgoing("ann@x.example", R"({"subject":"S","text":"T"})"));
    EXPECT_FALSE(request.mail->needs_tls);
    EXPECT_EQ(request.url, "smtp://127.0.0.1:2525");
}

TEST(ConnectRequest, FcmSendsWithTheAccessToken) {
    Outgoing message = outgoing("tok:1", R"({"title":"T","body":"B","data":{"screen":"cart"}})");
    message.access_token = "ya29";
    const Account with = account(R"({"service_account":"{\"project_id\":\"shop-1\"}"})");
    const auto request = made("fcm", with, message);
    EXPECT_EQ(request.url, "https://fcm.googleapis.com/v1/projects/shop-1/messages:send");
    EXPECT_EQ(header(request, "authorization"), "Bearer ya29");
    EXPECT_EQ(
        json::parse(request.body),
        json::parse(
            R"({"message":{"token":"tok:1","notification":{"title":"T","body":"B"},
                "data":{"screen":"cart","pawl_message":")" +
            id + R"("}}})"
        )
    );
    message.content = json::parse(R"({"data":{"silent":"1"}})");
    const auto silent = json::parse(made("fcm", with, message).body);
    EXPECT_EQ(find(silent.at("message"), "notification"), nullptr);
    message.access_token.clear();
    EXPECT_EQ(refused("fcm", with, message), "invalid_account access_token");
}

TEST(ConnectRequest, WebhookIsSigned) {
    const std::string secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
    Account with = account("{}", R"({"to":"https://me.example/in?a=1"})");
    with.credentials["secret"] = secret;
    Outgoing message = outgoing("", R"({"anything":[1,null]})");
    message.person = json::parse(R"({"key":"42"})");
    message.channel = "webhook";
    const auto request = made("webhook", with, message);
    EXPECT_EQ(request.url, "https://me.example/in?a=1");
    EXPECT_EQ(header(request, "webhook-id"), id);
    EXPECT_EQ(header(request, "webhook-timestamp"), "1769850000");
    EXPECT_EQ(
        header(request, "webhook-signature"),
        webhook_signature(*webhook_key(secret), id, 1769850000, request.body)
    );
    EXPECT_EQ(
        json::parse(request.body),
        json::parse(
            R"({"type":"message.send","timestamp":"2026-01-31T09:00:00.000000Z",
                "data":{"message_id":")" +
            id + R"(","channel":"webhook","person":"42","content":{"anything":[1,null]}}})"
        )
    );
    with.credentials["secret"] = "short";
    EXPECT_EQ(refused("webhook", with, message), "invalid_account credentials.secret");
}

TEST(ConnectRequest, BaseUrlReplacesTheHostAndKeepsThePath) {
    Account with = line_account();
    with.settings["base_url"] = "http://127.0.0.1:8080/line/";
    EXPECT_EQ(
        made("line", with, outgoing("U0", R"({"text":"x"})")).url,
        "http://127.0.0.1:8080/line/v2/bot/message/push"
    );
    for (const char* wrong :
         {"ftp://x", "https://", "https://a@b", "x", "https://h/?q", "http://h\n"}) {
        with.settings["base_url"] = wrong;
        EXPECT_EQ(
            refused("line", with, outgoing("U0", R"({"text":"x"})")),
            "invalid_account settings.base_url"
        ) << wrong;
    }
}

TEST(ConnectRequest, TheSameMessageGivesTheSameBytes) {
    const Outgoing message =
        outgoing("ann@x.example", R"({"subject":"S","text":"T","data":{"b":"1","a":"2"}})");
    for (const char* name : {"resend", "sendgrid"}) {
        const Account with =
            name == std::string_view("resend") ? resend_account() : sendgrid_account();
        EXPECT_EQ(made(name, with, message).body, made(name, with, message).body);
    }
}

// What a customer typed into a profile cannot become syntax of a request.
TEST(ConnectRequest, HostileValuesStayValues) {
    const std::string nasty = "\"},{\"x\":\"\\ \r\nX-Evil: 1\r\n\r\n{{ credentials.api_key }} 😀 ก";
    Outgoing message = outgoing("+66812345678", "{}");
    message.content = json::object{{"text", nasty}};
    const auto sms = json::parse(made("sms_8x8", sms_account(), message).body);
    EXPECT_EQ(sms.at("text").as_string(), nasty);
    const auto form = made("twilio", twilio_account(), message).body;
    EXPECT_EQ(form.find('\n'), form.npos);
    EXPECT_EQ(form.find("X-Evil: "), form.npos);
    message.to = "U0";
    const auto line = json::parse(made("line", line_account(), message).body);
    EXPECT_EQ(line.at("messages").at(0).at("text").as_string(), nasty);
}

TEST(ConnectRequest, NothingOfAnAccountCanBeginAHeader) {
    for (const char* wrong : {"a\r\nX-Evil: 1", "a\nb"}) {
        Account with = line_account();
        with.credentials["channel_access_token"] = wrong;
        EXPECT_EQ(
            refused("line", with, outgoing("U0", R"({"text":"x"})")),
            "invalid_account credentials.channel_access_token"
        );
    }
    Account with = sms_account();
    with.credentials["subaccount_id"] = "a/../../b?c#d";
    EXPECT_EQ(
        made("sms_8x8", with, outgoing("+66812345678", R"({"text":"x"})")).url,
        "https://sms.8x8.com/api/v1/subaccounts/a%2F..%2F..%2Fb%3Fc%23d/messages"
    );
}

TEST(ConnectRequest, AnAccountIsCheckedWithoutShowingIt) {
    const auto place = [](const char* connector, const Account& with) {
        const auto checked = check_account(shipped(connector), with);
        return checked ? std::string() : checked.error().message;
    };
    EXPECT_EQ(place("resend", resend_account()), "");
    EXPECT_EQ(
        place("line", account(R"({"channel_secret":"hush"})")),
        "credentials.channel_access_token: is missing: the long-lived access token of the "
        "Messaging API channel"
    );
    EXPECT_EQ(
        place("resend", account(R"({"api_keyy":"hush"})", R"({"from":"a@b.c"})")),
        "credentials.api_keyy: is unknown, did you mean 'api_key'?"
    );
    EXPECT_EQ(
        place("resend", account(R"({"api_key":["hush"]})", R"({"from":"a@b.c"})")),
        "credentials.api_key: must be text"
    );
    EXPECT_EQ(
        place("fcm", account(R"({"service_account":"hush"})")),
        "credentials.service_account: must be a JSON object, or its text"
    );
    EXPECT_EQ(
        place("fcm", account(R"({"service_account":{"client_email":"a@b"}})")),
        "credentials.service_account: has no private_key: give the whole file"
    );
    EXPECT_EQ(
        place("sendgrid", account(R"({"api_key":"k"})", R"({"from":"a@b","webhook_window":"x"})"))
            .substr(0, 24),
        "settings.webhook_window:"
    );
    const char* from = R"({"from":"a@b.c"})";
    EXPECT_EQ(
        place("resend", account(R"({"api_key":"k","webhook_secret":"hush!"})", from)),
        "credentials.webhook_secret: must be whsec_ and base64"
    );
    EXPECT_EQ(place("sendgrid", sendgrid_account()), "");
    EXPECT_EQ(
        place("sendgrid", account(R"({"api_key":"k","webhook_public_key":"aHVzaA=="})", from)),
        "credentials.webhook_public_key: is no key: copy the verification key of the event webhook"
    );
    EXPECT_EQ(place("smtp", smtp_account()), "");
    EXPECT_EQ(
        place("smtp", account(R"({"url":"http://mail.example"})", from)),
        "credentials.url: must begin with smtp:// or smtps://"
    );
    EXPECT_EQ(secrets_of(resend_account()).size(), 1U);
    EXPECT_EQ(
        secrets_of(account(R"({"service_account":{"private_key":"--pem--"}})")),
        std::vector<std::string>{"--pem--"}
    );
}

TEST(ConnectRequest, TheIdMustBeAUuid) {
    Outgoing message = outgoing("U0", R"({"text":"x"})");
    message.message_id = "x\r\nY: z";
    EXPECT_EQ(refused("line", line_account(), message), "invalid_content message_id");
}

}  // namespace
}  // namespace pawl::connect
