#include "app/views/run_steps.hpp"

#include "plan/planner.hpp"

#include <gtest/gtest.h>

namespace pawl::app {
namespace {

// A run driven by the planner, so that its log is a real one.
struct Driven {
    explicit Driven(const char* text) : definition(parse_definition(text).value()) {
        log.push_back(plan::run_started(1, 1, json::object(), "", definition));
        plan::evolve(definition, state, log[0]);
        add(plan::Resumed{});
    }

    void add(plan::Stimulus stimulus) {
        const plan::Work none;  // what is wanted is not begun before it is over
        plan::Moment moment;
        moment.now = now;
        moment.work = &none;
        for (auto& event : plan::decide(definition, state, std::move(stimulus), moment)) {
            log.push_back(std::move(event));
        }
    }
    void finish(json::value result) {
        const auto step = plan::wants(state, now).steps.at(0);
        add(plan::StepFinished{step.token, step.attempt, std::move(result), std::nullopt});
    }
    void fail(ErrorClass error_class) {
        const auto step = plan::wants(state, now).steps.at(0);
        plan::StepFinished failed{
            step.token, step.attempt, nullptr, StepError{error_class, "broken", "it broke", {}}};
        failed.worker = "here/17";
        add(std::move(failed));
    }

    Definition definition;
    plan::RunState state;
    std::vector<Event> log;
    Instant now{std::chrono::hours(24)};
};

constexpr const char* two_steps = R"({"name":"w","steps":[
    {"name":"a","code":"noop","retry":{"attempts":2,"base":"10s"}},
    {"name":"b","code":"noop"}]})";

std::string status(const json::array& steps, std::size_t index) {
    return std::string(steps.at(index).at("status").as_string());
}

TEST(RunSteps, BeforeAndWhileAWorkerHoldsIt) {
    Driven run(two_steps);
    EXPECT_EQ(status(steps_of(run.definition, run.log, false), 0), "pending");
    EXPECT_EQ(status(steps_of(run.definition, run.log, true), 0), "running");
    EXPECT_EQ(status(steps_of(run.definition, run.log, true), 1), "pending");
}

TEST(RunSteps, ARetryShowsItsAttemptsAndWhenTheNextIs) {
    Driven run(two_steps);
    run.fail(ErrorClass::retryable);
    const auto steps = steps_of(run.definition, run.log, true);
    EXPECT_EQ(status(steps, 0), "retrying");
    EXPECT_TRUE(steps[0].as_object().contains("next_attempt_at"));
    ASSERT_EQ(steps[0].at("attempts").as_array().size(), 1u);
    EXPECT_EQ(steps[0].at("attempts").at(0).at("error").at("message"), "it broke");
    EXPECT_EQ(steps[0].at("attempts").at(0).at("worker"), "here/17");
    run.now += std::chrono::minutes(1);
    run.finish(nullptr);
    const auto after = steps_of(run.definition, run.log, true);
    EXPECT_FALSE(after[0].at("attempts").at(1).as_object().contains("worker")) << "it succeeded";
}

TEST(RunSteps, ACompletedStepHasItsResult) {
    Driven run(two_steps);
    run.finish({{"x", 1}});
    const auto steps = steps_of(run.definition, run.log, false);
    EXPECT_EQ(status(steps, 0), "completed");
    EXPECT_EQ(steps[0].at("result").at("x"), 1);
    EXPECT_EQ(status(steps, 1), "pending");
}

TEST(RunSteps, OneThatIsSwitchedOffSaysSo) {
    Driven run(R"({"name":"w","steps":[
        {"name":"a","code":"noop","disabled":true},{"name":"b","code":"noop"},
        {"name":"c","wait":"1h","disabled":true}]})");
    const auto steps = steps_of(run.definition, run.log, true);
    EXPECT_EQ(status(steps, 0), "skipped");
    EXPECT_EQ(steps[0].at("disabled"), true);
    EXPECT_TRUE(steps[0].at("result").is_null());
    EXPECT_FALSE(steps[0].as_object().contains("skipped")) << "no person did it";
    EXPECT_FALSE(steps[1].as_object().contains("disabled"));
    EXPECT_EQ(status(steps, 2), "pending") << "the run is not there yet";
    EXPECT_EQ(steps[2].at("disabled"), true);
}

TEST(RunSteps, AWaitThatIsOverIsCompleted) {
    Driven run(R"({"name":"w","steps":[{"name":"a","wait":{"signal":"go"}}]})");
    EXPECT_EQ(status(steps_of(run.definition, run.log, false), 0), "waiting");
    run.add(plan::SignalReceived{1, "signal", json::object{{"name", "go"}, {"data", 7}}});
    const auto steps = steps_of(run.definition, run.log, false);
    EXPECT_EQ(status(steps, 0), "completed");
    EXPECT_EQ(steps[0].at("result").at("data"), 7);
    EXPECT_TRUE(steps[0].at("attempts").as_array().empty());
}

TEST(RunSteps, AFailedRunLeavesTheRestPending) {
    Driven run(two_steps);
    run.fail(ErrorClass::permanent);
    const auto steps = steps_of(run.definition, run.log, false);
    EXPECT_EQ(status(steps, 0), "failed");
    EXPECT_EQ(status(steps, 1), "pending");
}

TEST(RunSteps, ASkippedStepSaysWhoAndWhy) {
    Driven run(two_steps);
    run.fail(ErrorClass::retryable);
    run.add(plan::SignalReceived{
        1, "skip", json::object{{"node", "a"}, {"by", "ann"}, {"reason", "paid"}, {"value", 7}}});
    const auto steps = steps_of(run.definition, run.log, false);
    EXPECT_EQ(status(steps, 0), "skipped");
    EXPECT_EQ(steps[0].at("result"), 7);
    EXPECT_EQ(steps[0].at("skipped"), (json::object{{"by", "ann"}, {"reason", "paid"}}));
    EXPECT_EQ(steps[0].at("attempts").as_array().size(), 1u);
    EXPECT_FALSE(steps[0].as_object().contains("error"));
    EXPECT_EQ(status(steps, 1), "pending");
}

TEST(RunSteps, ACompletedRunSkippedWhatItDidNotComeTo) {
    Driven run(R"({"name":"w","nodes":[{"id":"ask","type":"condition",
        "config":{"path":"input.total","operator":">","value":1000}},
        {"id":"yes","type":"code","function":"noop"},{"id":"no","type":"code","function":"noop"}],
        "edges":[{"from":"ask","to":"yes","handle":"true"},
                 {"from":"ask","to":"no","handle":"false"}]})");
    EXPECT_EQ(status(steps_of(run.definition, run.log, false), 1), "pending")
        << "it may still come";
    run.finish(nullptr);
    const auto steps = steps_of(run.definition, run.log, false);
    EXPECT_EQ(status(steps, 0), "completed");
    EXPECT_EQ(status(steps, 1), "skipped");
    EXPECT_FALSE(steps[1].as_object().contains("skipped")) << "by no person";
    EXPECT_EQ(status(steps, 2), "completed");
}

TEST(RunSteps, AttemptsSayWhichItemAndVisitTheyWereOf) {
    Driven run(R"({"name":"w","nodes":[
        {"id":"each","type":"foreach","config":{"items":[1,2],"concurrency":1}},
        {"id":"again","type":"loop","config":{"times":2}},
        {"id":"one","type":"code","function":"noop"}],
        "edges":[{"from":"each","to":"again","handle":"each"},
                 {"from":"again","to":"one","handle":"each"},{"from":"one","to":"again"},
                 {"from":"again","to":"each"}]})");
    for (int i = 0; i < 4; ++i) run.finish(nullptr);
    const auto steps = steps_of(run.definition, run.log, false);
    std::string seen;
    for (const auto& attempt : steps.at(2).at("attempts").as_array()) {
        EXPECT_EQ(attempt.at("attempt"), 1);
        seen += json::serialize(attempt.at("item")) + json::serialize(attempt.at("visit")) + " ";
    }
    EXPECT_EQ(seen, "[0]1 [0]2 [1]1 [1]2 ");
}

TEST(RunSteps, ACancelledRunShowsWhatWasNeverDone) {
    Driven run(two_steps);
    run.finish(nullptr);
    run.add(plan::CancelRequested{"enough"});
    const auto steps = steps_of(run.definition, run.log, false);
    EXPECT_EQ(status(steps, 0), "completed");
    EXPECT_EQ(status(steps, 1), "cancelled");
}

}  // namespace
}  // namespace pawl::app
