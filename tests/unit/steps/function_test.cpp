#include "steps_fixture.hpp"

namespace pawl::steps {
namespace {

class FunctionTest : public StepTest {
protected:
    std::string call(std::string_view config) {
        const Executor steps = executor(url(server.port(), "/functions/v1/"));
        return text(run(steps.execute(step(NodeType::function, config))));
    }
    std::string answered(int status, std::string body) {
        answer.status = status;
        answer.body = std::move(body);
        return call(R"({"function":"send-email","action":"send","payload":{"to":"a"}})");
    }
};

TEST_F(FunctionTest, PostsActionAndPayload) {
    EXPECT_EQ(answered(200, R"({"success":true,"data":{"id":7}})"), R"(completed {"id":7})");
    EXPECT_EQ(received.method, "POST");
    EXPECT_EQ(received.target, "/functions/v1/send-email");
    EXPECT_EQ(received.body, R"({"action":"send","payload":{"to":"a"}})");
    EXPECT_EQ(*header("authorization"), "Bearer secret");
    EXPECT_EQ(*header("content-type"), "application/json");
    EXPECT_EQ(*header("idempotency-key"), "key-1");
}

TEST_F(FunctionTest, Results) {
    EXPECT_EQ(answered(200, R"({"id":7})"), R"(completed {"id":7})");
    EXPECT_EQ(answered(201, R"({"data":null,"x":1})"), "completed null");
    EXPECT_EQ(answered(200, "[1]"), "completed [1]");
    EXPECT_EQ(answered(200, "false"), "completed false");
    EXPECT_EQ(answered(204, ""), "completed null");
    EXPECT_EQ(answered(200, R"({"success":"false"})"), R"(completed {"success":"false"})");
}

TEST_F(FunctionTest, Failures) {
    EXPECT_EQ(
        answered(200, R"({"success":false,"error":"no such address"})"),
        "retryable function_failed: no such address"
    );
    EXPECT_EQ(
        answered(200, R"({"success":false})"),
        "retryable function_failed: send-email/send failed with status 200"
    );
    EXPECT_EQ(answered(400, R"({"error":"bad input"})"), "permanent http_400: bad input");
    EXPECT_EQ(answered(500, R"({"error":{"message":"broken"}})"), "retryable http_500: broken");
    EXPECT_EQ(
        answered(503, "<html>busy</html>"),
        "retryable http_503: send-email/send failed with status 503"
    );
    EXPECT_EQ(answered(302, ""), "permanent http_302: send-email/send failed with status 302");
}

TEST_F(FunctionTest, AnswersThatCannotBeUsedArePermanent) {
    for (const std::string& body :
         {std::string("not json"),
          std::string("{\"a\":"),
          std::string(R"({"a":"x\u0000y"})"),
          std::string("{\"a\":\"\xff\"}"),
          std::string(65, '[') + std::string(65, ']')}) {
        EXPECT_TRUE(answered(200, body).starts_with("permanent invalid_response")) << body;
    }
}

TEST_F(FunctionTest, RetryAfterIsKept) {
    answer.status = 429;
    answer.headers.push_back({"Retry-After", "7"});
    const Executor steps = executor(url(server.port()));
    const auto outcome = run(steps.execute(step(NodeType::function, R"({"function":"f"})")));
    ASSERT_TRUE(outcome.error);
    EXPECT_EQ(outcome.error->retry_after, 7s);
}

TEST_F(FunctionTest, AStepsOwnUrlDoesNotGetTheKey) {
    const std::string config = fmt::format(
        R"({{"function":"f","url":"{}","headers":{{"X-Own":"1","Idempotency-Key":"mine"}}}})",
        url(server.port(), "/elsewhere")
    );
    EXPECT_EQ(call(config), "completed {}");
    EXPECT_EQ(received.target, "/elsewhere");
    EXPECT_EQ(header("authorization"), nullptr);
    EXPECT_EQ(*header("x-own"), "1");
    EXPECT_EQ(*header("idempotency-key"), "mine");
}

TEST_F(FunctionTest, HeadersCanBeReplacedAndTakenAway) {
    EXPECT_EQ(
        call(R"({"function":"f","headers":{"authorization":"Basic x","Idempotency-Key":null}})"),
        "completed {}"
    );
    EXPECT_EQ(*header("authorization"), "Basic x");
    EXPECT_EQ(header("idempotency-key"), nullptr);
}

TEST_F(FunctionTest, WrongConfigs) {
    for (const char* config :
         {R"({})",
          R"({"function":""})",
          R"({"function":"../admin"})",
          R"({"function":"a?b"})",
          R"({"function":"/a"})",
          R"({"function":"a b"})",
          R"({"function":"f","headers":[]})",
          R"({"function":"f","headers":{"X":{}}})"}) {
        EXPECT_TRUE(call(config).starts_with("permanent invalid_config")) << config;
    }
    const Executor unconfigured = executor("");
    EXPECT_TRUE(text(run(unconfigured.execute(step(NodeType::function, R"({"function":"f"})"))))
                    .starts_with("permanent invalid_config"));
    EXPECT_EQ(received.method, "") << "nothing was sent";
}

TEST_F(FunctionTest, ALineBreakInAHeaderIsNotSent) {
    EXPECT_TRUE(
        call(R"({"function":"f","headers":{"X":"a\r\nY: b"}})").starts_with("permanent bad_request")
    );
}

}  // namespace
}  // namespace pawl::steps
