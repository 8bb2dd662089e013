#include "graph_run.hpp"
#include "model/events/step_events.hpp"
#include "plan/repin.hpp"

#include <fmt/format.h>

namespace pawl::plan {
namespace {

std::string skipped(const std::vector<Event>& log) {
    std::string text;
    for (const Event& event : log) {
        if (event.type != EventType::step_skipped) continue;
        if (!text.empty()) text += ' ';
        text += event.node;
        EXPECT_TRUE(events::read<events::StepSkipped>(event).disabled);
        EXPECT_EQ(event.data, json::object({{"disabled", true}}));
    }
    return text;
}

TEST(Disabled, IsPassedAtOnceAndLeavesNull) {
    GraphRun run(R"(
name: x
steps:
- {name: a, code: f, disabled: true}
- {name: b, wait: 3d, disabled: true}
- {name: c, code: f, input: "{{steps.a.result}}"}
)");
    EXPECT_EQ(skipped(run.log), "a b");
    EXPECT_EQ(run.wanted(), "c");
    EXPECT_EQ(
        **render_config(run.definition, run.state, 2),
        json::object({{"function", "f"}, {"input", nullptr}})
    );
    run.complete("c", 1);
    EXPECT_EQ(run.status(), "completed 1");
}

TEST(Disabled, OfEachTypeThatDoesSomethingGoesOnByDefault) {
    for (const char* node :
         {"code: f",
          "function: f",
          "http: {url: 'https://h'}",
          "transform: {jq: .}",
          "sql: select 1",
          "call: other",
          "lock: k",
          "unlock: k",
          "type: message, config: {channel: sms, text: hi}",
          "action: tag",
          "agent: {model: m, url: 'https://h', instructions: answer}",
          "wait: {event: e}",
          "foreach: {items: [1], workflow: w}",
          "emit: {event: e}",
          "human: {title: t}",
          "cancel: [b]",
          "goal: e"}) {
        GraphRun run(fmt::format(
            "name: x\nperson: true\nnodes:\n- {{id: a, {}, disabled: true}}\n- {{id: b, code: f}}\n"
            "edges: [{{from: a, to: b}}]",
            node
        ));
        EXPECT_EQ(skipped(run.log), "a") << node;
        EXPECT_EQ(run.wanted(), "b") << node;
    }
}

TEST(Disabled, GroupIsPassedWithAllInIt) {
    for (const char* group :
         {"foreach: {items: [1, 2]}", "loop: {times: 3}", "type: scope, compensate: undo"}) {
        const bool scope = std::string_view(group).starts_with("type");
        GraphRun run(fmt::format(
            R"(
name: x
nodes:
- {{id: g, {}, disabled: true}}
- {{id: body, code: f}}
- {{id: after, code: f}}
{}
edges:
- {{from: g, to: body, handle: {}}}
- {{from: body, to: g}}
- {{from: g, to: after}}
)",
            group,
            scope ? "- {id: undo, code: f}" : "",
            scope ? "body" : "each"
        ));
        EXPECT_EQ(run.wanted(), "after") << group;
        run.fail("after", "broke");
        EXPECT_EQ(run.status(), "failed broke") << "nothing to undo";
    }
}

TEST(Disabled, HasNothingToUndo) {
    GraphRun run(R"(
name: x
nodes:
- {id: a, code: f, compensate: undo, disabled: true}
- {id: b, code: f, compensate: undo_b}
- {id: c, code: f}
- {id: undo, code: f}
- {id: undo_b, code: f, disabled: true}
edges: [{from: a, to: b}, {from: b, to: c}]
)");
    run.complete("b", 1);
    run.fail("c", "broke");
    EXPECT_EQ(skipped(run.log), "a undo_b") << "what undoes may be switched off too";
    EXPECT_EQ(run.status(), "failed broke");
}

TEST(Disabled, ChoiceTakesItsDefault) {
    GraphRun run(R"(
name: x
nodes:
- {id: s, type: switch, config: {value: 1, cases: [{equals: 1, handle: one}]}, disabled: true}
- {id: one, code: f}
- {id: other, code: f}
edges:
- {from: s, to: one, handle: one}
- {from: s, to: other}
)");
    EXPECT_EQ(run.wanted(), "other");
}

TEST(Disabled, BranchesStillJoin) {
    GraphRun run(R"(
name: x
nodes:
- {id: split, type: parallel}
- {id: a, code: f, disabled: true}
- {id: b, code: f}
- {id: both, join: all}
edges:
- {from: split, to: a}
- {from: split, to: b}
- {from: a, to: both}
- {from: b, to: both}
)");
    EXPECT_EQ(run.wanted(), "b");
    run.complete("b", 1);
    EXPECT_EQ(run.status().substr(0, 9), "completed");
}

TEST(Disabled, PausedRunPassesItWhenItGoesOn) {
    GraphRun run("name: x\nsteps:\n- {name: a, code: f}\n- {name: b, code: f, disabled: true}");
    run.signal("pause", {});
    run.complete("a", 1);
    EXPECT_EQ(skipped(run.log), "");
    run.signal("resume", {});
    EXPECT_EQ(run.status(), "completed null");
}

// A run that stands at a step is moved to a version that has it switched off.
RunState moved(const GraphRun& run, const Definition& to) {
    RunState state = run.state;
    EXPECT_FALSE(Crossing(run.definition, to, {}).carry(state));
    return state;
}

std::string decided(const Definition& to, RunState& state, const Moment& moment) {
    return names(decide(to, state, Resumed{}, moment));
}

TEST(Disabled, LetsRunsGoOnThatWereMovedThere) {
    const std::string_view flow =
        "name: x\nnodes:\n- {id: a, human: {title: t}}\n"
        "- {id: b, code: f}\nedges: [{from: a, to: b}]";
    GraphRun waits(flow);
    ASSERT_EQ(waits.wanted(), "");
    std::string off(flow);
    off.replace(off.find("{title: t}}"), 11, "{title: t}, disabled: true}");
    const Definition to = parsed(off);
    RunState state = moved(waits, to);
    EXPECT_EQ(decided(to, state, {at(0)}), "step_skipped");
    EXPECT_EQ(to.nodes[state.tokens.at(0).node].id, "b");
}

TEST(Disabled, UndoesWhatAMovedRunMayHaveDone) {
    const std::string_view flow =
        "name: x\nnodes:\n- {id: a, code: f, compensate: u}\n"
        "- {id: b, code: f}\n- {id: u, code: f}\n"
        "edges: [{from: a, to: b}]";
    std::string off(flow);
    off.replace(off.find("compensate: u}"), 14, "compensate: u, disabled: true}");
    const Definition to = parsed(off);
    for (const bool interrupted : {false, true}) {
        GraphRun ready(flow);
        RunState state = moved(ready, to);
        // Its worker died, and may have begun it.
        const auto begun = interrupted ? wants(state, at(0)).steps : std::vector<ExecuteStep>();
        const Work work{{}, begun};
        Moment moment{at(0)};
        moment.work = &work;
        EXPECT_EQ(decided(to, state, moment), "step_skipped");
        ASSERT_EQ(state.records.size(), 1u);
        EXPECT_EQ(state.records[0].maybe, interrupted);
    }
}

TEST(Disabled, IsKeptInTheCanonicalForm) {
    const Definition off = parsed("name: x\nsteps: [{name: a, code: f, disabled: true}]");
    const Definition on = parsed("name: x\nsteps: [{name: a, code: f, disabled: false}]");
    EXPECT_EQ(definition_from_json(to_json(off)).value(), off);
    EXPECT_FALSE(off == on);
    EXPECT_EQ(on, parsed("name: x\nsteps: [{name: a, code: f}]")) << "no new version";
    EXPECT_FALSE(
        parse_definition("name: x\ncode: 1.0.0\nnodes: [{id: a, type: code, disabled: true}]")
    );
}

TEST(Disabled, FoldsALogOfBefore) {
    GraphRun on("name: x\nsteps:\n- {name: a, code: f}\n- {name: b, code: f}");
    on.complete("a", 1);
    on.complete("b", 2);
    EXPECT_EQ(skipped(on.log), "");
    EXPECT_EQ(on.status(), "completed 2");
}

}  // namespace
}  // namespace pawl::plan
