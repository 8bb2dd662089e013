#include "graph_run.hpp"

#include <fmt/format.h>

// Lists that a sql step has left in pages, which a foreach reads one after the other.
namespace pawl::plan {
namespace {

std::string listing(std::string_view settings = "") {
    return fmt::format(
        R"(
name: x
nodes:
- {{id: list, sql: {{statement: select 1, stream: true}}}}
- {{id: each, foreach: {{items: "{{{{ steps.list.result.rows }}}}"{}}}}}
- {{id: work, code: {{function: f, input: ["{{{{ item }}}}", "{{{{ index }}}}"]}}}}
- {{id: after, code: {{function: f, input: "{{{{ steps.each.result }}}}"}}}}
edges:
- {{from: list, to: each}}
- {{from: each, to: work, handle: each}}
- {{from: each, to: after}}
)",
        settings
    );
}

json::value listed(int pages, int count) {
    return json::object{
        {"rows", {{"run", "r"}, {"key", "k"}, {"pages", pages}, {"count", count}}},
        {"count", count}};
}

json::value page(int number, json::array items) {
    return json::object{{"page", number}, {"items", std::move(items)}};
}

std::string config_at(const GraphRun& run, std::string_view node) {
    const Token* token = run.token_at(node);
    if (token == nullptr) return "nothing is there";
    const auto config =
        render_config(run.definition, run.state, token->node, token->frame, token->id);
    return config ? json::serialize(**config) : config.error().message;
}

TEST(PageList, ItemsOfAllPagesAreDoneOneAfterTheOther) {
    GraphRun run(listing(", concurrency: 2"));
    run.complete("list", listed(2, 3));
    EXPECT_EQ(run.wanted(), "each");
    EXPECT_EQ(config_at(run, "each"), R"({"page_of":{"run":"r","key":"k","page":1}})");
    EXPECT_EQ(run.complete("each", page(1, {"a", "b"})), "items_listed");
    EXPECT_EQ(run.wanted(), "work work");
    EXPECT_EQ(config_at(run, "work"), R"({"function":"f","input":["a",0]})");
    run.complete("work", 1);
    run.complete("work", 1);
    EXPECT_EQ(config_at(run, "each"), R"({"page_of":{"run":"r","key":"k","page":2}})");
    run.complete("each", page(2, {"c"}));
    EXPECT_EQ(config_at(run, "work"), R"({"function":"f","input":["c",2]})");
    run.complete("work", 1);
    EXPECT_EQ(config_at(run, "after"), R"({"function":"f","input":{"count":3,"failed":0}})");
    run.complete("after", 9);
    EXPECT_EQ(run.status(), "completed 9");
}

TEST(PageList, WhatNoStepHasLeftIsNoList) {
    for (const auto& [pages, count] :
         {std::pair{-1, 1}, {2, 1}, {1, -1}, {1, 100'001}, {2'000'000'000, 2'000'000'000}}) {
        GraphRun run(listing());
        run.complete("list", listed(pages, count));
        EXPECT_EQ(run.status(), "failed items") << pages << " " << count;
    }
}

TEST(PageList, APageThatWasReadBeforeIsNotTakenAgain) {
    GraphRun run(listing());
    run.complete("list", listed(2, 2));
    run.complete("each", page(1, {"a"}));
    run.complete("work", 1);
    EXPECT_EQ(run.complete("each", page(1, {"a"})), "");
    EXPECT_EQ(run.wanted(), "each");
    run.complete("each", page(2, {"b"}));
    EXPECT_EQ(config_at(run, "work"), R"({"function":"f","input":["b",1]})");
}

TEST(PageList, AnEmptyOneIsOverAtOnce) {
    GraphRun run(listing());
    run.complete("list", listed(0, 0));
    EXPECT_EQ(config_at(run, "after"), R"({"function":"f","input":{"count":0,"failed":0}})");
}

TEST(PageList, NoFurtherPageIsReadOnceTooManyHaveFailed) {
    GraphRun run(listing());
    run.complete("list", listed(2, 4));
    run.complete("each", page(1, {"a", "b"}));
    run.fail("work", "broke");
    run.complete("work", 1);
    EXPECT_EQ(run.status(), "failed items_failed");
    EXPECT_EQ(
        run.state.error.at("message"),
        "1 of 4 items failed, 2 never began, the last one because: it broke"
    );
}

TEST(PageList, AReadThatFailsIsTriedAgainAndKeepsTheTimeOfTheList) {
    GraphRun run(listing(", timeout: 1h"));
    run.complete("list", listed(1, 1));
    for (int i = 0; i < 8; ++i) {
        run.fail("each", "unavailable", ErrorClass::retryable);
        EXPECT_EQ(run.status(), "running");
        run.pass_time(200);
    }
    run.complete("each", page(1, {"a"}));
    EXPECT_EQ(run.wanted(), "work");
    run.pass_time(2100);
    run.complete("work", 1);
    EXPECT_EQ(run.status(), "failed timeout");
}

TEST(PageList, RowsThatAreGoneFailTheList) {
    GraphRun run(listing());
    run.complete("list", listed(1, 1));
    run.fail("each", "items");
    EXPECT_EQ(run.status(), "failed items");
}

TEST(PageList, AReadIsNotWaitedForWhenTheRunStops) {
    GraphRun run(listing());
    run.complete("list", listed(1, 1));
    run.feed(CancelRequested{"enough"});
    EXPECT_EQ(run.status(), "cancelled");
}

}  // namespace
}  // namespace pawl::plan
