// What goes round: circles, loops and lists, and what happens in them.
#include "graph_run.hpp"

namespace pawl::plan {
namespace {

// Two joins, one inside the other, of which the outer leads back by `back`.
std::string nested_joins(std::string_view head, std::string_view back) {
    return "name: x\nnodes:\n" + std::string(head) + R"(
- {id: split, type: parallel}
- {id: a, code: f}
- {id: b, code: f}
- {id: c, code: f}
- {id: j1, type: join}
- {id: pack, code: f}
- {id: j2, type: join}
- {id: ship, code: f}
edges:
- {from: split, to: a}
- {from: split, to: b}
- {from: split, to: c}
- {from: a, to: j1}
- {from: b, to: j1}
- {from: j1, to: pack}
- {from: pack, to: j2}
- {from: c, to: j2}
- {from: j2, to: ship}
)" + std::string(back);
}

// Ends a, b and c, the last one first; then pack, then ship must be wanted, each once.
void expect_one_round(GraphRun& run) {
    EXPECT_EQ(run.wanted(), "a b c");
    run.complete("c", 1);
    run.complete("b", 1);
    EXPECT_EQ(run.wanted(), "a");
    run.complete("a", 1);
    EXPECT_EQ(run.wanted(), "pack");
    run.complete("pack", 1);
    EXPECT_EQ(run.wanted(), "ship");
    run.complete("ship", 1);
}

TEST(Rounds, NestedJoinsInACircleGoOnInsideOut) {
    GraphRun run(nested_joins(
        "- {id: start, code: f}",
        R"(
- {from: start, to: split}
- {from: ship, to: start}
)"
    ));
    for (int round = 0; round < 3; ++round) {
        EXPECT_EQ(run.wanted(), "start");
        run.complete("start", 1);
        expect_one_round(run);
    }
}

TEST(Rounds, NestedJoinsInALoopGoOnInsideOut) {
    GraphRun run(nested_joins(
        "- {id: again, type: loop, config: {times: 2}}",
        R"(
- {from: again, to: split, handle: each}
- {from: ship, to: again}
)"
    ));
    expect_one_round(run);
    expect_one_round(run);
    EXPECT_EQ(run.status().substr(0, 9), "completed");
}

TEST(Rounds, NestedJoinsInAnItemGoOnInsideOut) {
    GraphRun run(nested_joins(
        "- {id: each, type: foreach, config: {items: [1, 2], concurrency: 1}}",
        R"(
- {from: each, to: split, handle: each}
- {from: ship, to: each}
)"
    ));
    expect_one_round(run);
    expect_one_round(run);
    EXPECT_EQ(run.status(), "completed [1,1]");
}

// What is in a loop may come out of it, and a join after it waits for that.
TEST(Rounds, AJoinAfterALoopWaitsForIt) {
    GraphRun run(R"(
name: x
nodes:
- {id: split, type: parallel}
- {id: again, type: loop, config: {times: 2}}
- {id: body, code: f}
- {id: other, code: f}
- {id: both, type: join}
- {id: after, code: f}
edges:
- {from: split, to: again}
- {from: split, to: other}
- {from: again, to: body, handle: each}
- {from: body, to: again}
- {from: again, to: both}
- {from: other, to: both}
- {from: both, to: after}
)");
    run.complete("other", 1);
    EXPECT_EQ(run.wanted(), "body");
    run.complete("body", 1);
    EXPECT_EQ(run.wanted(), "body");
    run.complete("body", 1);
    EXPECT_EQ(run.wanted(), "after");
}

// Branches that all lead back to a join at the head of their circle come together there.
TEST(Rounds, AJoinAtTheHeadOfACircleWaitsForAllThatComeBack) {
    GraphRun run(R"(
name: x
nodes:
- {id: start, code: f}
- {id: head, type: join}
- {id: split, code: f}
- {id: a, code: f}
- {id: b, code: f}
edges:
- {from: start, to: head}
- {from: head, to: split}
- {from: split, to: a}
- {from: split, to: b}
- {from: a, to: head}
- {from: b, to: head}
)");
    run.complete("start", 1);
    for (int round = 0; round < 2; ++round) {
        EXPECT_EQ(run.wanted(), "split");
        run.complete("split", 1);
        run.complete("a", 1);
        EXPECT_EQ(run.wanted(), "b");
        run.complete("b", 1);
    }
}

// What is late in one round is not late in the next.
TEST(Rounds, ABranchLateForAJoinCountsAgainInTheNextRound) {
    GraphRun run(R"(
name: x
nodes:
- {id: start, code: f}
- {id: a, code: f}
- {id: b, code: f}
- {id: first, type: join, config: {mode: any}}
- {id: won, code: f}
- {id: check, code: f}
edges:
- {from: start, to: a}
- {from: start, to: b}
- {from: a, to: first}
- {from: b, to: check}
- {from: check, to: start}
- {from: check, to: first, handle: error}
- {from: first, to: won}
- {from: won, to: start}
)");
    run.complete("start", 1);
    run.complete("a", 1);  // b is late now
    run.complete("b", 1);
    run.complete("check", 1);  // and begins the next round
    run.complete("start", 1);
    EXPECT_EQ(run.wanted(), "won a b");
    run.complete("a", 1);
    EXPECT_EQ(run.wanted(), "won won b");
}

TEST(Rounds, ALoopThatWasLeftSidewaysCountsAnew) {
    GraphRun run(R"(
name: x
nodes:
- {id: start, code: f}
- {id: again, type: loop, config: {times: 2}}
- {id: body, code: f}
- {id: rescue, code: f}
- {id: after, code: f}
edges:
- {from: start, to: again}
- {from: again, to: body, handle: each}
- {from: body, to: again}
- {from: body, to: rescue, handle: error}
- {from: rescue, to: start}
- {from: again, to: after}
)");
    run.complete("start", 1);
    run.complete("body", 1);
    run.fail("body", "boom");  // in the second round
    run.complete("rescue", 1);
    run.complete("start", 1);
    run.complete("body", 1);
    EXPECT_EQ(run.wanted(), "body");
    run.complete("body", 1);
    EXPECT_EQ(run.wanted(), "after");
}

TEST(Rounds, TooManyRoundsAreRefusedBeforeTheFirst) {
    GraphRun run(
        R"(
name: x
nodes:
- {id: again, type: loop, config: {times: "{{ input.n }}"}}
- {id: body, code: f}
edges:
- {from: again, to: body, handle: each}
- {from: body, to: again}
)",
        {{"n", 1001}}
    );
    EXPECT_EQ(run.status(), "failed loop_times");
}

TEST(Rounds, HalfARoundIsRefused) {
    const std::string_view text = R"(
name: x
nodes: [{id: again, type: loop, config: {times: "{{ input.n }}"}}, {id: body, code: f}]
edges: [{from: again, to: body, handle: each}, {from: body, to: again}]
)";
    EXPECT_EQ(GraphRun(text, {{"n", 2.5}}).status(), "failed loop_times");
    EXPECT_EQ(GraphRun(text, {{"n", -1}}).status(), "failed loop_times");
    EXPECT_EQ(GraphRun(text, {{"n", 2.0}}).wanted(), "body");
}

TEST(Lists, HalfAnItemAtATimeIsRefused) {
    const std::string_view text = R"(
name: x
nodes:
- {id: all, type: foreach, config: {items: [1, 2], concurrency: "{{ input.n }}"}}
- {id: one, code: f}
edges: [{from: all, to: one, handle: each}]
)";
    EXPECT_EQ(GraphRun(text, {{"n", 2.5}}).status(), "failed items");
    EXPECT_EQ(GraphRun(text, {{"n", 2.0}}).wanted(), "one one");
}

constexpr std::string_view list_of_three = R"(
name: x
nodes:
- {id: each, type: foreach, config: {items: [1, 2, 3], concurrency: 2}}
- {id: one, code: f}
- {id: after, code: f}
edges:
- {from: each, to: one, handle: each}
- {from: one, to: each}
- {from: each, to: after}
)";

TEST(Lists, ASkippedForeachIsOver) {
    GraphRun run(list_of_three);
    EXPECT_EQ(run.wanted(), "one one");
    run.signal("skip", {{"node", "each"}});
    EXPECT_EQ(run.wanted(), "after");
    run.complete("after", 7);
    // What its items have under way comes to its end, and nothing comes after it.
    EXPECT_EQ(run.status(), "running");
    run.complete("one", 1);
    run.complete("one", 2);
    EXPECT_EQ(run.status(), "completed 7");
}

TEST(Lists, NoItemBeginsOnceTooManyHaveFailed) {
    GraphRun run(list_of_three);
    run.fail("one", "boom");
    EXPECT_EQ(run.wanted(), "one");
    run.complete("one", 1);
    EXPECT_EQ(run.status(), "failed items_failed");
    EXPECT_EQ(
        run.state.error.at("message"),
        "1 of 3 items failed, 1 never began, the last one because: it broke"
    );
}

TEST(Lists, AllItemsAreTriedWhenThatIsWanted) {
    std::string text(list_of_three);
    text.replace(text.find("concurrency: 2"), 14, "concurrency: 2, fail_fast: false");
    GraphRun run(text);
    run.fail("one", "boom");
    EXPECT_EQ(run.wanted(), "one one");
}

TEST(Lists, ErrorsOfItemsAreInTheResult) {
    std::string text(list_of_three);
    text.replace(text.find("concurrency: 2"), 14, "concurrency: 1, tolerated_failures: 1");
    GraphRun run(text);
    run.complete("one", 1);
    run.fail("one", "boom");
    run.complete("one", 3);
    Scope scope(run.definition, run.state);
    const auto path = placeholders("{{ steps.each.result }}");
    const json::value* list = scope.find(path->front().path);
    ASSERT_NE(list, nullptr);
    EXPECT_EQ(
        json::serialize(*list),
        R"([1,{"error":{"class":"permanent","code":"boom","message":"it broke","step":"one"}},3])"
    );
}

TEST(Lists, ConcurrencyMayComeFromData) {
    std::string text(list_of_three);
    text.replace(text.find("concurrency: 2"), 14, "concurrency: \"{{ input.n }}\"");
    GraphRun run(text, {{"n", 3}});
    EXPECT_EQ(run.wanted(), "one one one");
    GraphRun none(text, {{"n", 0}});
    EXPECT_EQ(none.status(), "failed items");
}

TEST(Lists, ItemsKnowTheOnesAroundThem) {
    GraphRun run(R"(
name: x
nodes:
- {id: orders, type: foreach, config: {items: [{id: 7, lines: [1]}, {id: 8, lines: [2]}]}}
- {id: lines, type: foreach, config: {items: "{{ item.lines }}"}}
- {id: one, code: {function: f, input: "{{ outer.item.id }}/{{ outer.index }}/{{ item }}"}}
edges:
- {from: orders, to: lines, handle: each}
- {from: lines, to: one, handle: each}
)");
    std::string seen;
    for (const ExecuteStep& step : wants(run.state, at(0)).steps) {
        const auto config =
            render_config(run.definition, run.state, step.node, step.frame, step.token);
        ASSERT_TRUE(config);
        seen += json::serialize((*config)->at("input")) + " ";
    }
    EXPECT_EQ(seen, R"("7/0/1" "8/1/2" )");
}

TEST(Lists, CancelReachesNodesInAForeach) {
    GraphRun run(R"(
name: x
nodes:
- {id: split, type: parallel}
- {id: each, type: foreach, config: {items: [1, 2]}}
- {id: one, code: f}
- {id: two, code: f}
- {id: stop, code: f}
- {id: withdraw, type: cancel, config: {nodes: [one]}}
edges:
- {from: split, to: each}
- {from: split, to: stop}
- {from: each, to: one, handle: each}
- {from: each, to: two, handle: each}
- {from: stop, to: withdraw}
)");
    EXPECT_EQ(run.wanted(), "stop one two one two");
    run.complete("stop", 1);
    EXPECT_EQ(run.wanted(), "two two");
}

TEST(Branches, AnErrorBelongsToTheBranchThatCaughtIt) {
    GraphRun run(R"(
name: x
nodes:
- {id: split, type: parallel}
- {id: a, code: f}
- {id: b, code: f}
- {id: after_a, code: {function: f, input: "{{ error.code }}"}}
- {id: after_b, code: {function: f, input: "{{ error.code }}"}}
edges:
- {from: split, to: a}
- {from: split, to: b}
- {from: a, to: after_a, handle: error}
- {from: b, to: after_b, handle: error}
)");
    run.fail("a", "of_a");
    run.fail("b", "of_b");
    std::string seen;
    for (const ExecuteStep& step : wants(run.state, at(0)).steps) {
        const auto config =
            render_config(run.definition, run.state, step.node, step.frame, step.token);
        ASSERT_TRUE(config);
        seen += json::serialize((*config)->at("input")) + " ";
    }
    EXPECT_EQ(seen, R"("of_a" "of_b" )");
}

}  // namespace
}  // namespace pawl::plan
