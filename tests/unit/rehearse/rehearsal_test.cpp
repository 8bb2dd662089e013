#include "rehearse/rehearsal.hpp"

#include "base/json.hpp"
#include "model/duration.hpp"
#include "rehearse/mock.hpp"

#include <gtest/gtest.h>

namespace pawl::rehearse {
namespace {

using std::chrono::hours;
using Path = std::vector<std::string>;

Definition parsed(std::string_view text) {
    auto definition = parse_definition(text);
    EXPECT_TRUE(definition) << definition.error().message;
    return definition ? *definition : Definition{};
}

Mock always(Answer answer) {
    return {{{{std::move(answer), 1}}}};
}

Answer after(Duration takes, json::value result = nullptr) {
    Answer answer;
    answer.takes = takes;
    answer.result = std::move(result);
    return answer;
}

Recording play(const Definition& definition, const Mocks& mocks, Script script = {}) {
    const RealSteps none;
    MockWorld world(mocks, none);
    return rehearse(definition, script, world);
}

TEST(Rehearsal, ALineInVirtualTime) {
    const Definition definition = parsed(
        "name: x\nsteps: [{name: a, function: f}, {name: w, wait: 30d}, {name: b, function: f}]"
    );
    const auto recording = play(definition, {{"a", always(after(hours(1), 1))}});
    EXPECT_EQ(recording.status, RunStatus::completed);
    EXPECT_EQ(recording.path, (Path{"a", "w", "b"}));
    EXPECT_EQ(recording.ended.time_since_epoch(), hours(24 * 30 + 1));
    EXPECT_EQ(recording.visits, (std::vector<std::size_t>{1, 1, 1}));
    EXPECT_EQ(recording.taken, (std::vector<std::size_t>{1, 1}));
    ASSERT_EQ(recording.calls.size(), 2U);
    EXPECT_EQ(recording.calls[1].node, "b");
}

TEST(Rehearsal, AnswersByTurnAndTheLastOneForEver) {
    const Definition definition =
        parsed("name: x\nsteps: [{name: a, function: f, retry: {attempts: 4}}]");
    Answer bad;
    bad.error = StepError{ErrorClass::retryable, "busy", "try again", std::nullopt};
    const auto recovered =
        play(definition, {{"a", {{{{bad, 1}}, {{bad, 1}}, {{after({}, 5), 1}}}}}});
    EXPECT_EQ(recovered.status, RunStatus::completed);
    EXPECT_EQ(recovered.output, 5);
    EXPECT_EQ(recovered.calls.size(), 3U);
    EXPECT_EQ(recovered.calls[2].attempt, 3);
    const auto given_up = play(definition, {{"a", always(bad)}});
    EXPECT_EQ(given_up.status, RunStatus::failed);
    EXPECT_EQ(given_up.calls.size(), 4U);
    EXPECT_EQ(given_up.path, Path{"a"}) << "once, when it gave up";
}

TEST(Rehearsal, AStepThatTakesLongerThanItMay) {
    const Definition definition =
        parsed("name: x\nsteps: [{name: a, function: f, timeout: 1m, retry: {attempts: 1}}]");
    const auto recording = play(definition, {{"a", always(after(hours(1)))}});
    EXPECT_EQ(text_in(recording.error, "code"), "timeout");
    EXPECT_EQ(recording.ended.time_since_epoch(), std::chrono::minutes(1));
}

constexpr std::string_view meeting = R"(name: x
nodes:
  - {id: ask, type: human, config: {title: "Really?"}}
  - id: pay
    type: wait
    config:
      events: [{event: paid, key: k, handle: paid}, {event: gone, key: k, handle: gone}]
      mode: any
  - {id: go, type: wait, config: {signal: go}}
  - {id: no, type: function, config: {function: f}}
edges:
  - {from: ask, to: pay, handle: approved}
  - {from: ask, to: no, handle: rejected}
  - {from: pay, to: go, handle: paid}
  - {from: pay, to: no, handle: gone}
)";

TEST(Rehearsal, AMockedPersonAnswersByItself) {
    const Definition definition = parsed(meeting);
    Answer paid = after(hours(2), json::object{{"amount", 5}});
    paid.event = "paid";
    Mocks mocks{
        {"ask", always(after(hours(1)))}, {"pay", always(paid)}, {"go", always(after(hours(3)))}};
    const auto all = play(definition, mocks);
    EXPECT_EQ(all.status, RunStatus::completed);
    EXPECT_EQ(all.path, (Path{"ask", "pay", "go"}));
    EXPECT_EQ(all.ended.time_since_epoch(), hours(6));
    mocks["ask"].turns[0][0].answer.decision = "rejected";
    EXPECT_EQ(play(definition, mocks).path, (Path{"ask", "no"}));
    mocks["ask"].turns[0][0].answer.decision = "approved";
    mocks["pay"].turns[0][0].answer.event = "gone";
    EXPECT_EQ(play(definition, mocks).path, (Path{"ask", "pay", "no"}));
}

TEST(Rehearsal, WhatHappensAtATime) {
    const Definition definition = parsed(meeting);
    Script script;
    Happening decide{hours(5), Happening::Kind::decide, "ask", "", nullptr, {}};
    decide.answer.decision = "approved";
    script.happenings = {
        {hours(1), Happening::Kind::event, "paid", "k", 1, {}},  // before a step waits for it
        {hours(2), Happening::Kind::signal, "go", "", 1, {}},
        decide};
    const auto recording = play(definition, {}, script);
    EXPECT_EQ(recording.status, RunStatus::completed);
    EXPECT_EQ(recording.path, (Path{"ask", "pay", "go"}));
    EXPECT_EQ(recording.ended.time_since_epoch(), hours(5));
}

TEST(Rehearsal, NoPersonThere) {
    const Definition definition = parsed(meeting);
    const auto waiting = play(definition, {});
    EXPECT_EQ(waiting.status, RunStatus::running);
    EXPECT_EQ(waiting.waits_at, Path{"ask"});
    Script script;
    Happening late{hours(1), Happening::Kind::decide, "ask", "", nullptr, {}};
    late.answer.decision = "rejected";
    script.happenings = {late, late};
    const auto twice = play(definition, {{"no", always(after(hours(2)))}}, script);
    EXPECT_EQ(twice.status, RunStatus::completed);
    ASSERT_EQ(twice.remarks.size(), 1U) << "the second decision came too late";
}

TEST(Rehearsal, CancelPauseResumeAndSkip) {
    const Definition definition = parsed(
        "name: x\nsteps: [{name: a, function: f}, {name: b, function: f}, {name: c, function: f}]"
    );
    const Mocks mocks{{"a", always(after(hours(2)))}, {"b", always(after(hours(2)))}};
    using Kind = Happening::Kind;
    Script script;
    script.happenings = {{hours(3), Kind::cancel, "enough", "", nullptr, {}}};
    EXPECT_EQ(play(definition, mocks, script).status, RunStatus::cancelled);
    script.happenings = {
        {hours(1), Kind::pause, "wait", "", nullptr, {}},
        {hours(9), Kind::resume, "", "", nullptr, {}}};
    const auto paused = play(definition, mocks, script);
    EXPECT_EQ(paused.status, RunStatus::completed);
    EXPECT_EQ(paused.ended.time_since_epoch(), hours(11));
    script.happenings = {{hours(3), Kind::skip, "b", "", 7, {}}};
    const auto skipped = play(definition, mocks, script);
    EXPECT_EQ(skipped.path, (Path{"a", "b", "c"}));
    EXPECT_EQ(skipped.ended.time_since_epoch(), hours(4)) << "the call of b was under way";
}

TEST(Rehearsal, ItemsAndTheEdgesTheyTook) {
    const Definition definition = parsed(R"(name: x
nodes:
  - {id: all, type: foreach, config: {items: [1, 2, 3], concurrency: 2}}
  - {id: one, type: function, config: {function: f, payload: {n: "{{ item }}"}}}
  - {id: after, type: emit, config: {event: done, key: k, data: {n: 3}}}
  - {id: heard, type: wait, config: {event: done, key: k}}
edges:
  - {from: all, to: one, handle: each}
  - {from: all, to: after}
  - {from: after, to: heard}
)");
    const auto recording = play(definition, {{"one", always(after(hours(1)))}});
    EXPECT_EQ(recording.status, RunStatus::completed);
    EXPECT_EQ(recording.taken, (std::vector<std::size_t>{3, 1, 1}));
    EXPECT_EQ(recording.visits, (std::vector<std::size_t>{1, 3, 1, 1}));
    EXPECT_EQ(recording.ended.time_since_epoch(), hours(2));
    EXPECT_EQ(*find(*find(recording.calls[2].config, "payload"), "n"), 3);
    ASSERT_EQ(recording.emitted.size(), 1U);
    EXPECT_EQ(recording.emitted[0].event, "done") << "and it hears what it says itself";
}

TEST(Rehearsal, AConditionOnTheDatabaseMustBeMocked) {
    const Definition definition = parsed(R"(name: x
nodes:
  - id: pro
    type: condition
    config: {query: {table: users, field: plan, operator: "=", value: pro}}
  - {id: yes, type: function, config: {function: f}}
edges: [{from: pro, to: yes, handle: "true"}]
)");
    EXPECT_EQ(text_in(play(definition, {}).error, "code"), "not_mocked");
    const Mocks mocks{{"pro", always(after({}, json::object{{"result", true}}))}};
    EXPECT_EQ(play(definition, mocks).path, (Path{"pro", "yes"}));
}

TEST(Rehearsal, ARunWithoutAnEndIsLeftAlone) {
    const Definition definition = parsed(R"(name: x
nodes:
  - {id: a, type: wait, config: {duration: 1d}}
edges: [{from: a, to: a}]
)");
    Script script;
    script.limit = hours(24 * 10);
    const auto recording = play(definition, {}, script);
    EXPECT_TRUE(recording.stopped);
    EXPECT_EQ(recording.taken[0], 10U);
}

TEST(Rehearsal, ChancesComeFromTheSeed) {
    const Definition definition =
        parsed("name: x\nsteps: [{name: a, function: f, retry: {attempts: 1}}]");
    Answer bad;
    bad.error = StepError{ErrorClass::permanent, "no", "no", std::nullopt};
    const Mocks mocks{{"a", {{{{after({}), 3}, {bad, 1}}}}}};
    const RealSteps none;
    int failed = 0;
    for (std::uint64_t seed = 0; seed < 1000; ++seed) {
        MockWorld world(mocks, none, seed);
        failed += rehearse(definition, {}, world).status == RunStatus::failed ? 1 : 0;
    }
    EXPECT_GT(failed, 180);
    EXPECT_LT(failed, 320);
}

TEST(Rehearsal, PeopleDecideAsTheyWouldOnAServer) {
    const Definition definition = parsed(
        "name: x\nsteps: [{name: ask, human: {title: t, approvers: [ann, bob, cyd], approvals: 2, "
        "exclude: '{{ input.by }}'}}]"
    );
    const auto decide = [](int hour, std::string by) {
        Happening one{hours(hour), Happening::Kind::decide, "ask", "", nullptr, {}};
        one.answer.decision = "approved";
        one.answer.by = std::move(by);
        return one;
    };
    Script script;
    script.input = json::object{{"by", "cyd"}};
    script.happenings = {decide(1, "ann"), decide(2, "cyd"), decide(3, "eve"), decide(4, " Ann")};
    const auto open = play(definition, {}, script);
    EXPECT_EQ(open.waits_at, (Path{"ask"})) << "one of two has approved, whatever others said";
    ASSERT_EQ(open.remarks.size(), 3U);
    EXPECT_NE(open.remarks[0].find("cyd may not decide"), std::string::npos);
    EXPECT_NE(open.remarks[1].find("eve is not asked"), std::string::npos);
    EXPECT_NE(open.remarks[2].find("Ann has approved it already"), std::string::npos);
    script.happenings.push_back(decide(5, "bob"));
    EXPECT_EQ(play(definition, {}, script).status, RunStatus::completed);
}

}  // namespace
}  // namespace pawl::rehearse
