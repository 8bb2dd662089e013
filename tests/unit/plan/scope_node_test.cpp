#include "graph_run.hpp"
#include "plan/places.hpp"

namespace pawl::plan {
namespace {

constexpr std::string_view booking = R"(
name: x
nodes:
- {id: trip, type: scope, config: {timeout: 10m}}
- {id: flight, code: f, compensate: unflight}
- {id: hotel, code: f, retry: {attempts: 1}}
- {id: after, code: f}
- {id: plan_b, code: f}
- {id: unflight, code: f}
edges:
- {from: trip, to: flight, handle: body}
- {from: flight, to: hotel}
- {from: trip, to: after}
- {from: trip, to: plan_b, handle: error.full}
)";

TEST(ScopeNode, GoesOnWithWhatItsBodyLeft) {
    GraphRun run(booking);
    EXPECT_EQ(run.wanted(), "flight");
    run.complete("flight", 1);
    run.complete("hotel", 2);
    EXPECT_EQ(run.wanted(), "after");
    EXPECT_EQ(run.state.records.back().result, 2);
    run.feed(CancelRequested{"enough"});
    run.complete("after", 3);
    // What was done in it is part of what the run did.
    EXPECT_EQ(run.wanted(), "unflight");
}

TEST(ScopeNode, IsUndoneBeforeItsFailureIsCaught) {
    GraphRun run(booking);
    run.complete("flight", 1);
    run.fail("hotel", "full");
    EXPECT_EQ(run.wanted(), "unflight");
    run.complete("unflight", nullptr);
    EXPECT_EQ(run.wanted(), "plan_b");
    run.complete("plan_b", 4);
    EXPECT_EQ(run.status(), "completed 4");
}

TEST(ScopeNode, FailsTheRunWhenNothingCatchesIt) {
    GraphRun run(booking);
    run.complete("flight", 1);
    run.fail("hotel", "gone");
    run.complete("unflight", nullptr);
    EXPECT_EQ(run.status(), "failed gone");
}

TEST(ScopeNode, ItsTimeoutWaitsForWhatIsUnderWayAndUndoesIt) {
    GraphRun run(booking);
    EXPECT_EQ(run.pass_time(601), "step_failed");
    EXPECT_EQ(run.wanted(), "");
    run.complete("flight", 1);
    EXPECT_EQ(run.wanted(), "unflight");
    run.complete("unflight", nullptr);
    EXPECT_EQ(run.status(), "failed timeout");
}

TEST(ScopeNode, ItsTimeoutIsItsOwnErrorBehindThatWay) {
    GraphRun run(R"(
name: x
nodes:
- {id: trip, type: scope, config: {timeout: 10m}}
- {id: flight, type: wait, config: {event: e, key: k}}
- {id: plan_b, code: {function: f, input: "{{ error.code }} of {{ error.step }}"}}
edges:
- {from: trip, to: flight, handle: body}
- {from: trip, to: plan_b, handle: timeout}
)");
    run.pass_time(601);
    const Token* token = run.token_at("plan_b");
    ASSERT_NE(token, nullptr);
    const auto config = render_config(run.definition, run.state, token->node, 0, token->id);
    ASSERT_TRUE(config) << config.error().message;
    EXPECT_EQ((*config)->at("input"), json::value("timeout of trip"));
}

TEST(ScopeNode, NestsAndKeepsTheItemAround) {
    GraphRun run(
        R"(
name: x
nodes:
- {id: each, type: foreach, config: {items: "{{ input.list }}"}}
- {id: outer, type: scope}
- {id: inner, type: scope}
- {id: work, code: {function: f, input: "{{ item }}"}, retry: {attempts: 1}, compensate: undo}
- {id: more, code: f, retry: {attempts: 1}}
- {id: caught, code: f}
- {id: undo, code: {function: f, input: "{{ item }}"}}
edges:
- {from: each, to: outer, handle: each}
- {from: outer, to: inner, handle: body}
- {from: inner, to: work, handle: body}
- {from: work, to: more}
- {from: inner, to: caught, handle: error}
)",
        {{"list", {"a"}}}
    );
    const auto input = [&](std::string_view node) {
        const Token* token = run.token_at(node);
        return *(**render_config(run.definition, run.state, token->node, token->frame, token->id))
                    .if_contains("input");
    };
    EXPECT_EQ(input("work"), "a");
    run.complete("work", 1);
    run.fail("more", "gone");
    EXPECT_EQ(input("undo"), "a");
    run.complete("undo", nullptr);
    EXPECT_EQ(run.wanted(), "caught");
    run.complete("caught", 9);
    EXPECT_EQ(run.status(), "completed [9]");
}

TEST(ScopeNode, IsNoItem) {
    GraphRun run(
        R"(
name: x
nodes:
- {id: each, type: foreach, config: {items: [[a]]}}
- {id: around, type: scope}
- {id: inner, type: foreach, config: {items: "{{ item }}"}}
- {id: group, type: scope}
- {id: work, code: {function: f, input: "{{ outer.item }} {{ item }}"}}
edges:
- {from: each, to: around, handle: each}
- {from: around, to: inner, handle: body}
- {from: inner, to: group, handle: each}
- {from: group, to: work, handle: body}
)"
    );
    const Token* token = run.token_at("work");
    const auto config =
        render_config(run.definition, run.state, token->node, token->frame, token->id);
    ASSERT_TRUE(config) << config.error().message;
    EXPECT_EQ((*config)->at("input"), R"(["a"] a)");
    run.complete("work", 1);
    const std::vector<Pin> pins{{pinned_version(run.log), &run.definition}};
    const auto places = places_of(pins, run.log);
    for (std::size_t i = 0; i < run.log.size(); ++i) {
        if (run.log[i].node != "work") continue;
        EXPECT_EQ(places[i].items, (std::vector<std::uint32_t>{0, 0}));
    }
}

TEST(Foreach, AFailedItemIsUndoneWhenAsked) {
    GraphRun run(
        R"(
name: x
nodes:
- id: each
  type: foreach
  config: {items: "{{ input.list }}", tolerated_failures: 1, undo_failed_items: true}
- {id: book, code: f, compensate: unbook}
- {id: pay, code: f, retry: {attempts: 1}}
- {id: unbook, code: f}
edges: [{from: each, to: book, handle: each}, {from: book, to: pay}]
)",
        {{"list", {"a"}}}
    );
    run.complete("book", 1);
    run.fail("pay", "gone");
    EXPECT_EQ(run.wanted(), "unbook");
    run.complete("unbook", nullptr);
    EXPECT_EQ(run.state.status, RunStatus::completed);
    EXPECT_EQ(run.state.output.at(0).at("error").at("step"), "pay");
}

TEST(Foreach, AnItemThatIsBeingUndoneCountsAsFailed) {
    GraphRun run(
        R"(
name: x
nodes:
- {id: each, type: foreach, config: {items: [1, 2, 3], concurrency: 2, undo_failed_items: true}}
- {id: book, code: f, compensate: unbook}
- {id: pay, code: f, retry: {attempts: 1}}
- {id: unbook, code: f}
edges: [{from: each, to: book, handle: each}, {from: book, to: pay}]
)"
    );
    run.complete("book", 1);
    run.complete("book", 2);
    run.fail("pay", "gone");
    EXPECT_EQ(run.wanted(), "pay unbook");
    run.complete("pay", 2);
    EXPECT_EQ(run.wanted(), "unbook") << "the third item does not begin";
}

TEST(Foreach, ItsTimeoutFailsWhatIsNotOver) {
    GraphRun run(
        R"(
name: x
nodes:
- {id: each, type: foreach, timeout: 1m, config: {items: "{{ input.list }}", concurrency: 1}}
- {id: work, code: f}
- {id: late, code: f}
edges: [{from: each, to: work, handle: each}, {from: each, to: late, handle: timeout}]
)",
        {{"list", {"a", "b"}}}
    );
    run.pass_time(61);
    EXPECT_EQ(run.wanted(), "");
    run.complete("work", 1);
    EXPECT_EQ(run.wanted(), "late");
}

}  // namespace
}  // namespace pawl::plan
