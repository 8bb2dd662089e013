#include "graph_run.hpp"

#include <fmt/format.h>

namespace pawl::plan {
namespace {

// A branch of two steps beside one of one; `way` says what becomes of it when the other is first.
std::string race(std::string_view way) {
    return fmt::format(
        R"(
name: x
nodes:
- {{id: hold, code: f, compensate: unhold}}
- {{id: split, type: parallel}}
- {{id: fast, code: f, compensate: unfast}}
- {{id: book, code: f, compensate: unbook}}
- {{id: pay, code: f, compensate: unpay}}
- {{id: first, type: join, config: {{mode: any, cancel_rest: true{}}}}}
- {{id: after, code: f}}
- {{id: unhold, code: f}}
- {{id: unfast, code: f}}
- {{id: unbook, code: f, input: "{{{{ undo.result }}}}"}}
- {{id: unpay, code: f}}
edges:
- {{from: hold, to: split}}
- {{from: split, to: fast}}
- {{from: split, to: book}}
- {{from: book, to: pay}}
- {{from: fast, to: first}}
- {{from: pay, to: first}}
- {{from: first, to: after}}
)",
        way
    );
}

TEST(UndoRest, WhatAWithdrawnBranchHasDoneIsUndoneWhenTheJoinSaysSo) {
    GraphRun run(race(", undo_rest: true"));
    run.complete("hold", 0);
    run.complete("book", 1);
    run.complete("fast", 2);
    // What is under way is waited for first; what was before the branches and beside them stays.
    EXPECT_EQ(run.wanted(), "after");
    run.complete("after", 3);
    EXPECT_EQ(run.status(), "running");
    run.complete("pay", 4);
    EXPECT_EQ(run.wanted(), "unpay");
    run.complete("unpay", 5);
    EXPECT_EQ(run.wanted(), "unbook");
    run.complete("unbook", 6);
    EXPECT_EQ(run.status(), "completed 3");
}

TEST(UndoRest, WhatAWithdrawnBranchHasDoneStaysUnlessTheJoinSaysSo) {
    GraphRun run(race(""));
    run.complete("hold", 0);
    run.complete("book", 1);
    run.complete("fast", 2);
    run.complete("after", 3);
    run.complete("pay", 4);
    EXPECT_EQ(run.wanted(), "unpay");
    run.complete("unpay", 5);
    EXPECT_EQ(run.status(), "completed 3");
}

TEST(UndoRest, ARunThatFailsMeanwhileUndoesTheRestOnce) {
    GraphRun run(race(", undo_rest: true"));
    run.complete("hold", 0);
    run.complete("book", 1);
    run.complete("fast", 2);
    run.complete("pay", 4);
    EXPECT_EQ(run.wanted(), "after unpay");
    run.feed(CancelRequested{"enough"});
    run.complete("unpay", 5);
    run.complete("after", 3);
    EXPECT_EQ(run.wanted(), "unfast");
    run.complete("unfast", 6);
    EXPECT_EQ(run.wanted(), "unbook");
    run.complete("unbook", 7);
    EXPECT_EQ(run.wanted(), "unhold");
    run.complete("unhold", 8);
    EXPECT_EQ(run.status(), "cancelled");
}

TEST(UndoRest, WhatItemsOfAWithdrawnBranchHaveDoneIsUndone) {
    GraphRun run(R"(
name: x
nodes:
- {id: split, type: parallel}
- {id: fast, code: f}
- {id: each, foreach: {items: [1, 2, 3], concurrency: 1}}
- {id: book, code: f, compensate: unbook}
- {id: first, type: join, config: {mode: any, cancel_rest: true, undo_rest: true}}
- {id: unbook, code: f}
edges:
- {from: split, to: fast}
- {from: split, to: each}
- {from: each, to: book, handle: each}
- {from: each, to: first}
- {from: fast, to: first}
)");
    run.complete("book", 1);
    run.complete("fast", 2);
    run.complete("book", 3);
    EXPECT_EQ(run.wanted(), "unbook");
    run.complete("unbook", 4);
    EXPECT_EQ(run.wanted(), "unbook");
    run.complete("unbook", 5);
    EXPECT_EQ(run.wanted(), "");
    EXPECT_EQ(run.status(), "completed 2");
}

}  // namespace
}  // namespace pawl::plan
