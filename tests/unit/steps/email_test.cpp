#include "steps/email.hpp"

#include "connect/email_message.hpp"
#include "smtp_peer.hpp"
#include "steps_fixture.hpp"

#include <boost/json/serialize.hpp>

#include <algorithm>

namespace pawl::steps {
namespace {

using Strings = std::vector<std::string>;

constexpr const char* simple =
    R"({"to":"ann@example.com","subject":"Hi","text":"Hello","idempotency_key":"key-1"})";

Strings lines(std::string_view text) {
    Strings found;
    for (auto end = text.find("\r\n"); end != text.npos; end = text.find("\r\n")) {
        found.emplace_back(text.substr(0, end));
        text.remove_prefix(end + 2);
    }
    return found;
}

class EmailTest : public StepTest {
protected:
    EmailSettings resend() {
        EmailSettings settings;
        settings.provider = EmailSettings::Provider::resend;
        settings.url = url(server.port());
        settings.key = "re_1";
        settings.from = "Pawl <pawl@example.com>";
        return settings;
    }
    EmailSettings smtp() {
        EmailSettings settings;
        settings.provider = EmailSettings::Provider::smtp;
        settings.url = peer.url();
        settings.from = "Pawl <pawl@example.com>";
        settings.plain = true;
        return settings;
    }
    std::string send(const EmailSettings& settings, std::string_view message = simple) {
        return text(run(send_email(client, settings, json::parse(message).as_object(), 5s)));
    }
    std::string by_smtp(std::string_view message = simple) {
        const auto conversation = start(peer.serve());
        const std::string outcome = send(smtp(), message);
        run_until([&] { return conversation->done(); });
        return outcome;
    }
    std::string answered(int status, std::string body) {
        answer.status = status;
        answer.body = std::move(body);
        return send(resend());
    }

    SmtpPeer peer{io};
};

TEST_F(EmailTest, ResendGetsTheMessageAndTheKey) {
    EXPECT_EQ(
        answered(200, R"({"id":"e-1"})"), R"(completed {"message_id":"e-1","provider":"resend"})"
    );
    EXPECT_EQ(received.method, "POST");
    EXPECT_EQ(received.target, "/emails");
    EXPECT_EQ(*header("authorization"), "Bearer re_1");
    EXPECT_EQ(*header("idempotency-key"), "key-1");
    EXPECT_EQ(
        received.body,
        R"({"to":["ann@example.com"],"from":"\"Pawl\" <pawl@example.com>","text":"Hello",)"
        R"("subject":"Hi"})"
    );
    send(
        resend(),
        R"({"from":"x@y.z","to":["a@b","c@d"],"cc":"e@f","bcc":"g@h","reply_to":"i@j",)"
        R"("subject":"s","html":"<p>","headers":{"X-Own":"1"}})"
    );
    EXPECT_EQ(
        received.body,
        R"({"cc":["e@f"],"to":["a@b","c@d"],"bcc":["g@h"],"from":"x@y.z","html":"<p>",)"
        R"("headers":{"X-Own":"1"},"subject":"s","reply_to":["i@j"]})"
    );
    EXPECT_EQ(header("idempotency-key"), nullptr);
}

TEST_F(EmailTest, WhatResendAnswersAndWhatThatMeans) {
    EXPECT_EQ(
        answered(422, R"({"statusCode":422,"name":"validation_error","message":"no domain"})"),
        "permanent http_422: status 422: no domain"
    );
    EXPECT_EQ(
        answered(500, R"({"name":"internal_server_error","message":"oops"})"),
        "retryable http_500: status 500: oops"
    );
    EXPECT_TRUE(answered(429, "{}").starts_with("retryable http_429"));
    EXPECT_TRUE(answered(409, R"({"name":"concurrent_idempotent_requests"})")
                    .starts_with("retryable http_409"));
    EXPECT_TRUE(
        answered(409, R"({"name":"invalid_idempotent_request"})").starts_with("permanent http_409")
    );
    EXPECT_EQ(answered(200, "taken"), R"(completed {"message_id":"","provider":"resend"})")
        << "it went out, whatever it said";
}

TEST_F(EmailTest, SmtpCarriesTheMessage) {
    EXPECT_EQ(
        by_smtp(R"({"to":["Ann <ann@example.com>","bob@example.com"],"bcc":"secret@example.com",)"
                R"("subject":"Hi","text":"Hello","idempotency_key":"key-1"})"),
        R"(completed {"message_id":"<key-1@example.com>","provider":"smtp"})"
    );
    Strings commands(peer.heard.begin() + 1, peer.heard.end());
    EXPECT_EQ(
        commands,
        (Strings{
            "MAIL FROM:<pawl@example.com>",
            "RCPT TO:<ann@example.com>",
            "RCPT TO:<bob@example.com>",
            "RCPT TO:<secret@example.com>",
            "DATA",
            "QUIT"})
    );
    EXPECT_NE(peer.data.find("From: \"Pawl\" <pawl@example.com>\r\n"), std::string::npos);
    EXPECT_NE(peer.data.find("Message-ID: <key-1@example.com>\r\n"), std::string::npos);
    EXPECT_NE(peer.data.find("\r\n\r\nSGVsbG8=\r\n"), std::string::npos) << peer.data;
    EXPECT_EQ(peer.data.find("secret"), std::string::npos);
}

TEST_F(EmailTest, SmtpLogsInWhenItHasAUser) {
    EmailSettings settings = smtp();
    settings.user = "pawl";
    settings.key = "pw";
    const auto conversation = start(peer.serve());
    EXPECT_TRUE(send(settings).starts_with("completed"));
    run_until([&] { return conversation->done(); });
    EXPECT_EQ(peer.heard.at(1), "AUTH PLAIN");
    EXPECT_EQ(peer.heard.at(2), "AHBhd2wAcHc=");
}

TEST_F(EmailTest, NoPasswordGoesOverAConnectionThatOthersCanRead) {
    EmailSettings settings = smtp();
    settings.user = "pawl";
    settings.key = "pw";
    settings.plain = false;
    const auto conversation = start(peer.serve());
    EXPECT_TRUE(send(settings).starts_with("retryable network")) << send(settings);
    for (const std::string& line : peer.heard) EXPECT_FALSE(line.starts_with("AUTH")) << line;
}

TEST_F(EmailTest, WhatSmtpAnswersAndWhatThatMeans) {
    const std::vector<std::tuple<std::string, std::string, std::string>> cases{
        {"RCPT", "550 no such mailbox", "permanent smtp_550: 550 no such mailbox"},
        {"RCPT", "451 later", "retryable smtp_451: 451 later"},
        {"MAIL", "421 busy", "retryable smtp_421: 421 busy"},
        {"DATA", "554 no", "permanent smtp_554: 554 no"},
        {".", "552 too much", "permanent smtp_552: 552 too much"},
        {".", "450 try again", "retryable smtp_450: 450 try again"},
    };
    for (const auto& [word, reply, expected] : cases) {
        peer.replies = {{word, reply}};
        EXPECT_EQ(by_smtp(), expected) << word;
    }
    // Closed before it had the message, and after.
    peer.replies = {{"MAIL", ""}};
    EXPECT_TRUE(by_smtp().starts_with("retryable network"));
    peer.replies = {{".", ""}};
    EXPECT_TRUE(by_smtp().starts_with("ambiguous network"));
}

TEST_F(EmailTest, WhatCannotBeSentIsNot) {
    const std::vector<std::pair<std::string, std::string>> cases{
        {R"({"subject":"s","text":"t"})", "to is missing"},
        {R"({"to":"a@b","subject":"s"})", "text or html is missing"},
        {R"({"to":"a@b\r\nBcc: c@d","subject":"s","text":"t"})",
         "to holds something that is not an email address"},
        {R"({"to":"a@b","subject":"s\r\nBcc: c@d","text":"t"})",
         "subject holds a control character"},
        {R"({"to":7,"subject":"s","text":"t"})", "to holds something that is not an email address"},
        {R"({"to":"a@b","from":"x","subject":"s","text":"t"})", "from is not an email address"},
        {R"({"to":"a@b","subject":"s","text":"t","headers":{"Bcc":"x@y"}})",
         "headers.Bcc cannot be set"},
        {R"({"to":"a@b","subject":"s","text":"t","headers":{"X-A":"1\r\nX: 2"}})",
         "headers.X-A cannot be set"},
        {R"({"to":"a@b","subject":"s","text":7})", "text must be text"},
    };
    for (const auto& [message, expected] : cases) {
        EXPECT_EQ(send(resend(), message), "permanent invalid_message: " + expected) << message;
    }
    EXPECT_TRUE(received.method.empty());
    EXPECT_EQ(
        send({}),
        "permanent no_provider: no provider of emails is configured: start the workers with "
        "--messages"
    );
}

TEST_F(EmailTest, TheSandboxIsAFunction) {
    EmailSettings settings;
    settings.provider = EmailSettings::Provider::sandbox;
    settings.url = url(server.port(), "/functions/v1");
    settings.key = "k";
    answer.body = R"({"success":true,"data":{"message_id":"sandbox-1"}})";
    EXPECT_EQ(send(settings), R"(completed {"message_id":"sandbox-1","provider":"sandbox"})");
    EXPECT_EQ(received.target, "/functions/v1/email");
    EXPECT_EQ(*header("idempotency-key"), "key-1");
    answer.status = 500;
    answer.body = R"({"success":false,"error":"as you wished"})";
    EXPECT_EQ(send(settings), "retryable http_500: status 500: as you wished");
}

TEST_F(EmailTest, SmtpCarriesBothFormsTheBetterOneLast) {
    by_smtp(R"({"to":"ann@example.com","subject":"s","text":"text","html":"<p>html</p>"})");
    const std::string kind = "Content-Type: multipart/alternative; boundary=";
    const auto at = peer.data.find(kind);
    ASSERT_NE(at, std::string::npos) << peer.data;
    const auto begin = at + kind.size();
    const std::string boundary =
        "--" + peer.data.substr(begin, peer.data.find("\r\n", begin) - begin) + "\r\n";
    const std::string forms = boundary +
                              "Content-Type: text/plain; charset=utf-8\r\n"
                              "Content-Transfer-Encoding: base64\r\n\r\ndGV4dA==\r\n" +
                              boundary +
                              "Content-Type: text/html; charset=utf-8\r\n"
                              "Content-Transfer-Encoding: base64\r\n\r\nPHA+aHRtbDwvcD4=\r\n";
    EXPECT_NE(peer.data.find("\r\n\r\n" + forms), std::string::npos) << peer.data;
    const Strings all = lines(peer.data);
    EXPECT_EQ(std::count(all.begin(), all.end(), "Mime-Version: 1.0"), 1) << peer.data;
}

// A line of SMTP has at most 998 bytes, and some servers still take only ASCII.
TEST_F(EmailTest, SmtpCarriesWhatItCannotCarryAsItIs) {
    const std::string hard = "\r\n.\r\n--สวัสดี " + std::string(200'000, 'x');
    json::object message{{"to", "Zoë <zoe@example.com>"}, {"subject", "สวัสดีครับ ยินดีต้อนรับ"}};
    message["text"] = hard;
    message["headers"] = {{".x", "é"}};
    EXPECT_TRUE(by_smtp(json::serialize(message)).starts_with("completed"));
    std::string body;
    for (const std::string& line : lines(peer.data)) {
        EXPECT_LE(line.size(), 100U) << line;
        for (const char c : line) EXPECT_TRUE(c >= ' ' && c < 0x7f) << line;
        if (line.size() == 76) body += line;
    }
    EXPECT_NE(peer.data.find("\r\n..x: =?UTF-8?B?w6k=?=\r\n"), std::string::npos);
    EXPECT_EQ(body.substr(0, 40), "DQouDQotLeC4quC4p+C4seC4quC4lOC4tSB4eHh4");
    EXPECT_GE(body.size(), hard.size() / 3 * 4 - 76);
}

TEST_F(EmailTest, AMessageThatDidNotGetToItsEndIsSentAgain) {
    peer.hangs_up = true;
    json::object message{{"to", "ann@example.com"}, {"subject", "s"}};
    message["text"] = std::string(10 << 20, 'x');  // more than sockets take without a reader
    const std::string outcome = by_smtp(json::serialize(message));
    EXPECT_TRUE(outcome.starts_with("retryable network")) << outcome;
}

TEST(EmailHeaders, AreAsciiAndShort) {
    connect::Email email;
    email.from = {"Zoë \"Z\"", "zoe@example.com"};
    email.to = {{"", "a@b.c"}, {"Bob", "b@b.c"}};
    email.subject = "สวัสดีครับ ยินดีต้อนรับสู่ระบบของเรา และขอบคุณ";
    email.headers = {{"X-Own", "1"}};
    const http::Headers headers = mail_headers(email, Instant(1700000000s));
    for (const auto& [name, value] : headers) {
        for (const std::string& line : lines(value + "\r\n")) {
            EXPECT_LE(line.size(), 80U) << line;
            for (const char c : line) EXPECT_TRUE(c >= ' ' && c < 0x7f) << line;
        }
    }
    EXPECT_EQ(*http::find_header(headers, "From"), "=?UTF-8?B?Wm/DqyAiWiI=?= <zoe@example.com>");
    EXPECT_EQ(*http::find_header(headers, "To"), "a@b.c,\r\n \"Bob\" <b@b.c>");
    EXPECT_EQ(*http::find_header(headers, "Date"), "Tue, 14 Nov 2023 22:13:20 +0000");
    EXPECT_EQ(*http::find_header(headers, "X-Own"), "1");
    EXPECT_EQ(http::find_header(headers, "Message-ID"), nullptr) << "the server makes one";
}

}  // namespace
}  // namespace pawl::steps
