#include "graph_run.hpp"

// Whose name the keys of a child's steps have when it stands for a child before it, and whose
// children it goes on from itself.
namespace pawl::plan {
namespace {

class Keys : public GraphRun {
public:
    using GraphRun::GraphRun;
    ~Keys() { of("", "", ""); }  // the log does not say it: folded anew, the state has none

    void of(std::string first, std::string anew, std::string branch) {
        state.first_run = std::move(first);
        state.anew_run = std::move(anew);
        state.branch_run = std::move(branch);
    }
    ExecuteStep step(std::string_view node) const {
        for (const ExecuteStep& one : wants(state, at(now)).steps) {
            if (definition.nodes[one.node].id == node) return one;
        }
        ADD_FAILURE() << node << " is not wanted";
        return {};
    }
    std::string key_run_at(std::string_view node) const {
        return std::string(key_run(definition, state, step(node), "this"));
    }
    std::string line(std::string_view node) const {
        return std::string(call_until(definition, state, step(node), "this"));
    }
};

constexpr std::string_view branches = R"(
name: x
nodes:
- {id: pay, code: f, compensate: back}
- {id: mail, code: f}
- {id: left, code: f}
- {id: right, code: f}
- {id: back, code: f}
edges:
- {from: pay, to: mail}
- {from: mail, to: left}
- {from: mail, to: right}
)";

TEST(ChildKeys, OfAChildThatUndidNothingAreThoseOfTheFirst) {
    Keys run(branches);
    run.of("first", "", "this");
    EXPECT_EQ(run.key_run_at("pay"), "first");
    run.complete("pay", 1);
    EXPECT_EQ(run.key_run_at("mail"), "first");
    run.complete("mail", 1);
    EXPECT_EQ(run.key_run_at("right"), "this") << "which token it has may be another one now";
    run.fail("right", "gone");
    run.complete("left", 1);
    EXPECT_EQ(run.key_run_at("back"), "this") << "the first may undo something else by that number";
}

TEST(ChildKeys, OfAChildThatUndidSomethingAreNewWhereItDid) {
    Keys run(branches);
    run.of("first", "this", "this");
    EXPECT_EQ(run.key_run_at("pay"), "this");
    run.complete("pay", 1);
    EXPECT_EQ(run.key_run_at("mail"), "first");
}

TEST(ChildKeys, StayWhenSuchAChildIsRetried) {
    Keys run(branches);
    run.of("first", "second", "third");
    EXPECT_EQ(run.key_run_at("pay"), "second");
    run.complete("pay", 1);
    run.complete("mail", 1);
    EXPECT_EQ(run.key_run_at("right"), "third");
}

TEST(ChildKeys, AreKnownFromTheLogOfTheChild) {
    const Definition definition = parsed("{name: x, nodes: [{id: a, code: f}]}");
    Origin origin;
    origin.takes_over = TakenOver{"before", "first", "second", "third"};
    const std::vector<Event> log{
        run_started(1, 1, json::object(), "", definition, std::move(origin))};
    const RunState state = fold(definition, log);
    EXPECT_EQ(state.first_run, "first");
    EXPECT_EQ(state.anew_run, "second");
    EXPECT_EQ(state.branch_run, "third");
}

TEST(CallUntil, OfARunThatGoesOnFromNoneIsItself) {
    Keys run("{name: x, nodes: [{id: a, call: {workflow: w}}]}");
    EXPECT_EQ(run.line("a"), "this");
    run.of("first", "", "");
    EXPECT_EQ(run.line("a"), "first");
    EXPECT_EQ(run.key_run_at("a"), "this") << "the child itself is another one";
}

TEST(CallUntil, EndsWhereTheCallWasUndone) {
    Keys run(R"({name: x, nodes: [{id: a, call: {workflow: w}, compensate: b}, {id: b, code: f}],
                 edges: []})");
    run.of("first", "second", "this");
    EXPECT_EQ(run.line("a"), "second");
}

TEST(CallUntil, OfAnItemReachesBackToTheFirst) {
    Keys run("{name: x, nodes: [{id: a, foreach: {items: [1, 2], workflow: w}}]}");
    run.of("first", "second", "third");
    EXPECT_EQ(run.line("a"), "first");
}

TEST(CallUntil, OfACallInABranchOrAnItemDoesNotReachBeyondItsLog) {
    Keys run(R"(
name: x
nodes:
- {id: each, foreach: {items: [1]}}
- {id: a, call: {workflow: w}}
edges:
- {from: each, to: a, handle: each}
)");
    run.of("first", "", "third");
    EXPECT_EQ(run.line("a"), "third");
}

}  // namespace
}  // namespace pawl::plan
