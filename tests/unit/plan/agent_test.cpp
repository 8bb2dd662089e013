#include "graph_run.hpp"
#include "plan/crossing.hpp"

namespace pawl::plan {
namespace {

std::string agent(std::string_view more = "") {
    return R"(
name: talk
nodes:
  - {id: think, type: agent, config: {url: "http://m.example/", model: m, instructions: Decide,
      decide: [yes_please, no_thanks]@}}
  - {id: good, code: f}
  - {id: bad, code: f}
  - {id: other, code: f}
  - {id: broken, code: f}
edges:
  - {from: think, to: good, handle: yes_please}
  - {from: think, to: bad, handle: rejected}
  - {from: think, to: other}
  - {from: think, to: broken, handle: error}
)" + std::string(more);
}

std::string text_with(std::string_view config) {
    std::string text = agent();
    text.replace(text.find('@'), 1, config);
    return text;
}

json::object turn(int number) {
    return {{"turn", number}, {"reply", {{"content", "hm"}}}};
}

std::string advance(GraphRun& run, json::object said) {
    const Token* token = run.token_at("think");
    StepFinished finished;
    finished.token = token->id;
    finished.attempt = token->attempt;
    finished.result = std::move(said);
    finished.advances = true;
    return names(run.feed(std::move(finished)));
}

TEST(Agent, EachTurnIsAnEventAndTheNextOneIsDue) {
    GraphRun run(text_with(""));
    EXPECT_EQ(advance(run, turn(0)), "step_advanced");
    EXPECT_EQ(run.wanted(), "think");
    EXPECT_EQ(advance(run, turn(1)), "step_advanced");
    EXPECT_EQ(run.token_at("think")->turns.size(), 2U);
    run.complete("think", json::object{{"decision", "yes_please"}});
    EXPECT_EQ(run.wanted(), "good");
}

TEST(Agent, ATurnThatIsNotTheNextIsNothing) {
    GraphRun run(text_with(""));
    advance(run, turn(0));
    EXPECT_EQ(advance(run, turn(0)), "");
    EXPECT_EQ(advance(run, turn(2)), "");
    EXPECT_EQ(run.token_at("think")->turns.size(), 1U);
}

TEST(Agent, AnAttemptThatFailsKeepsTheTurnsBeforeIt) {
    GraphRun run(text_with(""));
    advance(run, turn(0));
    run.fail("think", "http_503", ErrorClass::retryable);
    run.pass_time(10);
    EXPECT_EQ(run.wanted(), "think");
    EXPECT_EQ(run.token_at("think")->attempt, 2);
    EXPECT_EQ(advance(run, turn(1)), "step_advanced");
    EXPECT_EQ(run.token_at("think")->attempt, 1) << "each turn has its own attempts";
    EXPECT_EQ(run.token_at("think")->turns.size(), 2U);
    // A retry of the run copies the log without what failed.
    std::vector<Event> copied;
    for (const Event& event : run.log) {
        if (event.type != EventType::step_failed) copied.push_back(event);
    }
    EXPECT_EQ(fold(run.definition, copied).tokens[0].turns.size(), 2U);
}

TEST(Agent, ADecisionWithoutAnEdgeLeavesByDefault) {
    GraphRun run(text_with(""));
    run.complete("think", json::object{{"decision", "no_thanks"}});
    EXPECT_EQ(run.wanted(), "other");
}

TEST(Agent, WhatItCannotAnswerLeavesByError) {
    GraphRun run(text_with(""));
    run.fail("think", "agent_answer");
    EXPECT_EQ(run.wanted(), "broken");
}

json::object decided(const GraphRun& run, std::string decision, json::value data = nullptr) {
    const Token& token = *run.token_at("think");
    json::object answer{
        {"token", token.id}, {"visit", token.visit}, {"decision", decision}, {"by", "ann"}};
    if (!data.is_null()) answer["data"] = data;
    return answer;
}

TEST(Agent, APersonLooksAtTheDraftFirst) {
    GraphRun run(text_with(", review: {assignee: ann, due: 1d}"));
    EXPECT_EQ(
        run.complete(
            "think", json::object{{"answer", {{"text", "Hi"}}}, {"decision", "yes_please"}}
        ),
        "step_advanced wait_started"
    );
    EXPECT_EQ(run.wanted(), "");
    EXPECT_EQ(run.log.back().data.at("title"), "Look at what 'think' answers");
    EXPECT_EQ(run.log.back().data.at("data"), json::object({{"text", "Hi"}}));
    run.signal("task", decided(run, "approved"));
    EXPECT_EQ(run.wanted(), "good");
    EXPECT_EQ(run.state.records.back().result.at("answer").at("text"), "Hi");
    EXPECT_EQ(run.state.records.back().result.at("review").at("by"), "ann");
}

TEST(Agent, WhatThePersonWritesReplacesTheAnswer) {
    GraphRun run(text_with(", review: true"));
    run.complete("think", json::object{{"answer", "Hi"}, {"decision", "yes_please"}});
    run.signal("task", decided(run, "approved", "Hello"));
    EXPECT_EQ(run.state.records.back().result.at("answer"), "Hello");
}

TEST(Agent, ARejectedDraftLeavesByRejected) {
    GraphRun run(text_with(", review: true"));
    run.complete("think", json::object{{"answer", "Hi"}, {"decision", "yes_please"}});
    run.signal("task", decided(run, "rejected"));
    EXPECT_EQ(run.wanted(), "bad");
}

TEST(Agent, ARunThatMovesKeepsItsTurns) {
    GraphRun run(text_with(""));
    advance(run, turn(0));
    Definition later = parsed(text_with(", budget: {calls: 3}"));
    RunState moved = run.state;
    ASSERT_FALSE(Crossing(run.definition, later, {}).carry(moved));
    EXPECT_EQ(moved.tokens[0].turns.size(), 1U);
    later.nodes[0] = parsed("name: x\nsteps: [{name: think, code: f}]\n").nodes[0];
    moved = run.state;
    ASSERT_FALSE(Crossing(run.definition, later, {}).carry(moved));
    EXPECT_TRUE(moved.tokens[0].turns.empty());
}

}  // namespace
}  // namespace pawl::plan
