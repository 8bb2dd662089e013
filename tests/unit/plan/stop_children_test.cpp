// What a run that stops, or a person who skips a step, means for calls and children under way.
#include "graph_run.hpp"
#include "plan/why.hpp"

namespace pawl::plan {
namespace {

// --- skipped while it is under way ---

TEST(Skip, AStopWaitsForTheCallOfASkippedStep) {
    GraphRun run(R"(
name: x
nodes: [{id: charge, code: f, compensate: refund}, {id: ship, code: f}, {id: refund, code: f}]
edges: [{from: charge, to: ship}]
)");
    run.signal("skip", {{"node", "charge"}, {"by", "ann"}});
    EXPECT_EQ(run.wanted(), "ship");
    EXPECT_EQ(names(run.feed(CancelRequested{"enough"})), "run_stopping");
    run.complete("ship", 1);
    EXPECT_EQ(run.status(), "running");
    EXPECT_EQ(run.complete("charge", 7), "step_completed compensation_started");
    EXPECT_EQ(run.wanted(), "refund");
}

TEST(Skip, WhatASkippedStepDoesAfterAllIsUndoneAndNotSeen) {
    GraphRun run(R"(
name: x
nodes: [{id: charge, code: f, compensate: refund}, {id: ship, code: f}, {id: refund, code: f}]
edges: [{from: charge, to: ship}]
)");
    run.signal("skip", {{"node", "charge"}, {"by", "ann"}, {"value", 5}});
    run.complete("charge", 7);
    EXPECT_EQ(run.wanted(), "refund ship");
    Scope scope(run.definition, run.state);
    const auto path = placeholders("{{ steps.charge.result }}");
    EXPECT_EQ(*scope.find(path->front().path), 5);
    run.complete("refund", 1);
    run.complete("ship", 2);
    EXPECT_EQ(run.status(), "completed 2");
}

TEST(Skip, TheChildOfASkippedCallEnds) {
    GraphRun run("name: x\nsteps: [{name: c, call: {workflow: w}}, {name: d, code: f}]");
    run.pend("c", {{"for", "child"}, {"run", "R1"}});
    const auto events = run.feed(SignalReceived{1, "skip", json::object{{"node", "c"}}});
    ASSERT_EQ(names(events), "step_skipped");
    EXPECT_EQ(events[0].data.at("ends").at(0), "R1");
    run.complete("d", 1);
    EXPECT_EQ(run.status(), "running");
    run.signal("child", {{"token", 0}, {"run", "R1"}, {"status", "cancelled"}});
    EXPECT_EQ(run.status(), "completed 1");
}

TEST(Skip, AStepThatDidNotTakePlaceIsNotUndone) {
    GraphRun run(R"(
name: x
nodes:
- {id: charge, code: f, compensate: refund, retry: {attempts: 5}}
- {id: ship, code: f}
- {id: refund, code: f}
edges: [{from: charge, to: ship}]
)");
    run.fail("charge", "http_503", ErrorClass::retryable);
    run.signal("skip", {{"node", "charge"}, {"by", "ann"}, {"value", 5}});
    run.fail("ship", "boom");
    EXPECT_EQ(run.status(), "failed boom");
}

TEST(Skip, WhatTookPlaceAllTheSameIsUndoneOnce) {
    GraphRun run(R"(
name: x
nodes: [{id: charge, code: f, compensate: refund}, {id: ship, code: f}, {id: refund, code: f}]
edges: [{from: charge, to: ship}]
)");
    run.signal("skip", {{"node", "charge"}, {"by", "ann"}});
    run.complete("charge", 7);
    run.complete("refund", 1);
    run.fail("ship", "boom");
    EXPECT_EQ(run.status(), "failed boom") << "there is nothing more to undo";
}

// Its first attempt ran out of time.
TEST(Skip, WhatMayHaveTakenPlaceIsUndone) {
    GraphRun run(R"(
name: x
nodes:
- {id: charge, code: f, compensate: refund, retry: {attempts: 5}}
- {id: ship, code: f}
- {id: refund, code: f}
edges: [{from: charge, to: ship}]
)");
    run.fail("charge", "timeout", ErrorClass::retryable);
    run.signal("skip", {{"node", "charge"}, {"by", "ann"}});
    run.fail("ship", "boom");
    EXPECT_EQ(run.wanted(), "refund");
}

// --- children ---

constexpr std::string_view late_child = R"(
name: x
nodes:
- {id: c, call: {workflow: w}, timeout: 10s, compensate: u}
- {id: d, code: f}
- {id: u, code: f}
edges: [{from: c, to: d, handle: error.timeout}]
)";

TEST(LateChild, EndsAndIsWaitedForBeforeItsCallerGoesOn) {
    GraphRun run(late_child);
    run.pend("c", {{"for", "child"}, {"run", "R1"}});
    run.pass_time(11);
    EXPECT_EQ(run.log.back().type, EventType::wait_noted);
    EXPECT_EQ(run.log.back().data.at("ends").at(0), "R1");
    EXPECT_EQ(run.wanted(), "");
    run.signal("child", {{"token", 0}, {"run", "R1"}, {"status", "cancelled"}});
    EXPECT_EQ(run.wanted(), "d");
    run.fail("d", "boom");
    EXPECT_EQ(run.status(), "failed boom") << "the child has undone what it did";
}

TEST(LateChild, ThatCompletedAllTheSameIsUndone) {
    GraphRun run(late_child);
    run.pend("c", {{"for", "child"}, {"run", "R1"}});
    run.pass_time(11);
    run.signal("child", {{"token", 0}, {"run", "R1"}, {"status", "completed"}, {"output", 1}});
    EXPECT_EQ(run.wanted(), "d");
    run.fail("d", "boom");
    EXPECT_EQ(run.wanted(), "u");
}

TEST(LateChild, ComesToItsOwnEndWhenItsCallerWaitsForIt) {
    GraphRun run(
        "name: x\nsteps: [{name: c, call: {workflow: w, on_parent_close: wait}, timeout: 10s}]"
    );
    run.pend("c", {{"for", "child"}, {"run", "R1"}});
    run.pass_time(11);
    EXPECT_EQ(run.log.back().type, EventType::wait_noted);
    EXPECT_FALSE(run.log.back().data.get_object().contains("ends"));
    EXPECT_EQ(run.status(), "running");
    run.signal("child", {{"token", 0}, {"run", "R1"}, {"status", "completed"}, {"output", 1}});
    EXPECT_EQ(run.status(), "failed timeout");
}

TEST(LateChild, GoesOnWhenItsCallerSaysSo) {
    GraphRun run(
        "name: x\nsteps: [{name: c, call: {workflow: w, on_parent_close: abandon}, timeout: 10s}]"
    );
    run.pend("c", {{"for", "child"}, {"run", "R1"}});
    run.pass_time(11);
    EXPECT_EQ(run.status(), "failed timeout");
}

constexpr std::string_view list_of_children = R"(
name: x
nodes:
- {id: c, foreach: {items: [1, 2], workflow: w}, compensate: u}
- {id: d, code: f}
- {id: u, code: {function: f, input: "{{ undo.result }} {{ item }} {{ index }}"}}
edges: [{from: c, to: d}]
)";

TEST(ChildrenOfAList, AreUndoneOneByOne) {
    GraphRun run(list_of_children);
    run.complete("c", 1);
    run.complete("c", 2);
    ASSERT_EQ(run.wanted(), "d");
    run.fail("d", "boom");
    const Token* token = run.token_at("u");
    ASSERT_NE(token, nullptr);
    const auto config =
        render_config(run.definition, run.state, token->node, token->frame, token->id);
    ASSERT_TRUE(config);
    EXPECT_EQ((*config)->at("input"), "2 2 1");
    run.complete("u", nullptr);
    run.complete("u", nullptr);
    EXPECT_EQ(run.status(), "failed boom");
}

std::string child_of(std::string_view policy) {
    return "name: x\nsteps: [{name: c, call: {workflow: w" + std::string(policy) + "}}]";
}

TEST(Stop, AChildIsAskedToEndAndWaitedFor) {
    GraphRun run(child_of(""));
    run.pend("c", {{"for", "child"}, {"run", "R1"}});
    const auto events = run.feed(CancelRequested{"enough"});
    ASSERT_EQ(names(events), "run_stopping");
    EXPECT_EQ(events[0].data.at("ends").at(0), "R1");
    run.signal("child", {{"token", 0}, {"run", "R1"}, {"status", "cancelled"}});
    EXPECT_EQ(run.status(), "cancelled");
}

json::value child_that_is_not_undone() {
    return json::parse(R"({
        "class": "permanent", "code": "boom", "message": "it broke", "not_undone": [
            {"step": "charge", "by": "refund", "record": 0,
             "error": {"class": "permanent", "code": "gone", "message": "no such charge"}}]
    })");
}

TEST(Stop, WhatAChildCouldNotUndoIsInTheErrorOfItsCaller) {
    GraphRun run(child_of(""));
    run.pend("c", {{"for", "child"}, {"run", "R1"}});
    run.signal(
        "child",
        {{"token", 0}, {"run", "R1"}, {"status", "failed"}, {"error", child_that_is_not_undone()}}
    );
    EXPECT_EQ(run.status(), "failed child_failed");
    EXPECT_EQ(
        run.state.error.at("message"),
        "the child run R1 failed: it broke; 'refund' could not undo 'charge' in R1: no such charge"
    );
    EXPECT_EQ(run.state.error.at("children_not_undone").at(0).at("step"), "charge");
    EXPECT_FALSE(run.state.error.as_object().contains("not_undone"));
}

TEST(Stop, WhyTellsWhatAChildCouldNotUndoInEnding) {
    GraphRun run(child_of(""));
    run.pend("c", {{"for", "child"}, {"run", "R1"}});
    run.feed(CancelRequested{"enough"});
    run.signal(
        "child",
        {{"token", 0},
         {"run", "R1"},
         {"status", "cancelled"},
         {"error", child_that_is_not_undone()}}
    );
    EXPECT_EQ(run.status(), "cancelled");
    EXPECT_EQ(run.state.error.at("code"), "children_not_undone");
    EXPECT_EQ(
        run.state.error.at("message"), "'refund' could not undo 'charge' in R1: no such charge"
    );
    EXPECT_EQ(run.state.error.at("children_not_undone").at(0).at("run"), "R1");
    EXPECT_FALSE(run.state.error.as_object().contains("not_undone")) << "the child has that";
    EXPECT_EQ(
        sentence_of(why(run.definition, run.state, {}, at(0))),
        "It was cancelled. A child run is not undone: 'refund' could not undo 'charge' in R1: no "
        "such charge."
    );
}

TEST(Stop, AChildMayBeLetComeToItsEnd) {
    GraphRun run(child_of(", on_parent_close: wait"));
    run.pend("c", {{"for", "child"}, {"run", "R1"}});
    const auto events = run.feed(CancelRequested{"enough"});
    ASSERT_EQ(names(events), "run_stopping");
    EXPECT_FALSE(events[0].data.as_object().contains("ends"));
    run.signal("child", {{"token", 0}, {"run", "R1"}, {"status", "completed"}});
    EXPECT_EQ(run.status(), "cancelled");
}

TEST(Stop, AChildMayBeLeftAlone) {
    GraphRun run(child_of(", on_parent_close: abandon"));
    run.pend("c", {{"for", "child"}, {"run", "R1"}});
    EXPECT_EQ(names(run.feed(CancelRequested{"enough"})), "run_cancelled");
}

}  // namespace
}  // namespace pawl::plan
