#include "graph_run.hpp"
#include "plan/skip.hpp"

namespace pawl::plan {
namespace {

TEST(Graph, ParallelBranchesJoin) {
    GraphRun run(R"(
name: x
nodes:
- {id: split, type: parallel}
- {id: a, code: f}
- {id: b, code: f}
- {id: both, type: join}
- {id: after, code: f}
edges:
- {from: split, to: a}
- {from: split, to: b}
- {from: a, to: both}
- {from: b, to: both}
- {from: both, to: after}
)");
    EXPECT_EQ(run.wanted(), "a b");
    run.complete("b", 2);
    EXPECT_EQ(run.wanted(), "a");
    run.complete("a", 1);
    EXPECT_EQ(run.wanted(), "after");
    run.complete("after", 3);
    EXPECT_EQ(run.status(), "completed 3");
}

TEST(Graph, ChosenWaitsOnlyForTheBranchesThatWereTaken) {
    GraphRun run(
        R"(
name: x
nodes:
- {id: split, type: parallel}
- {id: big, type: condition, config: {path: input.total, operator: ">", value: 10}}
- {id: a, code: f}
- {id: b, code: f}
- {id: both, type: join}
edges:
- {from: split, to: big}
- {from: split, to: b}
- {from: big, to: a, handle: "true"}
- {from: a, to: both}
- {from: b, to: both}
)",
        {{"total", 5}}
    );
    EXPECT_EQ(run.wanted(), "b");
    run.complete("b", 1);
    EXPECT_EQ(run.status(), "completed 1");
}

TEST(Graph, AllFailsWhenABranchWasNotTaken) {
    GraphRun run(
        R"(
name: x
nodes:
- {id: split, type: parallel}
- {id: big, type: condition, config: {path: input.total, operator: ">", value: 10}}
- {id: a, code: f}
- {id: b, code: f}
- {id: both, join: all}
edges:
- {from: split, to: big}
- {from: split, to: b}
- {from: big, to: a, handle: "true"}
- {from: a, to: both}
- {from: b, to: both}
)",
        {{"total", 5}}
    );
    run.complete("b", 1);
    EXPECT_EQ(run.status(), "failed join_incomplete");
}

constexpr std::string_view race = R"(
name: x
nodes:
- {id: split, type: parallel}
- {id: a, code: f}
- {id: b, code: f}
- {id: first, type: join, config: {mode: any}}
- {id: after, code: f}
edges:
- {from: split, to: a}
- {from: split, to: b}
- {from: a, to: first}
- {from: b, to: first}
- {from: first, to: after}
)";

TEST(Graph, AnyGoesOnWithTheFirstAndLetsTheRestRun) {
    GraphRun run(race);
    run.complete("a", 1);
    EXPECT_EQ(run.wanted(), "after b");
    run.complete("after", 2);
    EXPECT_EQ(run.status(), "running");
    run.complete("b", 3);
    EXPECT_EQ(run.status(), "completed 3");
}

TEST(Graph, CancelRestWithdrawsTheOthers) {
    std::string text(race);
    text.replace(text.find("{mode: any}"), 11, "{mode: any, cancel_rest: true}");
    GraphRun run(text);
    run.complete("a", 1);
    EXPECT_EQ(run.wanted(), "after");
    // Its effect took place all the same; what it left is of no use any more.
    EXPECT_EQ(run.complete("b", 3), "step_completed");
    run.complete("after", 2);
    EXPECT_EQ(run.status(), "completed 2");
}

TEST(Graph, SwitchTakesTheFirstCaseThatHolds) {
    const std::string_view text = R"(
name: x
nodes:
- id: kind
  switch:
    value: "{{ input.kind }}"
    cases: [{equals: gold, handle: gold}, {equals: silver, handle: silver}]
- {id: g, code: f}
- {id: s, code: f}
- {id: d, code: f}
edges:
- {from: kind, to: g, handle: gold}
- {from: kind, to: s, handle: silver}
- {from: kind, to: d}
)";
    EXPECT_EQ(GraphRun(text, {{"kind", "silver"}}).wanted(), "s");
    EXPECT_EQ(GraphRun(text, {{"kind", "gold"}}).wanted(), "g");
    EXPECT_EQ(GraphRun(text, {{"kind", "tin"}}).wanted(), "d");
}

TEST(Graph, ConditionalEdgesTakeOneOrMore) {
    const std::string_view text = R"(
name: x
nodes:
- {id: start, code: f}
- {id: a, code: f}
- {id: b, code: f}
- {id: c, code: f}
edges:
- {from: start, to: a, when: {path: n, operator: ">", value: 1}}
- {from: start, to: b, when: {path: n, operator: ">", value: 2}}
- {from: start, to: c, when: {path: n, operator: ">", value: 3}}
)";
    GraphRun run(text);
    run.complete("start", json::object{{"n", 3}});
    EXPECT_EQ(run.wanted(), "a b");
    GraphRun none(text);
    none.complete("start", json::object{{"n", 0}});
    EXPECT_EQ(none.status(), "completed {\"n\":0}");
}

TEST(Graph, LoopGoesRoundUntilItsConditionHolds) {
    GraphRun run(R"(
name: x
nodes:
- {id: again, type: loop, config: {until: {path: left, operator: "=", value: 0}}}
- {id: work, code: f}
- {id: after, code: f}
edges:
- {from: again, to: work, handle: each}
- {from: work, to: again}
- {from: again, to: after}
)");
    for (int left : {2, 1, 0}) {
        EXPECT_EQ(run.wanted(), "work") << left;
        run.complete("work", json::object{{"left", left}});
    }
    EXPECT_EQ(run.wanted(), "after");
}

TEST(Graph, EndlessLoopIsStopped) {
    GraphRun run(
        R"(
name: x
nodes:
- {id: again, type: loop, config: {while: {path: input.go, operator: "=", value: true}, max: 3}}
- {id: work, code: f}
edges:
- {from: again, to: work, handle: each}
- {from: work, to: again}
)",
        {{"go", true}}
    );
    for (int i = 0; i < 3; ++i) run.complete("work", i);
    EXPECT_EQ(run.status(), "failed loop_limit");
    EXPECT_EQ(run.state.error.at("message"), "the loop went round 3 times, which is its max");
}

TEST(Graph, ACircleOfStepsIsStoppedToo) {
    GraphRun run(R"(
name: x
nodes: [{id: a, code: f}, {id: b, code: f}]
edges: [{from: a, to: b}, {from: b, to: a}]
)");
    int rounds = 0;
    while (run.status() == "running" && rounds < 5000) {
        run.complete(run.wanted(), nullptr);
        ++rounds;
    }
    EXPECT_EQ(run.status(), "failed loop_limit");
    EXPECT_NE(
        std::string(run.state.error.at("message").as_string()).find("belong into child runs"),
        std::string::npos
    ) << run.state.error;
    EXPECT_EQ(rounds, 2000);
}

TEST(Graph, ErrorEdgesCatchByCodeThenByClassThenAny) {
    const std::string_view text = R"(
name: x
nodes:
- {id: pay, code: f, retry: {attempts: 1}}
- {id: card, code: {function: f, input: "{{ error.message }}"}}
- {id: other, code: f}
- {id: any, code: f}
edges:
- {from: pay, to: card, handle: error.declined}
- {from: pay, to: other, handle: error.permanent}
- {from: pay, to: any, handle: error}
)";
    GraphRun declined(text);
    declined.fail("pay", "declined");
    EXPECT_EQ(declined.wanted(), "card");
    GraphRun permanent(text);
    permanent.fail("pay", "other");
    EXPECT_EQ(permanent.wanted(), "other");
    GraphRun any(text);
    any.fail("pay", "busy", ErrorClass::retryable);
    EXPECT_EQ(any.wanted(), "any");
}

TEST(Graph, RetryListTakesTheFirstRuleThatNamesTheError) {
    const std::string_view text = R"(
name: x
steps:
- {name: a, code: f, retry: [{errors: [busy], attempts: 2}, {errors: ["*"], attempts: 1}]}
)";
    GraphRun busy(text);
    busy.fail("a", "busy", ErrorClass::retryable);
    EXPECT_EQ(busy.status(), "running");
    GraphRun other(text);
    other.fail("a", "other", ErrorClass::retryable);
    EXPECT_EQ(other.status(), "failed other");
}

TEST(Graph, CompensationsRunInReverse) {
    GraphRun run(R"(
name: x
nodes:
- {id: book, code: f, compensate: unbook}
- {id: pay, code: f, compensate: refund}
- {id: ship, code: f, retry: {attempts: 1}}
- {id: unbook, code: f}
- {id: refund, code: {function: f, input: "{{ steps.pay.result }}"}}
edges:
- {from: book, to: pay}
- {from: pay, to: ship}
)");
    run.complete("book", 1);
    run.complete("pay", 2);
    run.fail("ship", "gone");
    EXPECT_EQ(run.wanted(), "refund");
    run.complete("refund", nullptr);
    EXPECT_EQ(run.wanted(), "unbook");
    EXPECT_EQ(run.status(), "running");
    run.complete("unbook", nullptr);
    EXPECT_EQ(run.status(), "failed gone");
}

TEST(Graph, CancelCompensatesToo) {
    GraphRun run(R"(
name: x
nodes:
- {id: book, code: f, compensate: unbook}
- {id: ship, code: f}
- {id: unbook, code: f}
edges: [{from: book, to: ship}]
)");
    run.complete("book", 1);
    run.feed(CancelRequested{"changed my mind"});
    run.fail("ship", "gone");
    EXPECT_EQ(run.wanted(), "unbook");
    run.complete("unbook", nullptr);
    EXPECT_EQ(run.status(), "cancelled");
}

TEST(Graph, ExitEndsTheWholeRun) {
    GraphRun run(R"(
name: x
nodes:
- {id: split, type: parallel}
- {id: a, code: f}
- {id: b, code: f}
- {id: out, type: exit, config: {output: "{{ steps.a.result }}"}}
edges: [{from: split, to: a}, {from: split, to: b}, {from: a, to: out}]
)");
    run.complete("a", 7);
    EXPECT_EQ(run.status(), "running");
    run.complete("b", 8);
    EXPECT_EQ(run.status(), "completed 7");
}

TEST(Graph, CancelWithdrawsARegion) {
    GraphRun run(R"(
name: x
nodes:
- {id: split, type: parallel}
- {id: a, code: f}
- {id: b, code: f}
- {id: c, code: f}
- {id: stop, type: cancel, config: {nodes: [b, c]}}
- {id: after, code: f}
edges:
- {from: split, to: a}
- {from: split, to: b}
- {from: split, to: c}
- {from: a, to: stop}
- {from: stop, to: after}
)");
    run.complete("a", 1);
    EXPECT_EQ(run.wanted(), "after");
}

TEST(Graph, PausedRunHoldsBeforeItsNextEffect) {
    GraphRun run("name: x\nsteps: [{name: a, code: f}, {name: b, code: f}]");
    run.signal("pause", {});
    EXPECT_EQ(run.wanted(), "");
    run.complete("a", 1);
    EXPECT_EQ(run.wanted(), "");
    run.signal("resume", {});
    EXPECT_EQ(run.wanted(), "b");
}

TEST(Graph, ASkippedStepIsLeftByItsDefaultWay) {
    GraphRun run("name: x\nsteps: [{name: a, code: f}, {name: b, code: f}]");
    run.signal("skip", {{"node", "a"}, {"by", "ann"}, {"value", 5}});
    EXPECT_EQ(run.wanted(), "b");
    run.complete("b", 1);
    // Its call is under way: the run ends when that is over.
    EXPECT_EQ(run.status(), "running");
    run.complete("a", 9);
    EXPECT_EQ(run.status(), "completed 1");
}

TEST(Graph, OnlyAStepThatTheRunIsAtCanBeSkipped) {
    GraphRun run(R"(
        name: x
        nodes: [{id: both, type: parallel}, {id: left, type: code, config: {function: f}},
                {id: right, type: code, config: {function: f}}, {id: after, type: join}]
        edges: [{from: both, to: left}, {from: both, to: right}, {from: left, to: after},
                {from: right, to: after}]
    )");
    using Verdict = SkipCheck::Verdict;
    const auto check = [&](std::string_view node) {
        return check_skip(run.definition, run.state, node);
    };
    EXPECT_EQ(check("left").verdict, Verdict::fine);
    EXPECT_EQ(check("lefd").verdict, Verdict::unknown_node);
    EXPECT_EQ(
        check("lefd").sentence, "the run's workflow has no step 'lefd', did you mean 'left'?"
    );
    EXPECT_EQ(check("after").verdict, Verdict::not_open);
    EXPECT_EQ(
        check("after").sentence, "the run is not at the step 'after' now; it is at left, right"
    );
    run.signal("skip", {{"node", "left"}, {"by", "ann"}});
    EXPECT_EQ(check("left").verdict, Verdict::not_open);
    run.complete("right", 1);
    EXPECT_EQ(check("left").sentence, "the run is not at the step 'left' now; it is at no step");
}

}  // namespace
}  // namespace pawl::plan
