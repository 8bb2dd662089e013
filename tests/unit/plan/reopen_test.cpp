#include "retry.hpp"

// A retry of a run whose items failed tries them again where they failed.
namespace pawl::plan {
namespace {

std::string each() {
    return R"(
name: x
nodes:
- {id: each, foreach: {items: [a, b, c]SETTINGS}}
- {id: get, code: {function: f, input: "{{ item }}"}}
- {id: put, code: {function: f, input: "{{ steps.get.result }}"}}
- {id: after, code: {function: f, input: "{{ steps.each.result }}"}}
edges:
- {from: each, to: get, handle: each}
- {from: get, to: put}
- {from: each, to: after}
)";
}

std::string with(std::string text, std::string_view settings) {
    const auto at = text.find("SETTINGS");
    return text.replace(at, 8, settings);
}

std::string config_at(const GraphRun& run, std::string_view node) {
    const Token* token = run.token_at(node);
    if (token == nullptr) return "nothing is there";
    const auto config =
        render_config(run.definition, run.state, token->node, token->frame, token->id);
    return config ? json::serialize((*config)->at("input")) : config.error().message;
}

std::string key_at(const GraphRun& run, std::string_view node) {
    for (const ExecuteStep& step : wants(run.state, at(run.now)).steps) {
        if (run.definition.nodes[step.node].id != node) continue;
        return idempotency_key(
            key_run(run.definition, run.state, step, "this"), run.definition, step
        );
    }
    return "";
}

TEST(Reopen, OnlyWhatFailedIsTriedAgainUnderItsKey) {
    GraphRun old(with(each(), ", fail_fast: false"));
    old.complete("get", "A");
    old.complete("get", "B");
    old.complete("get", "C");
    const std::string key = key_at(old, "put");
    EXPECT_EQ(key.substr(0, 5), "this:");
    old.fail("put", "gone");
    old.complete("put", 2);
    old.complete("put", 3);
    ASSERT_EQ(old.status(), "failed items_failed");

    Retry run(old.definition, old.log);
    EXPECT_EQ(names({run.log.back()}), "items_reopened");
    EXPECT_EQ(json::serialize(run.log.back().data), R"({"items":[0]})");
    EXPECT_EQ(run.wanted(), "put");
    EXPECT_EQ(config_at(run, "put"), R"("A")");
    EXPECT_EQ(key_at(run, "put"), "first" + key.substr(4));
    run.complete("put", 1);
    EXPECT_EQ(config_at(run, "after"), "[1,2,3]");
    run.complete("after", 9);
    EXPECT_EQ(run.status(), "completed 9");
}

TEST(Reopen, OneAtATimeWhenTheListSaysSo) {
    GraphRun old(with(each(), ", fail_fast: false, concurrency: 1"));
    for (int i = 0; i < 3; ++i) {
        old.complete("get", i);
        old.fail("put", "gone");
    }
    ASSERT_EQ(old.status(), "failed items_failed");
    Retry run(old.definition, old.log);
    for (int i = 0; i < 3; ++i) {
        EXPECT_EQ(run.wanted(), "put");
        EXPECT_EQ(config_at(run, "put"), std::to_string(i));
        run.complete("put", 10 + i);
    }
    EXPECT_EQ(config_at(run, "after"), "[10,11,12]");
}

TEST(Reopen, ItemsThatNeverBeganBegin) {
    GraphRun old(with(each(), ", concurrency: 1"));
    old.fail("get", "gone");
    ASSERT_EQ(old.status(), "failed items_failed");
    Retry run(old.definition, old.log);
    EXPECT_EQ(config_at(run, "get"), R"("a")");
    for (int i = 0; i < 3; ++i) {
        run.complete("get", i);
        run.complete("put", i);
    }
    EXPECT_EQ(config_at(run, "after"), "[0,1,2]");
}

TEST(Reopen, WhatFailsAgainCanBeRetriedAgain) {
    GraphRun old(with(each(), ", fail_fast: false"));
    for (int i = 0; i < 3; ++i) old.complete("get", i);
    old.fail("put", "gone");
    old.fail("put", "gone");
    old.complete("put", 2);
    Retry second(old.definition, old.log);
    second.complete("put", 0);
    second.fail("put", "still gone");
    ASSERT_EQ(second.status(), "failed items_failed");
    Retry third(second.definition, second.log);
    EXPECT_EQ(third.wanted(), "put");
    EXPECT_EQ(config_at(third, "put"), "1");
    third.complete("put", 1);
    EXPECT_EQ(config_at(third, "after"), "[0,1,2]");
}

TEST(Reopen, AnItemInAnItem) {
    GraphRun old(R"(
name: x
nodes:
- {id: outer, foreach: {items: [[a, b], [c]], fail_fast: false}}
- {id: inner, foreach: {items: "{{ item }}", fail_fast: false}}
- {id: work, code: {function: f, input: "{{ item }}"}}
edges:
- {from: outer, to: inner, handle: each}
- {from: inner, to: work, handle: each}
)");
    old.complete("work", 1);
    old.fail("work", "gone");
    old.complete("work", 3);
    ASSERT_EQ(old.status(), "failed items_failed");
    Retry run(old.definition, old.log);
    EXPECT_EQ(run.wanted(), "work");
    EXPECT_EQ(config_at(run, "work"), R"("b")");
    run.complete("work", 2);
    EXPECT_EQ(run.status(), "completed [[1,2],[3]]");
}

TEST(Reopen, AScopeGoesOnAtTheStepThatFailed) {
    GraphRun old(R"(
name: x
nodes:
- {id: group, scope: {}}
- {id: a, code: f}
- {id: b, code: {function: f, input: "{{ steps.a.result }}"}}
edges:
- {from: group, to: a, handle: body}
- {from: a, to: b}
)");
    old.complete("a", 1);
    old.fail("b", "gone");
    ASSERT_EQ(old.status(), "failed gone");
    Retry run(old.definition, old.log);
    EXPECT_EQ(run.wanted(), "b");
    EXPECT_EQ(config_at(run, "b"), "1");
    run.complete("b", 2);
    EXPECT_EQ(run.status(), "completed 2");
}

TEST(Reopen, AScopeThatWasUndoneBeginsAnew) {
    GraphRun old(R"(
name: x
nodes:
- {id: group, scope: {}}
- {id: a, code: f, compensate: back}
- {id: b, code: f}
- {id: back, code: f}
edges:
- {from: group, to: a, handle: body}
- {from: a, to: b}
)");
    old.complete("a", 1);
    const std::string key = key_at(old, "b");
    old.fail("b", "gone");
    old.complete("back", 0);
    ASSERT_EQ(old.status(), "failed gone");
    Retry run(old.definition, old.log);
    EXPECT_EQ(run.wanted(), "a");
    run.complete("a", 1);
    run.complete("b", 2);
    EXPECT_EQ(run.status(), "completed 2");
}

TEST(Reopen, ABranchOfTheItemThatEndedMeanwhileIsNotRepeated) {
    GraphRun old(R"(
name: x
nodes:
- {id: each, foreach: {items: [a]}}
- {id: start, code: f}
- {id: left, code: f}
- {id: right, code: f}
- {id: last, code: f}
edges:
- {from: each, to: start, handle: each}
- {from: start, to: left}
- {from: start, to: right}
- {from: right, to: last}
)");
    old.complete("start", 0);
    old.fail("left", "gone");
    ASSERT_NE(old.token_at("right"), nullptr) << "it is awaited";
    old.complete("right", 1);
    ASSERT_EQ(old.status(), "failed items_failed");
    Retry run(old.definition, old.log);
    EXPECT_EQ(run.wanted(), "left last");
    run.complete("left", 2);
    run.complete("last", 3);
    EXPECT_EQ(run.status(), "completed [3]");
}

// What it left is seen by the steps that come after it, and is the result of its item.
TEST(Reopen, AStepThatEndedAfterItsScopeHadFailedIsSeen) {
    GraphRun old(R"(
name: x
nodes:
- {id: s, type: scope}
- {id: p, type: parallel}
- {id: a, code: f}
- {id: a2, code: {function: f, input: "{{ steps.a.result.q }}"}}
- {id: b, code: f}
- {id: j, type: join}
- {id: after, code: f}
edges:
- {from: s, to: p, handle: body}
- {from: p, to: a}
- {from: a, to: a2}
- {from: p, to: b}
- {from: a2, to: j}
- {from: b, to: j}
- {from: s, to: after}
)");
    old.fail("b", "gone");
    old.complete("a", json::object{{"q", 5}});
    ASSERT_EQ(old.status(), "failed gone");
    Retry run(old.definition, old.log);
    EXPECT_EQ(run.wanted(), "a2 b");
    EXPECT_EQ(config_at(run, "a2"), "5");
}

TEST(Reopen, AnItemThatEndedLateHasItsResult) {
    GraphRun old(R"(
name: x
nodes:
- {id: each, foreach: {items: [a, b], timeout: 10s}}
- {id: get, code: f}
- {id: after, code: {function: f, input: "{{ steps.each.result }}"}}
edges: [{from: each, to: get, handle: each}, {from: each, to: after}]
)");
    old.pass_time(11);
    old.complete("get", "A");
    old.complete("get", "B");
    ASSERT_EQ(old.status(), "failed timeout");
    Retry run(old.definition, old.log);
    EXPECT_EQ(run.wanted(), "after");
    EXPECT_EQ(config_at(run, "after"), R"(["A","B"])");
}

TEST(Reopen, FailuresThatAListTakesStay) {
    GraphRun old(with(each(), ", tolerated_failures: 1"));
    for (int i = 0; i < 3; ++i) old.complete("get", i);
    old.fail("put", "gone");
    old.complete("put", 1);
    old.complete("put", 2);
    old.fail("after", "gone");
    ASSERT_EQ(old.status(), "failed gone");
    Retry run(old.definition, old.log);
    EXPECT_EQ(run.wanted(), "after");
}

TEST(Reopen, AnAnswerThatMayHaveComeIsUndoneOnce) {
    GraphRun old(R"(
name: x
nodes:
- {id: each, foreach: {items: [a]}}
- {id: pay, code: f, compensate: back}
- {id: stop, exit: {status: failed}}
- {id: back, code: f}
edges:
- {from: each, to: pay, handle: each}
- {from: each, to: stop}
)");
    old.fail("pay", "timeout");
    // The run undoes what may have taken place, so that its retry begins anew; here it could not.
    std::vector<Event> log = old.log;
    std::erase_if(log, [](const Event& event) {
        return event.type == EventType::compensation_started;
    });
    Retry run(old.definition, log);
    EXPECT_EQ(run.wanted(), "pay");
    run.complete("pay", 1);
    EXPECT_EQ(run.wanted(), "back");
    run.complete("back", 1);
    EXPECT_EQ(run.wanted(), "");
    EXPECT_EQ(run.status(), "failed exit");
}

TEST(KeyRun, WhatWasNotUndoneKeepsItsKeyWhenARunBeginsAnew) {
    GraphRun run(R"(
name: x
nodes:
- {id: pay, code: f, compensate: back}
- {id: ship, code: f}
- {id: back, code: f}
edges:
- {from: pay, to: ship}
)");
    run.state.first_run = "first";
    run.state.anew_run = "second";
    EXPECT_EQ(key_at(run, "pay"), "second:0:pay:1");
    run.complete("pay", 1);
    EXPECT_EQ(key_at(run, "ship"), "first:0:ship:1");
    run.fail("ship", "gone");
    EXPECT_EQ(key_at(run, "back"), "second:undo-0:back");
    run.state.first_run.clear();
    run.state.anew_run.clear();
}

TEST(KeyRun, UndoingBelongsToTheRunThatDidIt) {
    GraphRun run(R"(
name: x
nodes:
- {id: a, code: f, compensate: back}
- {id: b, code: f, compensate: back}
- {id: c, code: f}
- {id: back, code: f}
edges:
- {from: a, to: b}
- {from: b, to: c}
)");
    run.state.owners = {{"did a", 1}};
    run.complete("a", 1);
    run.complete("b", 2);
    run.fail("c", "gone");
    EXPECT_EQ(key_at(run, "back"), "this:undo-1:back");
    run.complete("back", 1);
    EXPECT_EQ(key_at(run, "back"), "did a:undo-0:back");
    run.state.owners.clear();
}

}  // namespace
}  // namespace pawl::plan
