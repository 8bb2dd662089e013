#include "plan/repin.hpp"
#include "store/repos/retries.hpp"
#include "store/working.hpp"

#include <fmt/core.h>

// Runs that were moved to another version, and are done again afterwards.
namespace pawl::test {
namespace {

using namespace std::chrono_literals;

Definition parsed(const std::string& text) {
    auto definition = parse_definition(text);
    EXPECT_TRUE(definition) << definition.error().message;
    return definition.value();
}

// A step that fails first, a wait in which to move the run, a step that fails it.
Definition order(const std::string& first, const std::string& how) {
    return parsed(fmt::format(
        "{{name: w, steps: [{{id: {}, type: code, function: flaky, {}}}, "
        "{{id: gate, type: wait, signal: go}}, "
        "{{id: ship, type: code, function: flaky, retry: {{attempts: 1}}}}]}}",
        first,
        how
    ));
}

class MovedRetriesTest : public ::testing::Test {
protected:
    std::string value(const std::string& sql) { return db_.database().session().value(sql); }
    RunId start() {
        auto run = new_run(db_.find_workflow("w")->id);
        db_.start({run});
        return run.id;
    }
    std::string state(RunId run) {
        return value(fmt::format(
            "select coalesce(max(state), -1)::text from pawl.live_run where run_id = '{}'",
            to_string(run)
        ));
    }
    std::string version(RunId run) {
        return value(fmt::format(
            "select max(version)::text from pawl.live_run where run_id = '{}'", to_string(run)
        ));
    }
    void parked(RunId run) {
        working_.until([&] { return state(run) == "2"; });
    }
    void move(RunId run, json::object map) {
        db_.send({{run, "repin", json::object{{"version", 2}, {"map", std::move(map)}}}});
        working_.until([&] { return version(run) == "2"; });
    }
    RunId retried(RunId run) {
        const std::vector<store::Retry> wanted{{run, new_run_id()}};
        const auto answer = db_.loop().run(retries_.retry({}, wanted)).at(0);
        EXPECT_TRUE(answer.created) << answer.status;
        return answer.retried_as.value();
    }
    // Sends the waiting run to the step that fails it, and does it again with that mended.
    RunId fail_and_retry(RunId run) {
        working_.mended = false;
        db_.send({{run, "signal", json::object{{"name", "go"}}}});
        working_.until_closed(1);
        EXPECT_EQ(db_.status(run), "failed");
        const RunId again = retried(run);
        working_.mended = true;
        working_.until_closed(1);
        EXPECT_EQ(db_.status(again), "completed");
        return again;
    }

    PgUnderTest db_;
    store::Retries retries_{db_.pool()};
    Working working_{db_};
};

TEST_F(MovedRetriesTest, AStepThatGotAnotherNameBetweenItsAttemptsIsNotDoneAgain) {
    const std::string often = "retry: {attempts: 100, base: 300ms, factor: 1}";
    db_.apply(order("charge", often));
    const RunId run = start();
    working_.until([&] { return working_.executed("charge") == 1; });
    db_.apply(order("bill", often));
    move(run, {{"charge", "bill"}});
    working_.mended = true;
    parked(run);
    const int before = working_.executed("bill");
    ASSERT_GE(before, 1);
    fail_and_retry(run);
    EXPECT_EQ(working_.executed("bill"), before) << "it had been done";
}

TEST_F(MovedRetriesTest, AStepThatWasPassedOverInAnEarlierVersionIsNotDoneAgain) {
    const std::string passed_over = "on_failure: continue, retry: {attempts: 1}";
    db_.apply(order("charge", passed_over));
    const RunId run = start();
    parked(run);
    db_.apply(order("bill", "retry: {attempts: 1}"));
    move(run, {{"charge", "bill"}});
    parked(run);
    fail_and_retry(run);
    EXPECT_EQ(working_.executed("charge"), 1);
    EXPECT_EQ(working_.executed("bill"), 0);
}

TEST_F(MovedRetriesTest, WhatWasUndoneBeginsAnewInTheVersionItHadAtLast) {
    const auto undoable = [](const std::string& description) {
        return parsed(fmt::format(
            "{{name: w, description: {}, nodes: ["
            "{{id: a, type: code, function: work, compensate: undo}}, "
            "{{id: gate, type: wait, signal: go}}, {{id: undo, type: code, function: work}}], "
            "edges: [{{from: a, to: gate}}]}}",
            description
        ));
    };
    db_.apply(undoable("first"));
    const RunId run = start();
    parked(run);
    db_.apply(undoable("second"));
    move(run, {});
    parked(run);
    db_.cancel(run);
    working_.until_closed(1);
    ASSERT_EQ(working_.executed("undo"), 1);
    const RunId again = retried(run);
    EXPECT_EQ(version(again), "2");
    EXPECT_EQ(plan::pinned_version(db_.log(again)), 2);
    parked(again);
    EXPECT_EQ(working_.executed("a"), 2);
    EXPECT_EQ(version(again), "2");
}

TEST_F(MovedRetriesTest, ARunThatBeginsBeforeTheMoveHasTheVersionOfThen) {
    db_.apply(order("charge", "retry: {attempts: 1}"));
    working_.mended = true;
    const RunId run = start();
    parked(run);
    db_.apply(order("bill", "retry: {attempts: 1}"));
    move(run, {{"charge", "bill"}});
    const RunId early = new_run_id();
    EXPECT_TRUE(db_.loop().run(retries_.rerun_from({}, {run, early, 1})));
    EXPECT_EQ(version(early), "1");
    const RunId late = new_run_id();
    EXPECT_TRUE(db_.loop().run(retries_.rerun_from({}, {run, late, 100})));
    EXPECT_EQ(version(late), "2");
    parked(early);
    EXPECT_EQ(working_.executed("charge"), 2);
    EXPECT_EQ(version(early), "1");
}

TEST_F(MovedRetriesTest, ACopyKnowsWhenTheFirstOfThemWasStarted) {
    db_.apply(order("charge", "retry: {attempts: 1}"));
    const RunId run = start();
    working_.until_closed(1);
    const auto begun = db_.log(run).at(0).at;
    const RunId second = retried(run);
    EXPECT_EQ(db_.log(second).at(0).data.at("started_at"), json::value(to_rfc3339(begun)));
    working_.until_closed(1);
    const RunId third = retried(second);
    EXPECT_EQ(db_.log(third).at(0).data.at("started_at"), json::value(to_rfc3339(begun)));
    const RunId rerun = new_run_id();
    EXPECT_TRUE(db_.loop().run(retries_.rerun_from({}, {third, rerun, 1})));
    EXPECT_EQ(db_.log(rerun).at(0).data.at("started_at"), json::value(to_rfc3339(begun)));
}

}  // namespace
}  // namespace pawl::test
