#include "steps_fixture.hpp"
#include "unit/http/raw_peer.hpp"

namespace pawl::steps {
namespace {

class HttpStepTest : public StepTest {
protected:
    std::string call(std::string_view members, std::string_view path = "/") {
        const std::string config = fmt::format(
            R"({{"url":"{}"{}{}}})", url(server.port(), path), members.empty() ? "" : ",", members
        );
        return text(run(executor().execute(step(NodeType::http, config))));
    }
    std::string answered(
        int status, std::string type, std::string body, std::string_view config = ""
    ) {
        answer = http::ServerResponse{status, {{"Content-Type", type}}, std::move(body)};
        return call(config);
    }
    StepOutcome call_peer(std::uint16_t port, Duration timeout = 10s) {
        StepRequest request =
            step(NodeType::http, fmt::format(R"({{"method":"POST","url":"{}"}})", url(port)));
        request.timeout = timeout;
        return run(executor().execute(request));
    }
};

TEST_F(HttpStepTest, WhatIsSent) {
    EXPECT_TRUE(call("", "/a?b=c").starts_with("completed "));
    EXPECT_EQ(received.method, "GET");
    EXPECT_EQ(received.target, "/a?b=c");
    EXPECT_EQ(header("idempotency-key"), nullptr);

    call(R"("body":{"a":1},"method":"put","headers":{"X-N":5,"X-B":true})");
    EXPECT_EQ(received.method, "PUT");
    EXPECT_EQ(received.body, R"({"a":1})");
    EXPECT_EQ(*header("content-type"), "application/json");
    EXPECT_EQ(*header("x-n"), "5");
    EXPECT_EQ(*header("x-b"), "true");
    EXPECT_EQ(*header("idempotency-key"), "key-1");

    call(R"("body":"as is")");
    EXPECT_EQ(received.method, "POST");
    EXPECT_EQ(received.body, "as is");
    EXPECT_EQ(*header("content-type"), "text/plain; charset=utf-8");

    call(R"("body":"<x/>","headers":{"content-type":"application/xml"})");
    EXPECT_EQ(*header("content-type"), "application/xml");
}

TEST_F(HttpStepTest, ACallbackIsWaitedForAfter202) {
    const std::string config =
        fmt::format(R"({{"url":"{}","method":"POST","callback":true}})", url(server.port(), "/"));
    StepRequest request = step(NodeType::http, config);
    EXPECT_EQ(text(run(executor().execute(request))).substr(0, 24), "permanent no_link_secret");
    request.visit = 3;
    request.callback = Callback{"token-1", "https://pawl/v1/callbacks/token-1", Instant(5s)};
    answer.status = 202;
    const auto later = run(executor().execute(request));
    EXPECT_EQ(*header("pawl-callback-token"), "token-1");
    EXPECT_EQ(*header("pawl-callback-url"), "https://pawl/v1/callbacks/token-1");
    const json::value expected{{"for", "callback"}, {"visit", 3}, {"until", 5'000'000}};
    EXPECT_EQ(later.pending, expected);
    answer.status = 200;
    EXPECT_TRUE(run(executor().execute(request)).pending.is_null());
    // Who did not ask for one just gets the answer.
    answer.status = 202;
    EXPECT_TRUE(call("").starts_with("completed "));
    EXPECT_EQ(header("pawl-callback-token"), nullptr);
}

TEST_F(HttpStepTest, Results) {
    EXPECT_EQ(
        answered(200, "application/json; charset=utf-8", R"({"a":[1]})"),
        R"(completed {"status":200,"headers":{"content-type":"application/json; charset=utf-8"},)"
        R"("body":{"a":[1]}})"
    );
    EXPECT_EQ(
        answered(201, "application/problem+json", "1"),
        R"(completed {"status":201,"headers":{"content-type":"application/problem+json"},"body":1})"
    );
    EXPECT_EQ(
        answered(200, "text/html", "<p>\"hi\""),
        R"(completed {"status":200,"headers":{"content-type":"text/html"},"body":"<p>\"hi\""})"
    );
    EXPECT_EQ(
        answered(200, "application/json", ""),
        R"(completed {"status":200,"headers":{"content-type":"application/json"},"body":null})"
    );
}

TEST_F(HttpStepTest, AFewHeadersAreKept) {
    answer = http::ServerResponse{
        201, {{"Location", "/x"}, {"X-Request-Id", "r"}, {"Set-Cookie", "secret"}}, ""};
    EXPECT_EQ(
        call(""),
        R"(completed {"status":201,"headers":{"location":"/x","x-request-id":"r"},"body":""})"
    );
}

TEST_F(HttpStepTest, Statuses) {
    EXPECT_TRUE(answered(404, "text/plain", "").starts_with("permanent http_404"));
    EXPECT_TRUE(answered(500, "text/plain", "").starts_with("retryable http_500"));
    EXPECT_TRUE(answered(429, "text/plain", "").starts_with("retryable http_429"));
    EXPECT_TRUE(answered(302, "text/plain", "").starts_with("permanent http_302"));
}

TEST_F(HttpStepTest, ExpectedStatuses) {
    EXPECT_TRUE(answered(404, "text/plain", "", R"("expect_status":404)").starts_with("completed"));
    EXPECT_TRUE(
        answered(302, "text/plain", "", R"("expect_status":[200,302])").starts_with("completed")
    );
    EXPECT_TRUE(answered(200, "text/plain", "", R"("expect_status":201)")
                    .starts_with("permanent unexpected_status"));
    EXPECT_TRUE(
        answered(503, "text/plain", "", R"("expect_status":200)").starts_with("retryable http_503")
    );
    for (const char* wrong : {R"("expect_status":"x")", R"("expect_status":[99])"}) {
        EXPECT_TRUE(call(wrong).starts_with("permanent invalid_config")) << wrong;
    }
}

TEST_F(HttpStepTest, AnswersThatCannotBeStoredArePermanent) {
    EXPECT_TRUE(answered(200, "application/json", R"({"a":"\u0000"})")
                    .starts_with("permanent invalid_response"));
    EXPECT_TRUE(answered(200, "application/json", "{").starts_with("permanent invalid_response"));
    EXPECT_TRUE(answered(200, "image/png", "\x89PNG").starts_with("permanent invalid_response"));
    EXPECT_TRUE(
        answered(200, "text/plain", std::string("a\0", 2)).starts_with("permanent invalid_response")
    );
    EXPECT_TRUE(answered(200, "application/json", std::string(65, '[') + std::string(65, ']'))
                    .starts_with("permanent invalid_response"));
}

TEST_F(HttpStepTest, BadUrls) {
    const auto at = [&](const char* config) {
        return text(run(executor().execute(step(NodeType::http, config))));
    };
    EXPECT_TRUE(at("{}").starts_with("permanent bad_url"));
    EXPECT_TRUE(at(R"({"url":"file:///etc/passwd"})").starts_with("permanent bad_url"));
}

TEST_F(HttpStepTest, PeersThatMisbehave) {
    http::RawPeer peer(io);
    auto closing = start(peer.answer_and_close(""));
    EXPECT_TRUE(text(call_peer(peer.port())).starts_with("ambiguous network"));
    auto silent = start(peer.keep_silent());
    EXPECT_TRUE(text(call_peer(peer.port(), 250ms)).starts_with("ambiguous timeout"));
    auto huge =
        start(peer.answer_and_close("HTTP/1.1 200 OK\r\n\r\n" + std::string((1 << 20) + 1, 'x')));
    EXPECT_TRUE(text(call_peer(peer.port())).starts_with("permanent too_large"));
}

TEST_F(HttpStepTest, NoServerThere) {
    std::uint16_t closed = 0;
    {
        http::RawPeer peer(io);
        closed = peer.port();
    }
    EXPECT_TRUE(text(call_peer(closed)).starts_with("retryable network"));
}

}  // namespace
}  // namespace pawl::steps
