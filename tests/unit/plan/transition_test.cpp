#include "support.hpp"

#include <array>
#include <functional>
#include <map>
#include <set>

namespace pawl::plan {
namespace {

// Every kind of state a run can be in, met by everything that can happen to it.

constexpr std::array<std::string_view, 7> stimuli{
    "resumed", "done", "retryable", "permanent", "stale", "timer", "cancel"};

Stimulus make_stimulus(std::string_view kind, std::int16_t attempt) {
    if (kind == "resumed") return Resumed{};
    if (kind == "done") return done(1, attempt);
    if (kind == "retryable") return failed(ErrorClass::retryable, attempt);
    if (kind == "permanent") return failed(ErrorClass::permanent, attempt);
    if (kind == "stale") return done(1, static_cast<std::int16_t>(attempt + 7));
    if (kind == "timer") return TimerDue{};
    return CancelRequested{"because"};
}

TestRun fresh() {
    return TestRun(
        parsed("{name: x, timeout: 1h, steps: [{name: a, code: f, retry: {attempts: 2}},"
               " {name: w, wait: 10s}, {name: b, code: f}]}")
    );
}

// Folds an event as if the log stopped right after it.
void cut_after(TestRun& run, EventType type, std::string node) {
    Event event;
    event.seq = run.state.next_seq;
    event.type = type;
    event.attempt = 1;
    event.node = std::move(node);
    event.error = type == EventType::step_failed ? to_json(error(ErrorClass::permanent)) : nullptr;
    evolve(run.definition, run.state, event);
    run.log.push_back(std::move(event));
}

struct Situation {
    std::string_view kind;
    double now;  // seconds after the start
    std::function<void(TestRun&)> prepare;
    std::array<std::string_view, 7> expected;  // in the order of `stimuli`
};

// A table, built once.
const std::vector<Situation> situations{
    {"not_started", 0, [](TestRun& run) { run.state = {}; }, {}},
    {"ready",
     0,
     [](TestRun&) {},
     {"",
      "step_completed wait_started",
      "step_failed",
      "step_failed run_failed",
      "",
      "",
      "run_stopping"}},
    {"stopping",
     0,
     [](TestRun& run) { run.feed(CancelRequested{}); },
     {"",
      "step_completed run_cancelled",
      "step_failed run_cancelled",
      "step_failed run_cancelled",
      "",
      "",
      ""}},
    {"backoff",
     0,
     [](TestRun& run) { run.feed(failed(ErrorClass::retryable)); },
     {"", "", "", "", "", "", "run_cancelled"}},
    {"backoff_over",
     10,
     [](TestRun& run) { run.feed(failed(ErrorClass::retryable)); },
     {"",
      "step_completed wait_started",
      "step_failed run_failed",
      "step_failed run_failed",
      "",
      "",
      "run_stopping"}},
    {"arrived",
     0,
     [](TestRun& run) { cut_after(run, EventType::step_completed, "a"); },
     {"wait_started",
      "wait_started",
      "wait_started",
      "wait_started",
      "wait_started",
      "wait_started",
      "run_cancelled"}},
    {"waiting",
     9,
     [](TestRun& run) { run.feed(done(1)); },
     {"", "", "", "", "", "", "run_cancelled"}},
    {"wait_over",
     10,
     [](TestRun& run) { run.feed(done(1)); },
     {"step_completed",
      "step_completed",
      "step_completed",
      "step_completed",
      "step_completed",
      "step_completed",
      "run_cancelled"}},
    {"past_deadline",
     3600,
     [](TestRun&) {},
     {"run_stopping",
      "step_completed run_failed",
      "step_failed run_failed",
      "step_failed run_failed",
      "run_stopping",
      "run_stopping",
      "run_stopping"}},
    {"all_paths_ended",
     20,
     [](TestRun& run) {
         run.feed(done(1));
         run.feed(TimerDue{}, 15);
         cut_after(run, EventType::step_completed, "b");
     },
     {"run_completed",
      "run_completed",
      "run_completed",
      "run_completed",
      "run_completed",
      "run_completed",
      "run_cancelled"}},
    {"step_gave_up",
     0,
     [](TestRun& run) { cut_after(run, EventType::step_failed, "a"); },
     {"run_failed",
      "run_failed",
      "run_failed",
      "run_failed",
      "run_failed",
      "run_failed",
      "run_cancelled"}},
    {"completed",
     30,
     [](TestRun& run) {
         run.feed(done(1));
         run.feed(TimerDue{}, 15);
         run.feed(done(2), 20);
     },
     {}},
    {"failed", 0, [](TestRun& run) { run.feed(failed(ErrorClass::permanent)); }, {}},
    {"cancelled",
     0,
     [](TestRun& run) {
         run.feed(CancelRequested{"", true});
     },
     {}},
};

// Names the kind from the state alone, so that a table row cannot claim what it is not.
std::string_view classify(const RunState& state, Instant now) {
    if (!state.started) return "not_started";
    if (is_terminal(state.status)) return name(state.status);
    if (state.stopping) return "stopping";
    if (state.deadline && *state.deadline <= now) return "past_deadline";
    if (state.tokens.empty()) return state.error.is_null() ? "all_paths_ended" : "step_gave_up";
    const Token& token = state.tokens[0];
    switch (token.phase) {
        case TokenPhase::arrived: return "arrived";
        case TokenPhase::ready: return "ready";
        case TokenPhase::backoff: return token.until <= now ? "backoff_over" : "backoff";
        case TokenPhase::resting: return "resting";
        case TokenPhase::waiting: return token.until <= now ? "wait_over" : "waiting";
        case TokenPhase::routing: return "routing";
        case TokenPhase::joining: return "joining";
        case TokenPhase::iterating: return "iterating";
    }
    return "?";
}

TEST(Transitions, EveryStateMeetsEveryStimulus) {
    std::set<std::pair<std::string_view, std::string_view>> taken;
    for (const Situation& situation : situations) {
        for (std::size_t i = 0; i < stimuli.size(); ++i) {
            TestRun run = fresh();
            situation.prepare(run);
            const RunState before = run.state;
            const std::string_view kind = classify(before, at(situation.now));
            ASSERT_EQ(kind, situation.kind);
            const std::int16_t attempt =
                before.tokens.empty() ? std::int16_t{1} : before.tokens[0].attempt;
            const auto events = run.feed(make_stimulus(stimuli[i], attempt), situation.now);
            EXPECT_EQ(names(events), situation.expected[i]) << kind << " + " << stimuli[i];
            taken.emplace(kind, stimuli[i]);
            // No events means nothing changed; and what changed is what the events say.
            if (events.empty()) {
                EXPECT_EQ(run.state, before);
            }
            if (before.started) {
                EXPECT_EQ(fold(run.definition, run.log), run.state) << kind << " + " << stimuli[i];
            }
        }
    }
    const std::array<std::string_view, 14> kinds{
        "not_started",
        "ready",
        "stopping",
        "backoff",
        "backoff_over",
        "arrived",
        "waiting",
        "wait_over",
        "past_deadline",
        "all_paths_ended",
        "step_gave_up",
        "completed",
        "failed",
        "cancelled"};
    for (std::string_view kind : kinds) {
        for (std::string_view stimulus : stimuli) {
            EXPECT_TRUE(taken.contains({kind, stimulus}))
                << "never taken: " << kind << " + " << stimulus;
        }
    }
}

}  // namespace
}  // namespace pawl::plan
