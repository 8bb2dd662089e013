#include "api/sandbox/sandbox_model.hpp"
#include "steps/storable_text.hpp"
#include "workers/connectors/calendar.hpp"
#include "workers/connectors/model.hpp"
#include "workers/connectors/vector.hpp"
#include "workers/review.hpp"
#include "workers/settings_file.hpp"

#include <gtest/gtest.h>

namespace pawl::workers {
namespace {

ChatRequest asking() {
    ChatRequest request;
    request.schema_name = "draft";
    request.schema = draft_schema();
    request.messages = {{"system", "be kind"}, {"user", "what now?"}};
    return request;
}

TEST(ChatWire, TheBodyIsWhatEndpointsExpect) {
    ModelSettings settings;
    settings.model = "m";
    settings.tokens_field = "max_completion_tokens";
    const json::object body = chat_body(settings, asking(), 77);
    EXPECT_EQ(body.at("model"), "m");
    EXPECT_EQ(body.at("max_completion_tokens"), 77);
    EXPECT_EQ(body.at("stream_options").at("include_usage"), true);
    EXPECT_EQ(body.at("response_format").at("json_schema").at("name"), "draft");
    EXPECT_EQ(body.at("messages").as_array().size(), 2u);

    settings.json_schema = settings.stream = false;
    const json::object plain = chat_body(settings, asking(), 77);
    EXPECT_FALSE(plain.contains("response_format"));
    EXPECT_FALSE(plain.contains("stream"));
    EXPECT_EQ(plain.at("messages").as_array().size(), 3u) << "the schema is told in words";
}

TEST(ChatWire, AStreamIsPutTogether) {
    const ChatReply reply = read_chat_reply(
        ": hello\r\n\r\n"
        "data: "
        "{\"id\":\"c1\",\"model\":\"m\",\"choices\":[{\"delta\":{\"content\":\"{\\\"a\\\"\"}}]}"
        "\r\n\r\n"
        "data: {\"choices\":[{\"delta\":{\"content\":\":1}\"},\"finish_reason\":\"stop\"}]}\n\n"
        "data: {\"choices\":[],\"usage\":{\"prompt_tokens\":3,\"completion_tokens\":4}}\n\n"
        "data: [DONE]\n\n",
        true
    );
    EXPECT_EQ(reply.text, "{\"a\":1}");
    EXPECT_EQ(reply.id, "c1");
    EXPECT_EQ(reply.finish_reason, "stop");
    EXPECT_EQ(reply.prompt_tokens, 3);
    EXPECT_EQ(reply.completion_tokens, 4);
}

TEST(ChatWire, ABrokenStreamAndAnErrorAreSeen) {
    EXPECT_EQ(
        read_chat_reply("data: {\"choices\":[{\"delta\":{\"content\":\"x\"}}]}\n", true)
            .finish_reason,
        ""
    );
    EXPECT_EQ(read_chat_reply("{\"error\":{\"message\":\"no\"}}", false).error, "no");
    EXPECT_EQ(read_chat_reply("<html>", false).error, "the answer is not JSON");
}

TEST(ChatBudget, HoldsWhateverComesOfAnAttempt) {
    ModelSettings settings;
    settings.reply_tokens_max = 1000;
    settings.run_tokens_max = 5000;
    json::object body{{"text", std::string(3000 - 11, 'x')}};  // 1001 tokens, as it is guessed
    const auto left = [&](std::int64_t tokens, double cost, int attempt) {
        return allowance(settings, body, {tokens, cost}, attempt).reply_tokens;
    };
    EXPECT_EQ(left(0, 0, 1), 1000);
    EXPECT_EQ(left(3500, 0, 1), 499) << "the prompt counts too";
    EXPECT_EQ(left(3999, 0, 1), 0);
    EXPECT_EQ(left(0, 0, 2), 1000);
    EXPECT_EQ(left(1500, 0, 2), 498) << "as if the first had used all it might";
    EXPECT_EQ(left(0, 0, 3), 0);
    EXPECT_EQ(allowance(settings, body, {}, 3).before.tokens, 2 * 2001);
    settings.price_out = 1000;  // a thousand tokens for one
    EXPECT_EQ(left(0, 0.5, 1), 500);
    EXPECT_EQ(left(0, 1, 1), 0);
    settings.price_in = 1000;
    EXPECT_EQ(left(0, 0, 1), 0) << "the prompt alone costs more";
}

TEST(ChatBudget, EveryAttemptHasAKeyOfItsOwn) {
    ExecutionContext context;
    context.idempotency_key = "k";
    EXPECT_EQ(attempt_key(context), "k");
    context.attempt = 3;
    EXPECT_EQ(attempt_key(context), "k:3");
}

TEST(SandboxModel, AnswersTheSameWithWhatFitsTheSchema) {
    ModelSettings settings;
    const json::object body = chat_body(settings, asking(), 100);
    const auto first = api::answer_chat(body, 1);
    EXPECT_EQ(first.body, api::answer_chat(body, 1).body);
    const ChatReply streamed = read_chat_reply(first.body, true);
    const auto parsed = json::parse(streamed.text);
    EXPECT_EQ(parsed.at("body"), "Sandbox body about: what now?");
    EXPECT_EQ(parsed.at("needs_human"), false);
    EXPECT_GT(streamed.completion_tokens, 0);

    settings.stream = false;
    const auto whole = api::answer_chat(chat_body(settings, asking(), 100), 1);
    EXPECT_EQ(read_chat_reply(whole.body, false).text, streamed.text);
}

TEST(Knowledge, ALongTextIsCutBetweenCharacters) {
    std::string asked;
    const Embed embed = [&](const std::string& text) -> std::vector<double> {
        asked = text;
        throw std::runtime_error("that is enough");
    };
    const auto sessions = std::make_shared<embed::Sessions>(pg::ConnectOptions());
    std::string text = "ab";
    for (int i = 0; i < 2000; ++i) text += "\u7968";  // three bytes each
    EXPECT_THROW(make_knowledge(sessions, embed)->search(1, text, 1), std::runtime_error);
    EXPECT_EQ(asked.size(), 2u + 1332 * 3);
    EXPECT_TRUE(steps::is_storable(asked));
}

TEST(Ics, IsACalendarThatOthersRead) {
    Meeting meeting;
    meeting.uid = "u:1";
    meeting.title = "Pumps; and, more";
    meeting.description = "line one\nline two " + std::string(100, 'x');
    meeting.attendee = "ann@example.com\r\nX-EVIL:1";
    meeting.starts_at = Instant(std::chrono::seconds(1'767'603'600));
    const std::string ics = to_ics(meeting, meeting.starts_at);
    EXPECT_NE(ics.find("DTSTART:20260105T090000Z\r\n"), std::string::npos) << ics;
    EXPECT_NE(ics.find("DTEND:20260105T093000Z\r\n"), std::string::npos);
    EXPECT_NE(ics.find("SUMMARY:Pumps\\; and\\, more\r\n"), std::string::npos);
    EXPECT_EQ(ics.find("\nX-EVIL"), std::string::npos) << "nothing begins a line of its own";
    std::size_t from = 0;
    for (std::size_t end = ics.find("\r\n"); end != std::string::npos;
         end = ics.find("\r\n", from)) {
        EXPECT_LE(end - from, 75u);
        from = end + 2;
    }
}

TEST(SettingsFile, IsRead) {
    WorkerSettings settings;
    const auto read = parse_settings(
        "model: {url: 'https://x/v1/', model: m, run_tokens: '9', price_in: '0.5', stream: 'off'}\n"
        "calendar: {caldav_url: 'https://cal/me/'}",
        settings
    );
    ASSERT_TRUE(read) << read.error().message;
    EXPECT_EQ(settings.model->url, "https://x/v1");
    EXPECT_EQ(settings.model->run_tokens_max, 9);
    EXPECT_EQ(settings.model->price_in, 0.5);
    EXPECT_FALSE(settings.model->stream);
    EXPECT_EQ(settings.calendar.caldav_url, "https://cal/me");
}

TEST(SettingsFile, SaysWhatIsWrong) {
    for (const auto* text :
         {"model: {}",
          "model: {url: u, colour: red}",
          "model: {url: u, run_tokens: many}",
          "model: {url: u, key_env: PAWL_TEST_NO_SUCH_VARIABLE}",
          "models: {url: u}",
          "[]"}) {
        WorkerSettings settings;
        EXPECT_FALSE(parse_settings(text, settings)) << text;
    }
}

}  // namespace
}  // namespace pawl::workers
