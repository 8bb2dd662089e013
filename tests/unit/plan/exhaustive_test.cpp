#include "support.hpp"

#include <fmt/core.h>

namespace pawl::plan {
namespace {

// All lines of up to four steps, with all that can come of each step, against a reckoning that
// shares nothing with the planner.

enum class Kind { abort, go_on, wait };
enum class Outcome { success, permanent, recovers, exhausted };
constexpr int kind_count = 3;
constexpr int outcome_count = 4;

struct Step {
    Kind kind;
    Outcome outcome;
};

Definition definition_of(const std::vector<Step>& steps) {
    std::string text = "name: x\nsteps:\n";
    for (std::size_t i = 0; i < steps.size(); ++i) {
        const char* what = steps[i].kind == Kind::wait    ? "wait: 5s"
                           : steps[i].kind == Kind::abort ? "code: f"
                                                          : "code: f, on_failure: continue";
        text += fmt::format("- {{name: s{}, {}, retry: {{attempts: 2}}}}\n", i, what);
    }
    return parsed(text);
}

struct Expected {
    RunStatus status = RunStatus::completed;
    std::size_t records = 0;
    int executions = 0;
};

Expected reckon(const std::vector<Step>& steps) {
    Expected expected;
    for (const Step& step : steps) {
        const bool retried =
            step.outcome == Outcome::recovers || step.outcome == Outcome::exhausted;
        if (step.kind != Kind::wait) expected.executions += retried ? 2 : 1;
        const bool gave_up =
            step.outcome == Outcome::permanent || step.outcome == Outcome::exhausted;
        if (step.kind == Kind::abort && gave_up) {
            expected.status = RunStatus::failed;
            return expected;
        }
        ++expected.records;
    }
    return expected;
}

StepFinished play(Outcome outcome, std::int16_t attempt) {
    switch (outcome) {
        case Outcome::success: return done(attempt, attempt);
        case Outcome::permanent: return failed(ErrorClass::permanent, attempt);
        case Outcome::recovers:
            return attempt == 1 ? failed(ErrorClass::retryable, 1) : done(attempt, attempt);
        case Outcome::exhausted: return failed(ErrorClass::retryable, attempt);
    }
    return {};
}

void check(const std::vector<Step>& steps, const Definition& definition) {
    TestRun run(definition);
    double now = 0;
    int executions = 0;
    run.feed(Resumed{}, now);
    for (int turn = 0; turn < 50 && !is_terminal(run.state.status); ++turn) {
        const Wants want = wants(run.state, at(now));
        if (!want.steps.empty()) {
            ++executions;
            run.feed(play(steps[want.steps[0].node].outcome, want.steps[0].attempt), now);
        } else {
            ASSERT_TRUE(want.wake_at) << "stuck";
            now += 100;
            run.feed(TimerDue{}, now);
        }
        ASSERT_EQ(fold(definition, run.log), run.state);
    }
    const Expected expected = reckon(steps);
    ASSERT_EQ(run.state.status, expected.status);
    ASSERT_EQ(run.state.records.size(), expected.records);
    ASSERT_EQ(executions, expected.executions);
}

TEST(Exhaustive, LinesOfUpToFourSteps) {
    for (int length = 1; length <= 4; ++length) {
        int kinds = 1;
        int outcomes = 1;
        for (int i = 0; i < length; ++i) {
            kinds *= kind_count;
            outcomes *= outcome_count;
        }
        for (int k = 0; k < kinds; ++k) {
            std::vector<Step> steps(static_cast<std::size_t>(length));
            for (int i = 0, rest = k; i < length; ++i, rest /= kind_count) {
                steps[static_cast<std::size_t>(i)].kind = static_cast<Kind>(rest % kind_count);
            }
            const Definition definition = definition_of(steps);
            for (int o = 0; o < outcomes; ++o) {
                for (int i = 0, rest = o; i < length; ++i, rest /= outcome_count) {
                    auto& step = steps[static_cast<std::size_t>(i)];
                    step.outcome = static_cast<Outcome>(rest % outcome_count);
                }
                ASSERT_NO_FATAL_FAILURE(check(steps, definition))
                    << "kinds " << k << " outcomes " << o;
            }
        }
    }
}

}  // namespace
}  // namespace pawl::plan
