#include "graph_run.hpp"

#include <fmt/core.h>

namespace pawl::plan {
namespace {

TEST(GraphList, ForeachRunsItsBodyForEveryItem) {
    GraphRun run(
        R"(
name: x
nodes:
- {id: all, foreach: {items: "{{ input.list }}", concurrency: 2}}
- {id: a, code: {function: f, input: "{{ item.n }}"}}
- {id: b, code: {function: f, input: "{{ steps.a.result }}"}}
- {id: after, code: f}
edges:
- {from: all, to: a, handle: each}
- {from: a, to: b}
- {from: all, to: after}
)",
        {{"list", {{{"n", 1}}, {{"n", 2}}, {{"n", 3}}}}}
    );
    EXPECT_EQ(run.wanted(), "a a");
    const auto steps = wants(run.state, at(0)).steps;
    const auto config = render_config(run.definition, run.state, steps[1].node, steps[1].frame);
    EXPECT_EQ((*config)->at("input"), 2);
    run.complete("a", 10);
    EXPECT_EQ(run.wanted(), "b a");
    run.complete("b", 100);
    EXPECT_EQ(run.wanted(), "a a");
    run.complete("a", 20);
    run.complete("b", 200);
    run.complete("a", 30);
    run.complete("b", 300);
    EXPECT_EQ(run.wanted(), "after");
    EXPECT_EQ(json::serialize(run.state.records.back().result), "[100,200,300]");
    EXPECT_TRUE(run.state.frames.empty());
}

TEST(GraphList, ForeachToleratesSomeFailures) {
    const std::string text = R"(
name: x
nodes:
- {id: all, foreach: {items: [1, 2, 3], tolerated_failures: TOLERATED}}
- {id: a, code: f, retry: {attempts: 1}}
edges: [{from: all, to: a, handle: each}]
)";
    for (const auto& [tolerated, expected] :
         {std::pair{
              "1",
              R"(completed [7,{"error":{"class":"permanent","code":"boom",)"
              R"("message":"it broke","step":"a"}},7])"},
          {"0", "failed items_failed"}}) {
        std::string one = text;
        one.replace(one.find("TOLERATED"), 9, tolerated);
        GraphRun run(one);
        run.complete("a", 7);
        run.fail("a", "boom");
        run.complete("a", 7);
        EXPECT_EQ(run.status(), expected);
    }
}

TEST(GraphList, TheInputOfAChildIsAboutItsItem) {
    GraphRun run(R"(
name: x
nodes:
- {id: all, foreach: {items: [5, 6], workflow: other, input: {n: "{{ item }}", at: "{{ index }}"}}}
)");
    const auto steps = wants(run.state, at(0)).steps;
    ASSERT_EQ(steps.size(), 2u) << run.status();
    const auto config = render_config(run.definition, run.state, steps[1].node, steps[1].frame);
    EXPECT_EQ(json::serialize((*config)->at("input")), R"({"n":6,"at":1})");
}

TEST(GraphList, ForeachWithAWorkflowStartsAChildForEachItem) {
    GraphRun run(R"(
name: x
nodes:
- {id: all, foreach: {items: [5, 6], workflow: other}}
- {id: after, code: f}
edges: [{from: all, to: after}]
)");
    const auto steps = wants(run.state, at(0)).steps;
    ASSERT_EQ(steps.size(), 2u);
    const auto config = render_config(run.definition, run.state, steps[1].node, steps[1].frame);
    EXPECT_EQ(json::serialize(**config), R"({"workflow":"other","input":6})");
    run.pend("all", {{"for", "child"}, {"run", "r1"}});
    const auto first = static_cast<std::int64_t>(steps[0].token);
    run.signal("child", {{"token", first}, {"run", "r1"}, {"status", "completed"}, {"output", 50}});
    run.complete("all", 60);
    EXPECT_EQ(run.wanted(), "after");
    EXPECT_EQ(json::serialize(run.state.records.back().result), "[50,60]");
}

TEST(GraphList, AnEmptyListIsOverAtOnce) {
    GraphRun run(R"(
name: x
nodes: [{id: all, foreach: {items: []}}, {id: a, code: f}]
edges: [{from: all, to: a, handle: each}]
)");
    EXPECT_EQ(run.status(), "completed []");
}

}  // namespace
}  // namespace pawl::plan
