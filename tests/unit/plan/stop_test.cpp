#include "graph_run.hpp"
#include "plan/released.hpp"

namespace pawl::plan {
namespace {

constexpr std::string_view charge = R"(
name: x
nodes:
- {id: charge, code: f, compensate: refund}
- {id: ship, code: f}
- {id: refund, code: {function: f, input: "{{ undo.result }}"}}
edges: [{from: charge, to: ship}]
)";

TEST(Stop, ACancelWaitsForWhatIsUnderWayAndUndoesIt) {
    GraphRun run(charge);
    EXPECT_EQ(names(run.feed(CancelRequested{"enough"})), "run_stopping");
    EXPECT_EQ(run.wanted(), "");
    EXPECT_EQ(run.status(), "running");
    EXPECT_EQ(run.complete("charge", 1), "step_completed compensation_started");
    EXPECT_EQ(run.wanted(), "refund");
    run.complete("refund", nullptr);
    EXPECT_EQ(run.status(), "cancelled");
}

TEST(Stop, AStepThatFailsWhileItIsWaitedForIsNotTriedAgain) {
    GraphRun run("name: x\nsteps: [{name: a, code: f, retry: {attempts: 5}}]");
    run.feed(CancelRequested{"enough"});
    EXPECT_EQ(run.fail("a", "http_503", ErrorClass::retryable), "step_failed run_cancelled");
}

TEST(Stop, WhatMayHaveTakenPlaceIsKnownOfOneVisit) {
    GraphRun run(R"(
name: x
nodes:
- {id: book, code: f, compensate: unbook}
- {id: pay, code: f, compensate: repay, retry: {attempts: 1}}
- {id: unbook, code: f}
- {id: repay, code: f}
edges: [{from: book, to: pay}]
)");
    run.fail("book", "timeout", ErrorClass::retryable);
    run.pass_time(3600);
    run.complete("book", 1);
    run.fail("pay", "declined");
    EXPECT_EQ(run.wanted(), "unbook") << "nothing was paid";
}

TEST(Stop, ASecondCancelDoesNotAbortTheUndoing) {
    GraphRun run(charge);
    run.complete("charge", 1);
    run.feed(CancelRequested{"enough"});
    EXPECT_EQ(names(run.feed(CancelRequested{"really"})), "");
    run.complete("ship", 2);
    EXPECT_EQ(names(run.feed(CancelRequested{"really"})), "");
    EXPECT_EQ(run.wanted(), "refund");
    run.complete("refund", nullptr);
    EXPECT_EQ(run.status(), "cancelled");
    EXPECT_EQ(run.log.back().data.at("reason"), "enough");
}

TEST(Stop, ForceEndsAtOnceAndNotesWhatIsLeftAlone) {
    GraphRun run(charge);
    EXPECT_EQ(names(run.feed(CancelRequested{"now", true})), "step_failed run_cancelled");
    EXPECT_EQ(run.log.at(1).error.at("code"), "abandoned");
    EXPECT_EQ(run.status(), "cancelled");
}

TEST(Stop, AFailureWaitsForTheOtherBranch) {
    GraphRun run(R"(
name: x
nodes:
- {id: split, type: parallel}
- {id: a, code: f}
- {id: charge, code: f, compensate: refund}
- {id: refund, code: f}
edges: [{from: split, to: a}, {from: split, to: charge}]
)");
    EXPECT_EQ(run.fail("a", "gone"), "step_failed run_stopping");
    EXPECT_EQ(run.complete("charge", 1), "step_completed compensation_started");
    run.complete("refund", nullptr);
    EXPECT_EQ(run.status(), "failed gone");
}

TEST(Stop, ATimeoutOfTheRunWaitsAsWell) {
    GraphRun run(R"(
name: x
timeout: 10s
nodes: [{id: charge, code: f, compensate: refund}, {id: refund, code: f}]
)");
    EXPECT_EQ(run.pass_time(11), "run_stopping");
    run.complete("charge", 1);
    run.complete("refund", nullptr);
    EXPECT_EQ(run.status(), "failed run_timeout");
}

TEST(Stop, WhatWasNotBegunIsNotWaitedFor) {
    GraphRun run(charge);
    const Work idle;
    Moment moment{at(0), 0.5, nullptr, &idle};
    const auto events = decide(run.definition, run.state, CancelRequested{"enough"}, moment);
    EXPECT_EQ(names(events), "run_cancelled");
    run.log.insert(run.log.end(), events.begin(), events.end());
}

TEST(Stop, WhatALostWorkerMayHaveDoneIsUndone) {
    GraphRun run(charge);
    const Work lost{{}, wants(run.state, at(0)).steps};
    Moment moment{at(0), 0.5, nullptr, &lost};
    const auto events = decide(run.definition, run.state, CancelRequested{"enough"}, moment);
    EXPECT_EQ(names(events), "run_stopping step_failed compensation_started");
    EXPECT_EQ(events[1].error.at("code"), "outcome_unknown");
    run.log.insert(run.log.end(), events.begin(), events.end());
    EXPECT_EQ(run.wanted(), "refund");
}

TEST(Stop, WhatIsLostWhileItIsWaitedForCountsAsMaybeDone) {
    GraphRun run(charge);
    run.feed(CancelRequested{"enough"});
    const Work idle;
    Moment moment{at(0), 0.5, nullptr, &idle};
    const auto events = decide(run.definition, run.state, Resumed{}, moment);
    EXPECT_EQ(names(events), "step_failed compensation_started");
    run.log.insert(run.log.end(), events.begin(), events.end());
    EXPECT_EQ(run.wanted(), "refund");
}

TEST(Stop, AnAmbiguousFailureIsUndone) {
    GraphRun run(R"(
name: x
nodes:
- {id: charge, code: f, compensate: refund, retry: {attempts: 1, ambiguous: fail}}
- {id: refund, code: f}
)");
    run.fail("charge", "network", ErrorClass::ambiguous);
    EXPECT_EQ(run.wanted(), "refund");
}

TEST(Stop, AWithdrawnBranchIsUndoneWhileTheRunGoesOn) {
    GraphRun run(R"(
name: x
nodes:
- {id: split, type: parallel}
- {id: fast, code: f}
- {id: slow, code: f, compensate: unslow}
- {id: first, type: join, config: {mode: any, cancel_rest: true}}
- {id: after, code: f}
- {id: unslow, code: f}
edges:
- {from: split, to: fast}
- {from: split, to: slow}
- {from: fast, to: first}
- {from: slow, to: first}
- {from: first, to: after}
)");
    run.complete("fast", 1);
    EXPECT_EQ(run.wanted(), "after");
    run.complete("after", 2);
    EXPECT_EQ(run.status(), "running");
    run.complete("slow", 3);
    EXPECT_EQ(run.wanted(), "unslow");
    run.complete("unslow", 4);
    EXPECT_EQ(run.status(), "completed 2");
}

constexpr std::string_view called_back = R"(
name: x
nodes: [{id: charge, code: f, timeout: 1m, compensate: refund}, {id: refund, code: f}]
)";

TEST(Stop, ACallbackIsNotWaitedFor) {
    GraphRun run(called_back);
    run.pend("charge", {{"for", "callback"}});
    const auto events = run.feed(CancelRequested{"enough"});
    ASSERT_EQ(names(events), "run_stopping step_failed compensation_started");
    EXPECT_EQ(events[1].error.at("code"), "outcome_unknown");
    EXPECT_EQ(
        events[1].error.at("message"),
        "it was stopped before the answer came: it may have taken place"
    );
    EXPECT_EQ(run.wanted(), "refund");
}

TEST(Stop, ACallThatIsToBeAnsweredLaterIsNotWaitedForEither) {
    GraphRun run(called_back);
    run.feed(CancelRequested{"enough"});
    EXPECT_EQ(run.status(), "running");
    run.pend("charge", {{"for", "callback"}});
    EXPECT_EQ(run.wanted(), "refund");
}

TEST(Stop, ACallbackInAScopeIsWithdrawnWithIt) {
    GraphRun run(R"(
name: x
nodes:
- {id: group, type: scope, config: {timeout: 10s}}
- {id: charge, code: f, compensate: refund}
- {id: sorry, code: f}
- {id: refund, code: f}
edges: [{from: group, to: charge, handle: body}, {from: group, to: sorry, handle: timeout}]
)");
    run.pend("charge", {{"for", "callback"}});
    run.pass_time(11);
    EXPECT_EQ(run.wanted(), "refund");
    run.complete("refund", 1);
    EXPECT_EQ(run.wanted(), "sorry");
}

TEST(Heartbeat, IsDueAgainAfterEachOne) {
    GraphRun run(
        "name: x\nsteps: [{name: a, function: f, callback: true, heartbeat: 10s,"
        " retry: {attempts: 1, ambiguous: fail}}]"
    );
    run.pend("a", {{"for", "callback"}, {"visit", 1}, {"heartbeat", "10s"}});
    EXPECT_EQ(run.pass_time(8), "");
    run.signal("callback", {{"token", 0}, {"visit", 1}, {"heartbeat", true}});
    EXPECT_EQ(run.pass_time(8), "");
    EXPECT_EQ(run.pass_time(3), "step_failed run_failed");
    EXPECT_EQ(run.status(), "failed heartbeat_lost");
}

// --- each visit with its own data ---

json::value input_of(const GraphRun& run, std::string_view node) {
    const Token* token = run.token_at(node);
    const auto config =
        render_config(run.definition, run.state, token->node, token->frame, token->id);
    return config ? *(*config)->if_contains("input") : json::value(config.error().message);
}

TEST(Undo, EachRoundOfALoopIsUndoneWithItsOwnResult) {
    GraphRun run(R"(
name: x
nodes:
- {id: again, type: loop, config: {times: 3}}
- {id: charge, code: {function: f, input: "round {{ index }}"}, compensate: refund}
- {id: ship, code: f}
- id: refund
  code:
    function: f
    input: ["{{ undo.result }}", "{{ undo.input }}", "{{ steps.charge.result }}", "{{ index }}"]
edges:
- {from: again, to: charge, handle: each}
- {from: charge, to: again}
- {from: again, to: ship}
)");
    for (int i = 0; i < 3; ++i) run.complete("charge", 10 + i);
    run.fail("ship", "gone");
    for (int i = 2; i >= 0; --i) {
        const json::value expected{10 + i, "round " + std::to_string(i), 10 + i, i};
        EXPECT_EQ(input_of(run, "refund"), expected);
        run.complete("refund", nullptr);
    }
    EXPECT_EQ(run.status(), "failed gone");
}

TEST(Undo, OpenItemsAreUndoneWithTheirItem) {
    GraphRun run(
        R"(
name: x
nodes:
- {id: each, type: foreach, config: {items: "{{ input.list }}"}}
- {id: book, code: f, compensate: unbook}
- {id: hold, code: f}
- {id: unbook, code: {function: f, input: ["{{ item }}", "{{ index }}"]}}
edges: [{from: each, to: book, handle: each}, {from: book, to: hold}]
)",
        {{"list", {"a", "b"}}}
    );
    run.complete("book", 1);
    run.complete("book", 2);
    run.feed(CancelRequested{"enough"});
    run.complete("hold", 1);
    run.complete("hold", 1);
    EXPECT_EQ(input_of(run, "unbook"), (json::value{"b", 1}));
    run.complete("unbook", nullptr);
    EXPECT_EQ(input_of(run, "unbook"), (json::value{"a", 0}));
    run.complete("unbook", nullptr);
    EXPECT_EQ(run.status(), "cancelled");
}

TEST(Undo, WhatCouldNotBeUndoneIsTold) {
    GraphRun run(R"(
name: x
nodes:
- {id: book, code: f, compensate: unbook}
- {id: charge, code: f, compensate: refund}
- {id: ship, code: f}
- {id: unbook, code: f}
- {id: refund, code: f, retry: {attempts: 1}}
edges: [{from: book, to: charge}, {from: charge, to: ship}]
)");
    run.complete("book", 1);
    run.complete("charge", 2);
    run.feed(CancelRequested{"enough"});
    run.complete("ship", 3);
    run.fail("refund", "http_500");
    run.complete("unbook", nullptr);
    EXPECT_EQ(run.status(), "cancelled");
    const json::value& error = run.state.error;
    EXPECT_EQ(error.at("code"), "compensation_failed");
    EXPECT_EQ(error.at("not_undone").as_array().size(), 1U);
    EXPECT_EQ(error.at("not_undone").at(0).at("step"), "charge");
    EXPECT_EQ(error.at("not_undone").at(0).at("by"), "refund");
}

TEST(Undo, ARerunKnowsWhatWasReleased) {
    GraphRun run(charge);
    run.complete("charge", 1);
    run.fail("ship", "gone");
    run.complete("refund", nullptr);
    ASSERT_EQ(run.status(), "failed gone");
    const Released released = released_before(run.definition, run.log, 2);
    EXPECT_EQ(released.steps, std::vector<std::string>{"charge"});
    EXPECT_EQ(released.records.at(0), 0);
}

TEST(Undo, ItsKeyIsThatOfWhatItUndoes) {
    GraphRun run(charge);
    run.complete("charge", 1);
    run.fail("ship", "gone");
    const auto steps = wants(run.state, at(0)).steps;
    ASSERT_EQ(steps.size(), 1U);
    EXPECT_EQ(idempotency_key("R", run.definition, steps[0]), "R:undo-0:refund");
}

}  // namespace
}  // namespace pawl::plan
