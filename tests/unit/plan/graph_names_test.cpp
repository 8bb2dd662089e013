// What the names of templates and conditions stand for.
#include "graph_run.hpp"

namespace pawl::plan {
namespace {

// What an event brought does not stand in the way of the input.
TEST(Names, TheInputWinsOverWhatWaitsAnswered) {
    GraphRun run(
        R"(
name: shop
steps:
- {name: paid, wait: {signal: paid}}
- {name: told, code: {function: f, input: "{{ id }} {{ name }} {{ steps.paid.result.name }}"}}
- {name: later, code: {function: f, input: "{{ run.workflow }} {{ run.version }}"}}
)",
        {{"id", 17}}
    );
    run.signal("signal", {{"name", "paid"}, {"id", "event-1"}, {"data", json::object()}});
    const auto config = [&](NodeIndex node) {
        return std::string(
            (*render_config(run.definition, run.state, node))->at("input").as_string()
        );
    };
    EXPECT_EQ(config(1), "17 paid paid");
    EXPECT_EQ(config(2), "shop 2");
    EXPECT_EQ(context_of(run.definition, run.state).at("id"), 17);
}

constexpr std::string_view on_condition = R"(
name: x
nodes: [{id: a, code: f}, {id: b, code: f}]
edges: [{from: a, to: b, when: {path: PATH, operator: "=", value: 1}}]
)";

std::string after_a(std::string_view path, json::object input) {
    std::string text(on_condition);
    text.replace(text.find("PATH"), 4, path);
    GraphRun run(text, std::move(input));
    run.complete("a", {{"n", 1}});
    if (run.state.status != RunStatus::failed) return run.wanted();
    return std::string(run.state.error.at("message").as_string());
}

TEST(Names, AConditionOfNothingFailsItsStep) {
    EXPECT_EQ(after_a("n", {}), "b");
    EXPECT_EQ(after_a("steps.a.result.n", {}), "b");
    EXPECT_EQ(after_a("vip", {{"vip", 2}}), "");
    EXPECT_EQ(after_a("input.vip", {}), "") << "a field that was left out is null";
    EXPECT_EQ(
        after_a("steps.a.result.m", {}),
        "when of the edge to 'b': 'steps.a.result.m' is not defined"
    );
    EXPECT_EQ(after_a("n.m", {}), "when of the edge to 'b': 'n.m' is not defined");
    EXPECT_EQ(after_a("order.m", {{"order", json::object()}}), "");
    EXPECT_EQ(after_a("vpi", {}), "when of the edge to 'b': 'vpi' is not defined");
    GraphRun asked(R"(
name: x
nodes:
- id: ask
  type: condition
  config: {all: [{path: vip, operator: exists}, {path: vip, operator: "=", value: 1}]}
- {id: "yes", code: f}
- {id: "no", code: f}
edges: [{from: ask, to: "yes", handle: "true"}, {from: ask, to: "no", handle: "false"}]
)");
    EXPECT_EQ(asked.wanted(), "no");
}

TEST(Names, TheErrorOfAStepHasParts) {
    GraphRun run(R"(
name: x
steps:
- {name: a, code: f, on_failure: continue}
- name: b
  code:
    function: f
    input: "{{ steps.a.error }}, {{ steps.a.error.code }} of {{ steps.a.error.step }}"
)");
    run.fail("a", "boom");
    EXPECT_EQ((*render_config(run.definition, run.state, 1))->at("input"), "it broke, boom of a");
}

}  // namespace
}  // namespace pawl::plan
