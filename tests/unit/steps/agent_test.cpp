#include "steps/agent_talk.hpp"
#include "steps_fixture.hpp"
#include "unit/http/raw_peer.hpp"

namespace pawl::steps {
namespace {

// A model that answers what the test tells it to, over real HTTP.
class AgentTest : public StepTest {
protected:
    json::object config = json::parse(R"({
        "model": "m", "instructions": "Be kind", "sees": {"name": "Ann"},
        "schema": {"type": "object", "required": ["text"],
                   "properties": {"text": {"type": "string"}}}
    })")
                              .as_object();
    json::array turns;

    static std::string reply(json::value message, int tokens = 10) {
        return json::serialize(json::object{
            {"model", "m-1"},
            {"choices", {{{"message", std::move(message)}, {"finish_reason", "stop"}}}},
            {"usage", {{"prompt_tokens", tokens}, {"completion_tokens", 5}}}});
    }
    static std::string says(std::string content) {
        return reply({{"role", "assistant"}, {"content", std::move(content)}});
    }
    static std::string calls(std::string name, std::string arguments) {
        return reply(
            {{"role", "assistant"},
             {"content", nullptr},
             {"tool_calls",
              {{{"id", "c1"},
                {"type", "function"},
                {"function", {{"name", name}, {"arguments", arguments}}}}}}}
        );
    }

    StepOutcome once(std::string body, int status = 200) {
        answer.status = status;
        answer.body = std::move(body);
        config["url"] = url(server.port(), "/v1/chat/completions");
        StepRequest request = step(NodeType::agent, json::serialize(config));
        request.turns = turns;
        StepOutcome outcome = run(executor().execute(request));
        if (outcome.advances) turns.push_back(outcome.result);
        return outcome;
    }
    json::object asked() const { return json::parse(received.body).as_object(); }
};

TEST_F(AgentTest, AnAnswerThatFitsIsTheResult) {
    const auto outcome = once(says(R"({"text": "Hi Ann"})"));
    EXPECT_FALSE(outcome.advances);
    EXPECT_EQ(outcome.result.at("answer").at("text"), "Hi Ann");
    EXPECT_EQ(outcome.result.at("usage").at("prompt_tokens"), 10);
    EXPECT_EQ(outcome.result.at("model"), "m-1");
    const json::array messages = asked().at("messages").as_array();
    EXPECT_EQ(messages[0].at("role"), "system");
    EXPECT_TRUE(messages[0].at("content").as_string().starts_with("Be kind"));
    EXPECT_NE(messages[1].at("content").as_string().find("\"name\":\"Ann\""), std::string::npos);
    EXPECT_EQ(asked().at("response_format").at("type"), "json_schema");
}

TEST_F(AgentTest, AFenceAroundTheJsonIsTakenAway) {
    EXPECT_EQ(once(says("```json\n{\"text\": \"a\"}\n```")).result.at("answer").at("text"), "a");
}

TEST_F(AgentTest, AnAnswerThatDoesNotFitIsAskedAgainTwice) {
    EXPECT_TRUE(once(says("no")).advances);
    EXPECT_TRUE(once(says(R"({"txt": 1})")).advances);
    const json::array messages = asked().at("messages").as_array();
    EXPECT_EQ(messages.size(), 4U);
    EXPECT_NE(messages[3].at("content").as_string().find("not JSON"), std::string::npos);
    const auto third = once(says(R"({"text": 1})"));
    ASSERT_TRUE(third.error);
    EXPECT_EQ(third.error->code, "agent_answer");
    EXPECT_EQ(third.error->error_class, ErrorClass::permanent);
}

TEST_F(AgentTest, TheDecisionIsPartOfTheSchema) {
    config.erase("schema");
    config["decide"] = json::array{"up", "down"};
    EXPECT_TRUE(once(says(R"({"decision": "left"})")).advances);
    EXPECT_EQ(once(says(R"({"decision": "down"})")).result.at("decision"), "down");
}

TEST_F(AgentTest, WithoutASchemaTheAnswerIsText) {
    config.erase("schema");
    EXPECT_EQ(once(says("Dear Ann")).result.at("answer"), "Dear Ann");
}

TEST_F(AgentTest, AToolIsCalledWithItsArgumentsAndItsOwnKey) {
    config["tools"] = json::parse(R"([{"name": "order", "description": "d",
        "parameters": {"type": "object", "required": ["id"],
                       "properties": {"id": {"type": "integer"}}},
        "http": {"method": "POST"}}])");
    config["tools"].at(0).at("http").as_object()["url"] = url(server.port(), "/tool");
    const auto asked_for = once(calls("order", R"({"id": 7})"));
    EXPECT_TRUE(asked_for.advances);
    const auto called = once(R"({"state": "paid"})");
    EXPECT_TRUE(called.advances);
    EXPECT_EQ(received.target, "/tool");
    EXPECT_EQ(received.body, R"({"id":7})");
    EXPECT_EQ(*header("idempotency-key"), "key-1:1");
    EXPECT_EQ(called.result.at("result").at("body").at("state"), "paid");
    EXPECT_FALSE(once(says(R"({"text": "ok"})")).advances);
    const json::array messages = asked().at("messages").as_array();
    ASSERT_EQ(messages.size(), 4U);
    EXPECT_EQ(messages[2].at("tool_calls").at(0).at("function").at("name"), "order");
    EXPECT_EQ(messages[3].at("tool_call_id"), "c1");
}

TEST_F(AgentTest, WhatIsWrongWithACallIsToldToTheModel) {
    config["tools"] = json::parse(R"([{"name": "order", "description": "d",
        "parameters": {"type": "object", "required": ["id"],
                       "properties": {"id": {"type": "integer"}}},
        "http": {"url": "http://127.0.0.1:1/"}}])");
    for (const auto& [name, arguments] :
         {std::pair("nope", "{}"), std::pair("order", "{"), std::pair("order", R"({"id": "x"})")}) {
        turns.clear();
        ASSERT_TRUE(once(calls(name, arguments)).advances);
        const auto told = once(says("unused"));
        ASSERT_TRUE(told.advances) << name;
        EXPECT_FALSE(told.result.at("error").as_string().empty());
    }
}

TEST_F(AgentTest, AToolThatRefusesIsToldAndOneThatIsBusyIsTriedAgain) {
    config["tools"] = json::parse(R"([{"name": "order", "description": "d", "http": {}}])");
    config["tools"].at(0).at("http").as_object()["url"] = url(server.port(), "/tool");
    ASSERT_TRUE(once(calls("order", "{}")).advances);
    const auto busy = once("", 503);
    ASSERT_TRUE(busy.error);
    EXPECT_EQ(busy.error->error_class, ErrorClass::retryable);
    const auto refused = once("", 404);
    EXPECT_TRUE(refused.advances);
    EXPECT_TRUE(refused.result.as_object().contains("error"));
}

TEST_F(AgentTest, ADraftThatIsLookedAtAgainIsNotAskedForAgain) {
    turns.push_back({{"turn", 0}, {"draft", {{"answer", "Hi"}}}});
    const auto outcome = once(says("Another"));
    EXPECT_EQ(outcome.result.at("answer"), "Hi");
    EXPECT_TRUE(received.body.empty());
}

TEST_F(AgentTest, ABudgetEndsIt) {
    config["budget"] = {{"tokens", 40}};
    EXPECT_TRUE(once(says("x")).advances);
    EXPECT_EQ(asked().at("max_tokens"), 40);
    EXPECT_TRUE(once(says("x")).advances);
    EXPECT_EQ(asked().at("max_tokens"), 25);
    turns.push_back(turns.back());
    EXPECT_EQ(text(once(says("x"))).substr(0, 17), "permanent budget:");

    turns.clear();
    config["budget"] = {{"calls", 1}};
    EXPECT_TRUE(once(says("x")).advances);
    EXPECT_EQ(text(once(says("x"))).substr(0, 17), "permanent budget:");

    turns.clear();
    config["budget"] = {{"cost", 0.0001}};
    config["prices"] = {{"input", 10}, {"output", 30}};
    EXPECT_TRUE(once(says("x")).advances);
    EXPECT_EQ(text(once(says("x"))).substr(0, 17), "permanent budget:");
}

TEST_F(AgentTest, AModelThatFailsIsAskedAgainByTheRetryPolicy) {
    for (const int status : {429, 500, 503}) {
        const auto outcome = once("{}", status);
        ASSERT_TRUE(outcome.error);
        EXPECT_EQ(outcome.error->error_class, ErrorClass::retryable) << status;
    }
    EXPECT_EQ(once("{}", 401).error->error_class, ErrorClass::permanent);
    for (const std::string body : {R"({"choices": []})", "[]", R"({"choices": [1]})", "null"}) {
        EXPECT_EQ(once(body).error->code, "model_answer") << body;
    }
}

TEST_F(AgentTest, AReplyThatNeverComesIsNotUnknown) {
    answer.status = 200;
    http::RawPeer peer(io);
    auto silent = start(peer.keep_silent());
    config["url"] = url(peer.port(), "/");
    StepRequest request = step(NodeType::agent, json::serialize(config));
    request.timeout = 200ms;
    const auto outcome = run(executor().execute(request));
    ASSERT_TRUE(outcome.error);
    EXPECT_EQ(outcome.error->error_class, ErrorClass::retryable);
}

}  // namespace
}  // namespace pawl::steps
