#include "base/base64.hpp"
#include "connect/form.hpp"
#include "connect/hook.hpp"
#include "unit/connect/connect_fixture.hpp"

#include <set>

// What the providers' own documents allow: names of fields, sizes, forms of ids.
namespace pawl::connect {
namespace {

using Names = std::set<std::string, std::less<>>;

void expect_only(const json::value& value, const Names& names, std::string_view where) {
    for (const auto& [key, inner] : value.as_object()) {
        EXPECT_TRUE(names.contains(std::string_view(key))) << where << " has " << key;
        EXPECT_FALSE(inner.is_null()) << where << " has a null " << key;
    }
}

json::value body_of(std::string_view connector, const Account& with, const Outgoing& message) {
    const auto call = make_request(shipped(connector), with, message);
    if (!call) throw std::runtime_error(to_string(call.error()));
    return json::parse(call->request.body);
}

Outgoing full_email() {
    Outgoing message = outgoing(
        "Ann Lee <ann@x.example>",
        R"({"subject":"S","text":"T","html":"<b>H</b>","data":{"campaign":"a-1"}})"
    );
    message.unsubscribe_url = "https://p.example/u/1";
    return message;
}

TEST(ProviderRules, Resend) {
    const auto call = make_request(shipped("resend"), resend_account(), full_email());
    ASSERT_TRUE(call);
    EXPECT_LE(header(call->request, "idempotency-key").size(), 256U);
    const auto body = json::parse(call->request.body);
    expect_only(
        body,
        {"from", "to", "subject", "html", "text", "cc", "bcc", "reply_to", "headers", "tags"},
        "an email"
    );
    EXPECT_LE(body.at("to").as_array().size(), 50U);
    for (const json::value& tag : body.at("tags").as_array()) {
        expect_only(tag, {"name", "value"}, "a tag");
        EXPECT_LE(tag.at("value").as_string().size(), 256U);
    }
}

TEST(ProviderRules, Sendgrid) {
    const auto body = body_of("sendgrid", sendgrid_account(), full_email());
    expect_only(body, {"personalizations", "from", "reply_to", "subject", "content"}, "a mail");
    ASSERT_EQ(body.at("personalizations").as_array().size(), 1U);
    const json::value& person = body.at("personalizations").at(0);
    expect_only(person, {"to", "custom_args", "headers"}, "a personalization");
    // Numbers are answered 400.
    for (const auto& [key, value] : person.at("custom_args").as_object()) {
        EXPECT_TRUE(value.is_string()) << key;
    }
    // Plain text comes first.
    EXPECT_EQ(body.at("content").at(0).at("type"), "text/plain");
    EXPECT_EQ(body.at("content").at(1).at("type"), "text/html");
}

TEST(ProviderRules, Line) {
    const auto call = make_request(
        shipped("line"),
        line_account(),
        outgoing("U0", R"({"messages":[{"type":"text","text":"x"}]})")
    );
    ASSERT_TRUE(call);
    EXPECT_EQ(header(call->request, "x-line-retry-key").size(), 36U) << "a UUID";
    const auto body = json::parse(call->request.body);
    expect_only(body, {"to", "messages", "notificationDisabled"}, "a push");
    EXPECT_LE(shipped("line").content.messages_max, 5U);
    EXPECT_EQ(shipped("line").content.chars_max, 5000U);
}

TEST(ProviderRules, Of8x8) {
    const auto body =
        body_of("sms_8x8", sms_account(), outgoing("+66812345678", R"({"text":"Hi"})"));
    expect_only(
        body,
        {"destination",
         "text",
         "source",
         "clientMessageId",
         "encoding",
         "expiry",
         "dlrCallbackUrl"},
        "an SMS"
    );
    EXPECT_LE(body.at("clientMessageId").as_string().size(), 50U);
    EXPECT_TRUE(body.at("destination").as_string().starts_with('+'));
}

TEST(ProviderRules, Twilio) {
    Outgoing message = outgoing("+66812345678", R"({"text":"Hi"})");
    message.hook_url = "https://p.example/v1/hooks/twilio/x";
    const auto call = make_request(shipped("twilio"), twilio_account(), message);
    ASSERT_TRUE(call);
    EXPECT_EQ(header(call->request, "content-type"), "application/x-www-form-urlencoded");
    const Names known{"To", "From", "MessagingServiceSid", "Body", "StatusCallback"};
    const auto form = read_form(call->request.body);
    ASSERT_TRUE(form);
    for (const auto& [key, value] : *form) EXPECT_TRUE(known.contains(key)) << key;
    EXPECT_EQ(
        refused(
            "twilio",
            twilio_account(),
            outgoing("+66812345678", R"({"text":")" + std::string(1601, 'x') + R"("})")
        ),
        "invalid_content content.text"
    );
}

TEST(ProviderRules, Fcm) {
    Outgoing message = outgoing("tok:1", R"({"title":"T","body":"B","data":{"screen":"cart"}})");
    message.access_token = "ya29";
    const auto body =
        body_of("fcm", account(R"({"service_account":"{\"project_id\":\"p\"}"})"), message);
    expect_only(body, {"message", "validate_only"}, "a send");
    expect_only(body.at("message"), {"token", "notification", "data"}, "a message");
    expect_only(
        body.at("message").at("notification"), {"title", "body", "image"}, "a notification"
    );
    for (const auto& [key, value] : body.at("message").at("data").as_object()) {
        EXPECT_TRUE(value.is_string()) << key;
    }
}

TEST(ProviderRules, ALinkedLineAccountBringsItsNonce) {
    const std::string body =
        R"({"destination":"U0","events":[{"type":"accountLink","webhookEventId":"e1",
            "timestamp":1769850000000,"source":{"type":"user","userId":"U9"},
            "link":{"result":"ok","nonce":"n1"}},
           {"type":"accountLink","webhookEventId":"e2","timestamp":1769850000000,
            "source":{"type":"user","userId":"U9"},"link":{"result":"failed","nonce":"n1"}}]})";
    HookRequest hook;
    hook.url = "https://p.example/v1/hooks/line/x";
    hook.body = body;
    hook.now = noon;
    hook.headers = {{"x-line-signature", to_base64(hmac_sha256("channel-secret", body))}};
    const auto facts = read_hook(shipped("line"), line_account(), hook);
    ASSERT_TRUE(facts) << to_string(facts.error());
    ASSERT_EQ(facts->size(), 1U);
    EXPECT_EQ((*facts)[0].kind, FactKind::followed);
    EXPECT_EQ((*facts)[0].address, "U9");
    EXPECT_EQ((*facts)[0].detail.at("nonce"), "n1");
}

}  // namespace
}  // namespace pawl::connect
