#include "graph_run.hpp"
#include "plan/locks.hpp"
#include "plan/open_waits.hpp"

namespace pawl::plan {
namespace {

constexpr std::string_view split = R"(
name: x
nodes:
- {id: in, type: lock, config: {key: k}}
- {id: a, code: f}
- {id: b, code: f}
- {id: meet, type: join, config: {mode: MODE}}
- {id: out, type: unlock, config: {key: k}}
edges: [{from: in, to: a}, {from: in, to: b}, {from: a, to: meet}, {from: b, to: meet},
  {from: meet, to: out}]
)";

std::string with_mode(std::string_view mode) {
    std::string text(split);
    return text.replace(text.find("MODE"), 4, mode);
}

const json::value key{{"key", "k"}};

// "token/place key" of what the run is in.
std::string locks_of(const GraphRun& run) {
    std::string text;
    for (const HeldLock& lock : run.state.locks) {
        text += fmt::format("{}/{} {};", lock.token, lock.place, lock.key);
    }
    return text;
}

TEST(GraphLock, ARunThatEntersIsInsideUntilItLeaves) {
    GraphRun run(
        "name: x\nsteps: [{name: step_1, lock: {key: k}}, {name: step_2, code: f}, "
        "{name: step_3, unlock: {key: k}}, {name: step_4, code: g}]"
    );
    EXPECT_EQ(locks_of(run), "");
    run.complete("step_1", key);
    EXPECT_EQ(locks_of(run), "0/0 k;");
    run.complete("step_2", 1);
    run.complete("step_3", key);
    EXPECT_EQ(locks_of(run), "");
    // What it knows of the lock is not its result.
    EXPECT_TRUE(run.state.records[0].result.is_null());
}

TEST(GraphLock, AWaitingRunEntersByTheMessageForThatKey) {
    GraphRun run("name: x\nsteps: [{name: step_1, lock: {key: k}}, {name: step_2, code: f}]");
    run.pend("step_1", {{"for", "lock"}, {"key", "k"}});
    run.signal("lock", {{"token", 0}, {"key", "another"}});
    EXPECT_EQ(run.wanted(), "");
    run.signal("lock", {{"token", 0}, {"key", "k"}});
    EXPECT_EQ(run.wanted(), "step_2");
    EXPECT_EQ(locks_of(run), "0/0 k;");
}

TEST(GraphLock, AJoinHandsOverWhatABranchIsIn) {
    GraphRun run(R"(
name: x
nodes:
- {id: begin, type: parallel}
- {id: a, code: f}
- {id: in, type: lock, config: {key: k}}
- {id: meet, type: join}
- {id: out, type: unlock, config: {key: k}}
edges: [{from: begin, to: a}, {from: begin, to: in}, {from: a, to: meet}, {from: in, to: meet},
  {from: meet, to: out}]
)");
    run.complete("in", key);
    const TokenId entered = run.state.locks.at(0).place;
    EXPECT_NE(entered, 0u);
    run.complete("a", 1);
    EXPECT_EQ(run.wanted(), "out");
    EXPECT_EQ(run.state.locks.at(0).token, run.token_at("out")->id);
    EXPECT_EQ(place_to_leave(run.state, run.token_at("out")->id, "k"), entered);
    run.complete("out", key);
    EXPECT_EQ(locks_of(run), "");
}

TEST(GraphLock, AnotherBranchMayLeave) {
    GraphRun run(with_mode("any"));
    run.complete("in", key);
    run.complete("b", 1);
    const TokenId out = run.token_at("out")->id;
    EXPECT_NE(out, 0u);
    EXPECT_EQ(place_to_leave(run.state, out, "k"), 0u);
    EXPECT_EQ(place_to_leave(run.state, out, "unknown"), out);
    run.complete("out", key);
    EXPECT_EQ(locks_of(run), "");
}

TEST(GraphLock, ABranchThatEndsIsInNothing) {
    GraphRun run(R"(
name: x
nodes:
- {id: each, type: foreach, config: {items: [1, 2], tolerated_failures: 2}}
- {id: in, type: lock, config: {key: k}}
- {id: work, code: f, retry: {attempts: 1}}
- {id: out, type: unlock, config: {key: k}}
edges: [{from: each, to: in, handle: each}, {from: in, to: work}, {from: work, to: out}]
)");
    const TokenId first = run.token_at("in")->id;
    run.complete("in", key);
    EXPECT_EQ(locks_of(run), fmt::format("{0}/{0} k;", first));
    const auto waits = open_waits(run.definition, run.state);
    ASSERT_EQ(waits.size(), 2u);
    EXPECT_EQ(waits[0].kind, "entering");
    EXPECT_EQ(waits[1], (OpenWait{first, 0, "inside", "k"}));
    run.fail("work", "boom");
    EXPECT_EQ(locks_of(run), "");
}

}  // namespace
}  // namespace pawl::plan
