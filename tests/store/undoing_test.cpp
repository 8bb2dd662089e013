#include "store/repos/retries.hpp"
#include "store/working.hpp"

namespace pawl::test {
namespace {

// `book` is undone by `unbook`, and `pay` fails.
Definition booking() {
    auto definition = parse_definition(R"(
name: booking
nodes:
- {id: book, code: work, compensate: unbook}
- {id: pay, code: flaky, retry: {attempts: 1}}
- {id: unbook, code: flaky, retry: {attempts: 1}}
edges: [{from: book, to: pay}]
)");
    return definition.value();
}

class UndoingPg : public ::testing::Test {
protected:
    RunId retry(RunId run) {
        const auto retried = db_.loop().run(retries_.retry({}, {{run, new_run_id()}}));
        EXPECT_TRUE(retried.at(0).created);
        return retried.at(0).retried_as.value();
    }
    json::value error(RunId run) { return db_.log(run).back().error; }

    PgUnderTest db_;
    store::Retries retries_{db_.pool()};
};

TEST_F(UndoingPg, WhatCouldNotBeUndoneIsTriedAgainByARetry) {
    db_.apply(booking());
    Working working(db_);
    const RunId failed = working.run("booking");
    ASSERT_EQ(db_.status(failed), "failed");
    EXPECT_EQ(error(failed).at("code"), "flaky");
    EXPECT_EQ(error(failed).at("not_undone").at(0).at("step"), "book");
    EXPECT_EQ(working.executed("unbook"), 1);

    const RunId again = retry(failed);
    working.mended = true;
    working.until_closed(1);
    EXPECT_EQ(db_.status(again), "failed");
    EXPECT_EQ(error(again).at("code"), "flaky");
    EXPECT_FALSE(error(again).as_object().contains("not_undone"));
    EXPECT_EQ(working.executed("unbook"), 2);
    EXPECT_EQ(working.executed("book"), 1);
    EXPECT_EQ(working.executed("pay"), 1);
    EXPECT_EQ(working.keys("unbook").size(), 1U);
}

TEST_F(UndoingPg, ARetryKeepsTheKeyOfTheStepThatItTriesAgain) {
    auto definition =
        parse_definition("name: pay\nsteps: [{name: pay, code: flaky, retry: {attempts: 1}}]");
    db_.apply(definition.value());
    Working working(db_);
    RunId run = working.run("pay");
    for (int i = 0; i < 2; ++i) {
        run = retry(run);
        working.until_closed(1);
    }
    EXPECT_EQ(working.executed("pay"), 3);
    EXPECT_EQ(working.keys("pay").size(), 1U);
}

}  // namespace
}  // namespace pawl::test
