#include "steps/sms.hpp"

#include "steps_fixture.hpp"

namespace pawl::steps {
namespace {

class SmsTest : public StepTest {
protected:
    SmsSettings settings(SmsSettings::Provider provider) {
        SmsSettings made;
        made.provider = provider;
        made.url = url(server.port());
        made.account = "AC1";
        made.key = "token";
        made.from = "+15550001111";
        return made;
    }
    std::string send(const SmsSettings& with, std::string_view message) {
        return text(run(send_sms(client, with, json::parse(message).as_object(), 5s)));
    }
    std::string send(const SmsSettings& with) {
        return send(with, R"({"to":"+66811234567","body":"Hi & bye","idempotency_key":"key-1"})");
    }

    void SetUp() override {
        StepTest::SetUp();
        twilio_ = settings(SmsSettings::Provider::twilio);
        eight_ = settings(SmsSettings::Provider::eight_by_eight);
    }

    SmsSettings twilio_;
    SmsSettings eight_;
};

TEST_F(SmsTest, TwilioGetsAForm) {
    answer.status = 201;
    answer.body = R"({"sid":"SM1","status":"queued"})";
    EXPECT_EQ(send(twilio_), R"(completed {"message_id":"SM1","provider":"twilio"})");
    EXPECT_EQ(received.target, "/2010-04-01/Accounts/AC1/Messages.json");
    EXPECT_EQ(*header("authorization"), "Basic QUMxOnRva2Vu");
    EXPECT_EQ(*header("content-type"), "application/x-www-form-urlencoded");
    EXPECT_EQ(received.body, "To=%2B66811234567&From=%2B15550001111&Body=Hi%20%26%20bye");
    twilio_.from = "MG" + std::string(32, 'a');
    send(twilio_);
    EXPECT_NE(received.body.find("&MessagingServiceSid=MGaaaa"), std::string::npos);
}

TEST_F(SmsTest, WhatTwilioAnswersAndWhatThatMeans) {
    const auto answered = [this](int status) {
        answer.status = status;
        answer.body = R"({"code":1,"message":"why"})";
        return send(twilio_);
    };
    EXPECT_EQ(answered(400), "permanent http_400: status 400: why");
    EXPECT_EQ(answered(429), "retryable http_429: status 429: why");
    EXPECT_EQ(answered(503), "retryable http_503: status 503: why");
    EXPECT_EQ(answered(500), "ambiguous http_500: status 500: why");
}

TEST_F(SmsTest, EightByEightGetsJson) {
    answer.body = R"({"umid":"u-1","status":{"code":"QUEUED","description":"ok"}})";
    EXPECT_EQ(send(eight_), R"(completed {"message_id":"u-1","provider":"8x8"})");
    EXPECT_EQ(received.target, "/api/v1/subaccounts/AC1/messages");
    EXPECT_EQ(*header("authorization"), "Bearer token");
    EXPECT_EQ(
        received.body,
        R"({"text":"Hi & bye","source":"+15550001111","destination":"+66811234567",)"
        R"("clientMessageId":"key-1"})"
    );
    answer.body = R"({"umid":"u-1","status":{"code":"REJECTED","description":"no credit"}})";
    EXPECT_EQ(send(eight_), "permanent rejected: 8x8 says REJECTED: no credit");
}

TEST_F(SmsTest, WhatCannotBeSentIsNot) {
    EXPECT_EQ(
        send(twilio_, R"({"to":"me","body":"x"})"),
        "permanent invalid_message: to must be a telephone number: +66812345678"
    );
    EXPECT_EQ(
        send(twilio_, R"({"to":"+66811234567"})"), "permanent invalid_message: body is missing"
    );
    twilio_.from.clear();
    EXPECT_EQ(send(twilio_), "permanent invalid_message: it has no sender: give `from`");
    EXPECT_TRUE(send({}).starts_with("permanent no_provider"));
    EXPECT_TRUE(received.method.empty());
}

}  // namespace
}  // namespace pawl::steps
