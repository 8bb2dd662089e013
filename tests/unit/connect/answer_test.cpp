#include "connect/answer.hpp"

#include "unit/connect/connect_fixture.hpp"

#include <array>

namespace pawl::connect {
namespace {

using namespace std::chrono_literals;

Verdict answered(
    std::string_view connector, int status, std::string body, http::Headers headers = {}
) {
    http::Response answer;
    answer.status = status;
    answer.body = std::move(body);
    answer.headers = std::move(headers);
    return read_answer(shipped(connector), answer, noon);
}

TEST(ConnectAnswer, LineAcceptsARepeat) {
    const auto first = answered("line", 200, R"({"sentMessages":[{"id":"461","quoteToken":"q"}]})");
    EXPECT_EQ(first.means, Means::accepted);
    EXPECT_EQ(first.external_id, "461");
    const auto again = answered(
        "line",
        409,
        R"({"message":"The retry key is already accepted","sentMessages":[{"id":"461"}]})"
    );
    EXPECT_EQ(again.means, Means::accepted);
    EXPECT_EQ(again.external_id, "461");
    const auto bare =
        answered("line", 409, R"({"message":"x"})", {{"X-Line-Accepted-Request-Id", "req-1"}});
    EXPECT_EQ(bare.external_id, "req-1");
}

TEST(ConnectAnswer, LineErrors) {
    const auto wrong = answered(
        "line",
        400,
        R"~({"message":"The request body has 1 error(s)",
            "details":[{"message":"May not be empty","property":"messages[0].text"}]})~"
    );
    EXPECT_EQ(wrong.means, Means::refused);
    EXPECT_EQ(wrong.code, "http_400");
    EXPECT_EQ(
        wrong.message, "LINE: The request body has 1 error(s): messages[0].text May not be empty"
    );
    EXPECT_EQ(answered("line", 401, "").message, "LINE answered with status 401");
    EXPECT_EQ(answered("line", 500, "<html>").means, Means::retry);
    const auto busy = answered("line", 429, R"({"message":"Too many requests"})");
    EXPECT_EQ(busy.means, Means::retry);
    EXPECT_EQ(busy.after, Duration(5s));
    const auto quota =
        answered("line", 429, R"({"message":"You have reached your monthly limit."})");
    EXPECT_EQ(quota.means, Means::refused);
    EXPECT_EQ(quota.code, "monthly_limit");
}

TEST(ConnectAnswer, ResendTellsConcurrentFromOther) {
    EXPECT_EQ(answered("resend", 200, R"({"id":"e1"})").external_id, "e1");
    const auto conflict = [](const char* name) {
        return answered(
            "resend", 409, json::serialize(json::object{{"name", name}, {"message", "m"}})
        );
    };
    EXPECT_EQ(conflict("concurrent_idempotent_requests").means, Means::retry);
    // The first one was taken, and said something else.
    EXPECT_EQ(conflict("invalid_idempotent_request").means, Means::unknown);
    EXPECT_EQ(conflict("invalid_idempotency_key").means, Means::refused);
    EXPECT_EQ(conflict("invalid_idempotent_request").code, "invalid_idempotent_request");
    EXPECT_EQ(conflict("invalid_idempotent_request").message, "Resend: m");
    const auto limited = answered(
        "resend", 429, R"({"name":"rate_limit_exceeded","message":"m"})", {{"Retry-After", "7"}}
    );
    EXPECT_EQ(limited.means, Means::retry);
    EXPECT_EQ(limited.after, Duration(7s));
    EXPECT_EQ(answered("resend", 429, R"({"name":"daily_quota_exceeded"})").means, Means::refused);
    EXPECT_EQ(answered("resend", 500, "").means, Means::retry);
    EXPECT_EQ(answered("resend", 422, R"({"name":"validation_error"})").means, Means::refused);
}

TEST(ConnectAnswer, SendgridHasItsIdInAHeader) {
    const auto taken = answered("sendgrid", 202, "", {{"x-message-id", "14c5d75ce93"}});
    EXPECT_EQ(taken.means, Means::accepted);
    EXPECT_EQ(taken.external_id, "14c5d75ce93");
    const auto wrong = answered(
        "sendgrid", 400, R"({"errors":[{"message":"bad","field":"from.email","help":null}]})"
    );
    EXPECT_EQ(wrong.means, Means::refused);
    EXPECT_EQ(wrong.message, "SendGrid: from.email: bad");
    EXPECT_EQ(answered("sendgrid", 500, "").means, Means::unknown);
    EXPECT_EQ(answered("sendgrid", 503, "").means, Means::retry);
    EXPECT_EQ(answered("sendgrid", 429, "").means, Means::retry);
}

TEST(ConnectAnswer, SmsOf8x8) {
    const auto taken =
        answered("sms_8x8", 200, R"({"umid":"u-1","status":{"code":"QUEUED","description":"q"}})");
    EXPECT_EQ(taken.means, Means::accepted);
    EXPECT_EQ(taken.external_id, "u-1");
    const auto rejected = answered(
        "sms_8x8", 200, R"({"umid":"u-1","status":{"code":"REJECTED","description":"no route"}})"
    );
    EXPECT_EQ(rejected.means, Means::refused);
    EXPECT_EQ(rejected.code, "REJECTED");
    EXPECT_EQ(rejected.message, "8x8 SMS: no route");
    const auto unauthorised = answered("sms_8x8", 401, R"({"code":1200,"message":"Invalid"})");
    EXPECT_EQ(unauthorised.means, Means::refused);
    EXPECT_EQ(unauthorised.code, "1200");
    EXPECT_EQ(answered("sms_8x8", 500, "").means, Means::unknown);
    EXPECT_EQ(answered("sms_8x8", 503, "").means, Means::retry);
}

TEST(ConnectAnswer, TwilioMayHaveSentAfterA500) {
    const auto taken = answered("twilio", 201, R"({"sid":"SM1","status":"queued"})");
    EXPECT_EQ(taken.means, Means::accepted);
    EXPECT_EQ(taken.external_id, "SM1");
    EXPECT_EQ(answered("twilio", 500, R"({"code":20500})").means, Means::unknown);
    EXPECT_EQ(answered("twilio", 503, "").means, Means::retry);
    const auto stopped = answered("twilio", 400, R"({"code":21610,"message":"unsubscribed"})");
    EXPECT_EQ(stopped.means, Means::refused);
    EXPECT_TRUE(stopped.suppress);
    EXPECT_EQ(stopped.code, "21610");
    EXPECT_FALSE(answered("twilio", 400, R"({"code":21211})").suppress);
    EXPECT_EQ(
        answered("twilio", 201, R"({"sid":"S","status":"failed","error_code":30006})").code, "30006"
    );
}

TEST(ConnectAnswer, Fcm) {
    EXPECT_EQ(
        answered("fcm", 200, R"({"name":"projects/p/messages/0:1"})").external_id,
        "projects/p/messages/0:1"
    );
    const auto gone = answered(
        "fcm",
        404,
        R"({"error":{"code":404,"message":"not found","status":"NOT_FOUND",
            "details":[{"errorCode":"UNREGISTERED"}]}})"
    );
    EXPECT_EQ(gone.means, Means::refused);
    EXPECT_TRUE(gone.suppress);
    EXPECT_EQ(gone.code, "UNREGISTERED");
    EXPECT_FALSE(answered("fcm", 404, R"({"error":{"status":"NOT_FOUND"}})").suppress);
    const auto stale = answered("fcm", 401, R"({"error":{"status":"UNAUTHENTICATED"}})");
    EXPECT_EQ(stale.means, Means::retry);
    EXPECT_TRUE(stale.renew_token);
    EXPECT_EQ(answered("fcm", 503, "").means, Means::retry);
    EXPECT_EQ(answered("fcm", 500, "").means, Means::unknown);
    EXPECT_EQ(
        answered("fcm", 400, R"({"error":{"status":"INVALID_ARGUMENT"}})").means, Means::refused
    );
}

TEST(ConnectAnswer, SmtpByItsReply) {
    EXPECT_EQ(answered("smtp", 250, "queued").means, Means::accepted);
    const auto later = answered("smtp", 451, "greylisted");
    EXPECT_EQ(later.means, Means::retry);
    EXPECT_EQ(later.code, "smtp_451");
    EXPECT_EQ(later.message, "SMTP: greylisted");
    EXPECT_EQ(answered("smtp", 554, "spam").means, Means::refused);
    EXPECT_FALSE(answered("smtp", 554, "spam").suppress);
    EXPECT_TRUE(answered("smtp", 550, "550 5.1.1 no such user").suppress);
    EXPECT_FALSE(answered("smtp", 550, "550 5.7.1 your server is listed").suppress);
}

TEST(ConnectAnswer, WebhookByItsStatus) {
    EXPECT_EQ(answered("webhook", 204, "").means, Means::accepted);
    EXPECT_EQ(answered("webhook", 410, "").means, Means::refused);
    EXPECT_EQ(answered("webhook", 502, "").means, Means::retry);
    EXPECT_EQ(answered("webhook", 302, "").means, Means::refused);
}

// An answer is not trusted to be what it should.
TEST(ConnectAnswer, OddAnswersAreRead) {
    EXPECT_EQ(answered("resend", 200, R"({"id":7})").external_id, "7");
    EXPECT_EQ(answered("line", 200, R"({"sentMessages":{}})").external_id, "");
    const auto bytes = answered("smtp", 554, std::string("a\0\xff", 3));
    EXPECT_EQ(bytes.message, "SMTP: a??");
    EXPECT_LE(answered("smtp", 554, std::string(5000, 'x')).message.size(), 1000U);
}

// That of a proxy on the way, say: the provider may never have seen the message.
TEST(ConnectAnswer, APageIsNoAnswerOfTheProvider) {
    const std::string page = "<html><body>We are back soon</body></html>";
    for (const std::string& body : {page, std::string(), std::string("[1"), std::string("null")}) {
        for (const char* name : {"twilio", "sms_8x8", "sendgrid", "fcm", "line_reply"}) {
            EXPECT_EQ(answered(name, 200, body).means, Means::unknown) << name << body;
        }
        for (const char* name : {"resend", "line"}) {
            const auto verdict = answered(name, 200, body);
            EXPECT_EQ(verdict.means, Means::retry) << name << body;
            EXPECT_TRUE(verdict.maybe) << name << body;
        }
    }
    EXPECT_EQ(answered("resend", 200, R"({"data":[{"id":"e1"}]})").means, Means::accepted);
    EXPECT_EQ(answered("line", 200, "{}").means, Means::accepted);
}

constexpr std::array providers{
    "line", "resend", "twilio", "sms_8x8", "sendgrid", "fcm", "line_reply"};

Means when_unanswered(std::string_view connector) {
    return no_answer(shipped(connector), true).means;
}

TEST(ConnectAnswer, APageIsNoAnswerWhateverItsStatus) {
    const http::Headers html{{"Content-Type", "text/html"}};
    const std::string page = "<html><h1>Forbidden</h1>squid";
    for (const char* name : providers) {
        for (const int status : {202, 301, 302, 307, 400, 401, 403, 404, 407, 409, 422, 451}) {
            const auto verdict = answered(name, status, page, html);
            EXPECT_EQ(verdict.means, when_unanswered(name)) << name << status;
            EXPECT_TRUE(verdict.maybe) << name << status;
            EXPECT_FALSE(verdict.renew_token) << name << status;
            EXPECT_EQ(verdict.code, fmt::format("http_{}", status)) << name;
        }
        // To a page to log in at; and a proxy that wants a password.
        for (const int status : {302, 407}) {
            EXPECT_EQ(answered(name, status, "").means, when_unanswered(name)) << name << status;
        }
        EXPECT_EQ(answered(name, 403, "Forbidden").means, when_unanswered(name)) << name;
        EXPECT_EQ(answered(name, 403, "\"Forbidden\"").means, when_unanswered(name)) << name;
    }
    EXPECT_EQ(
        answered("line", 403, page).message,
        "LINE did not answer, but another did, with status 403; it may have the message"
    );
    EXPECT_EQ(answered("line", 403, page, {{"Retry-After", "7"}}).after, Duration(7s));
}

// Also where it says little. A request that is too large for a proxy stays too large.
TEST(ConnectAnswer, ARefusalOfTheProviderStays) {
    for (const char* name : providers) {
        for (const char* body : {"", "\r\n", "{}", "[]", R"({"message":"no"})"}) {
            for (const int status : {400, 403, 404, 422}) {
                EXPECT_EQ(answered(name, status, body).means, Means::refused) << name << status;
            }
        }
        EXPECT_EQ(answered(name, 413, "<html>nginx").means, Means::refused) << name;
        EXPECT_EQ(answered(name, 429, "<html>").means, Means::retry) << name;
        EXPECT_FALSE(answered(name, 429, "<html>").maybe) << name;
    }
    EXPECT_EQ(answered("sendgrid", 202, "").means, Means::accepted);
    EXPECT_TRUE(answered("fcm", 401, "").renew_token);
    EXPECT_EQ(answered("webhook", 403, "<html>").means, Means::refused) << "it may answer so";
}

// A server that says it has not seen the whole request, and what became of that is not known.
TEST(ConnectAnswer, A408IsAsNoAnswer) {
    for (const char* name : providers) {
        for (const char* body : {"", "{}", "<html>"}) {
            const auto verdict = answered(name, 408, body);
            EXPECT_EQ(verdict.means, when_unanswered(name)) << name << body;
            EXPECT_EQ(verdict.code, "http_408") << name << body;
            if (verdict.means == Means::retry) EXPECT_TRUE(verdict.maybe) << name << body;
        }
    }
    EXPECT_EQ(answered("webhook", 408, "").means, Means::retry);
}

TEST(ConnectAnswer, NoAnswerDependsOnTheReplayClass) {
    EXPECT_EQ(no_answer(shipped("line"), true).means, Means::retry);
    EXPECT_EQ(no_answer(shipped("resend"), true).means, Means::retry);
    for (const char* name : {"twilio", "sms_8x8", "sendgrid", "smtp", "fcm", "line_reply"}) {
        EXPECT_EQ(no_answer(shipped(name), true).means, Means::unknown) << name;
        EXPECT_EQ(no_answer(shipped(name), false).means, Means::retry) << name;
    }
    EXPECT_EQ(shipped("line").replay_window, Duration(24h));
    EXPECT_EQ(name(shipped("twilio").replay), "reconcile");
}

}  // namespace
}  // namespace pawl::connect
