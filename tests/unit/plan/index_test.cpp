// {{ index }}: the round of the innermost loop, or the item of the innermost list.
#include "graph_run.hpp"

namespace pawl::plan {
namespace {

json::value input_at(const GraphRun& run, std::string_view node) {
    const Token* token = run.token_at(node);
    if (token == nullptr) return "nothing stands there";
    const auto config =
        render_config(run.definition, run.state, token->node, token->frame, token->id);
    return config ? *(*config)->if_contains("input") : json::value(config.error().message);
}

// Ends the only step that is wanted, again and again; "a0 b1": which ones, and their index.
std::string rounds(GraphRun& run, std::string_view until = "") {
    std::string seen;
    for (std::string node = run.wanted(); !node.empty() && node != until; node = run.wanted()) {
        node = node.substr(0, node.find(' '));
        seen += node + json::serialize(input_at(run, node)) + " ";
        run.complete(node, nullptr);
    }
    return seen;
}

constexpr std::string_view nested = R"(
name: x
nodes:
- {id: outer, type: loop, config: {times: 2}}
- {id: a, code: {function: f, input: "{{ index }}"}, compensate: undo_a}
- {id: inner, type: loop, config: {times: 3}}
- {id: b, code: {function: f, input: "{{ index }}"}, compensate: undo_b}
- {id: c, code: {function: f, input: "{{ index }}"}, compensate: undo_c}
- {id: last, code: f}
- {id: undo_a, code: {function: f, input: "{{ index }}"}}
- {id: undo_b, code: {function: f, input: "{{ index }}"}}
- {id: undo_c, code: {function: f, input: "{{ index }}"}}
edges:
- {from: outer, to: a, handle: each}
- {from: a, to: inner}
- {from: inner, to: b, handle: each}
- {from: b, to: inner}
- {from: inner, to: c}
- {from: c, to: outer}
- {from: outer, to: last}
)";

TEST(Index, IsTheRoundOfTheInnermostLoop) {
    GraphRun run(nested);
    EXPECT_EQ(rounds(run, "last"), "a0 b0 b1 b2 c0 a1 b0 b1 b2 c1 ");
}

TEST(Index, OfWhatIsUndoneIsThatOfItsVisit) {
    GraphRun run(nested);
    rounds(run, "last");
    run.fail("last", "gone");
    EXPECT_EQ(
        rounds(run),
        "undo_c1 undo_b2 undo_b1 undo_b0 undo_a1 undo_c0 undo_b2 undo_b1 undo_b0 undo_a0 "
    );
}

TEST(Index, OfConditionsOfALoopIsItsOwnRoundOnceItCounts) {
    GraphRun run(R"(
name: x
nodes:
- {id: outer, type: loop, config: {times: 2}}
- {id: inner, type: loop, config: {until: {path: index, operator: ">=", value: 2}}}
- {id: b, code: {function: f, input: "{{ index }}"}}
edges:
- {from: outer, to: inner, handle: each}
- {from: inner, to: b, handle: each}
- {from: b, to: inner}
- {from: inner, to: outer}
)");
    EXPECT_EQ(rounds(run), "b0 b1 b2 b0 b1 b2 ");
}

TEST(Index, OfALoopInAListIsTheRoundInsideAndTheItemAfter) {
    GraphRun run(R"(
name: x
nodes:
- {id: list, type: foreach, config: {items: [x, y], concurrency: 1}}
- {id: a, code: {function: f, input: "{{ index }}"}}
- {id: again, type: loop, config: {times: 2}}
- {id: b, code: {function: f, input: "{{ index }}"}, compensate: undo_b}
- {id: c, code: {function: f, input: "{{ index }}"}, compensate: undo_c}
- {id: last, code: f}
- {id: undo_b, code: {function: f, input: "{{ index }}"}}
- {id: undo_c, code: {function: f, input: "{{ index }}"}}
edges:
- {from: list, to: a, handle: each}
- {from: a, to: again}
- {from: again, to: b, handle: each}
- {from: b, to: again}
- {from: again, to: c}
- {from: list, to: last}
)");
    EXPECT_EQ(rounds(run, "last"), "a0 b0 b1 c0 a1 b0 b1 c1 ");
    run.fail("last", "gone");
    EXPECT_EQ(rounds(run), "undo_c1 undo_b1 undo_b0 undo_c0 undo_b1 undo_b0 ");
}

TEST(Index, OfAListInALoopIsTheItemInsideAndTheRoundAfter) {
    GraphRun run(R"(
name: x
nodes:
- {id: again, type: loop, config: {times: 2}}
- {id: list, type: foreach, config: {items: [x, y], concurrency: 1}}
- {id: b, code: {function: f, input: "{{ index }}"}}
- {id: around, type: scope}
- {id: c, code: {function: f, input: "{{ index }}"}}
- id: kids
  type: foreach
  config: {workflow: k, items: [x, y], input: "{{ index }}", concurrency: 1}
edges:
- {from: again, to: list, handle: each}
- {from: list, to: b, handle: each}
- {from: list, to: around}
- {from: around, to: c, handle: body}
- {from: around, to: kids}
- {from: kids, to: again}
)");
    EXPECT_EQ(rounds(run), "b0 b1 c0 kids0 kids1 b0 b1 c1 kids0 kids1 ");
}

// A way out of the middle of a round: what only that leads to still knows the round.
TEST(Index, BehindAWayOutOfARoundIsThatRoundUntilOthersComeThere) {
    GraphRun run(R"(
name: x
nodes:
- {id: outer, type: loop, config: {times: 1}}
- {id: inner, type: loop, config: {times: 3}}
- {id: b, code: f}
- {id: note, code: {function: f, input: "{{ index }}"}}
- {id: c, code: {function: f, input: "{{ index }}"}}
edges:
- {from: outer, to: inner, handle: each}
- {from: inner, to: b, handle: each}
- {from: b, to: inner}
- {from: b, to: note, handle: error}
- {from: note, to: c}
- {from: inner, to: c}
- {from: c, to: outer}
)");
    run.complete("b", nullptr);
    run.fail("b", "gone");
    EXPECT_EQ(rounds(run), "note1 c0 ");
}

}  // namespace
}  // namespace pawl::plan
