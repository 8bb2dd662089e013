#include "plan/settle.hpp"
#include "support.hpp"

#include <fmt/core.h>
#include <rapidcheck.h>

#include <limits>

namespace pawl::plan {
namespace {

using Bytes = std::vector<std::uint8_t>;

// Draws small choices from bytes that rapidcheck made, so that a failure shrinks well.
class Draw {
public:
    explicit Draw(const Bytes& bytes) : bytes_(bytes) {}
    int below(int bound) { return at_ < bytes_.size() ? bytes_[at_++] % bound : 0; }
    bool more() const { return at_ < bytes_.size(); }

private:
    const Bytes& bytes_;
    std::size_t at_ = 0;
};

Definition random_line(Draw& draw) {
    std::string text = draw.below(3) == 0 ? "name: x\ntimeout: 60s\nsteps:\n" : "name: x\nsteps:\n";
    const int length = 1 + draw.below(5);
    for (int i = 0; i < length; ++i) {
        static constexpr std::string_view whats[] = {
            "code: f",
            "code: f, on_failure: continue",
            "wait: 5s",
            "wait: 0",
            "wait: \"{{ nope }}\"",
            "wait: \"{{ nope }}\", on_failure: continue",
            "http: {method: POST, url: http://u}"};
        const auto what = whats[static_cast<std::size_t>(draw.below(std::size(whats)))];
        text += fmt::format(
            "- {{name: s{}, {}, retry: {{attempts: {}}}}}\n", i, what, 1 + draw.below(4)
        );
    }
    return parsed(text);
}

Stimulus random_stimulus(Draw& draw, const RunState& state) {
    StepFinished finished;
    finished.token = draw.below(8) == 0 ? 1 : 0;
    finished.attempt = state.tokens.empty() ? std::int16_t{1} : state.tokens[0].attempt;
    if (draw.below(6) == 0) finished.attempt = static_cast<std::int16_t>(draw.below(4) - 1);
    switch (draw.below(10)) {
        case 0: return Resumed{};
        case 1: return draw.below(6) == 0 ? Stimulus(CancelRequested{"x"}) : Stimulus(Resumed{});
        case 2:
        case 3: return TimerDue{};
        case 4:
        case 5:
        case 6: finished.error = error(static_cast<ErrorClass>(draw.below(3))); return finished;
        default: finished.result = {{"k", draw.below(5)}}; return finished;
    }
}

// A step that waits to be settled.
const Token* unsettled(const RunState& state) {
    for (const Token& token : state.tokens) {
        const auto* wait = token.waits_for.as<events::CallbackWait>();
        if (wait != nullptr && wait->unknown) return &token;
    }
    return nullptr;
}

// Settles that step.
Stimulus settlement(Draw& draw, const TestRun& run, const Token& token) {
    const auto as = static_cast<Settled>(draw.below(3));
    auto settled =
        settle(run.definition, run.state, {run.definition.nodes[token.node].id, as, 1, "", "ann"});
    RC_ASSERT(settled.sentence == "");
    return SignalReceived{1, "callback", std::move(settled.signal)};
}

bool goes_on(const RunState& state, Instant now) {
    const Wants want = wants(state, now);
    if (state.paused && !is_terminal(state.status)) return want.steps.empty();
    return is_terminal(state.status) ? want.steps.empty() && !want.wake_at
                                     : !want.steps.empty() || want.wake_at.has_value() ||
                                           want.awaited > 0 || unsettled(state) != nullptr;
}

TEST(Properties, AnyHistoryReplaysAndNeverSticks) {
    EXPECT_TRUE(rc::check([](const Bytes& bytes) {
        Draw draw(bytes);
        TestRun run(random_line(draw));
        std::vector<std::pair<std::size_t, RunState>> snapshots{{1, run.state}};
        double now = 0;
        while (draw.more()) {
            now += draw.below(4) * 2.5;
            const bool was_over = is_terminal(run.state.status);
            const Token* token = unsettled(run.state);
            const bool settles = token != nullptr && !was_over && draw.below(3) == 0;
            const auto events = run.feed(
                settles ? settlement(draw, run, *token) : random_stimulus(draw, run.state), now
            );
            RC_ASSERT(!was_over || events.empty());
            RC_ASSERT(goes_on(run.state, at(now)));
            snapshots.emplace_back(run.log.size(), run.state);
        }
        for (std::size_t i = 0; i < run.log.size(); ++i) {
            RC_ASSERT(run.log[i].seq == static_cast<std::int32_t>(i));
        }
        for (const auto& [length, state] : snapshots) {
            const std::vector<Event> prefix(
                run.log.begin(), run.log.begin() + static_cast<std::ptrdiff_t>(length)
            );
            RC_ASSERT(fold(run.definition, prefix) == state);
        }
        // Also when the log stops inside a decision, the rest is made up for.
        for (std::size_t length = 1; length <= run.log.size(); ++length) {
            const std::vector<Event> prefix(
                run.log.begin(), run.log.begin() + static_cast<std::ptrdiff_t>(length)
            );
            RunState state = fold(run.definition, prefix);
            RC_ASSERT(goes_on(state, at(now)));
            Moment moment;
            moment.now = at(now);
            (void)decide(run.definition, state, Resumed{}, moment);
            RC_ASSERT(goes_on(state, at(now)));
        }
    }));
}

TEST(Properties, TheCanonicalFormReadsBack) {
    EXPECT_TRUE(rc::check([](const Bytes& bytes) {
        Draw draw(bytes);
        const Definition definition = random_line(draw);
        const auto again = definition_from_json(to_json(definition));
        RC_ASSERT(again.has_value());
        RC_ASSERT(*again == definition);
    }));
}

TEST(Properties, ServedRunsEnd) {
    EXPECT_TRUE(rc::check([](const Bytes& bytes) {
        Draw draw(bytes);
        TestRun run(random_line(draw));
        Instant now = at(0);
        int turns = 0;
        int granted = 0;  // attempts that were asked for, whatever the policy says
        while (!is_terminal(run.state.status)) {
            RC_ASSERT(++turns < 100);
            const Wants want = wants(run.state, now);
            Stimulus stimulus = TimerDue{};
            if (!want.steps.empty()) {
                const ExecuteStep& step = want.steps[0];
                const auto& policy = run.definition.nodes[step.node].retry;
                RC_ASSERT(step.attempt <= policy.attempts + granted);
                StepFinished finished{step.token, step.attempt, nullptr, std::nullopt};
                const int outcome = draw.below(4);
                if (outcome < 3) finished.error = error(static_cast<ErrorClass>(outcome));
                stimulus = std::move(finished);
            } else if (const Token* token = unsettled(run.state)) {
                stimulus = settlement(draw, run, *token);
                const auto& said = std::get<SignalReceived>(stimulus).data;
                if (find(said, "again") != nullptr) ++granted;
            } else {
                RC_ASSERT(want.wake_at.has_value());
                now = std::max(now, *want.wake_at);
            }
            Moment moment;
            moment.now = now;
            (void)decide(run.definition, run.state, std::move(stimulus), moment);
        }
    }));
}

Definition garbage_definition(Draw& draw) {
    Definition definition;
    const int nodes = draw.below(5);
    for (int i = 0; i < nodes; ++i) {
        Node node;
        node.id = draw.below(3) == 0 ? "same" : fmt::format("n{}", i);
        node.type = static_cast<NodeType>(draw.below(4));
        if (draw.below(2) == 0) node.config["duration"] = draw.below(3) - 1;
        if (draw.below(3) == 0) node.config["x"] = "{{ broken";
        node.retry.attempts =
            draw.below(3) == 0 ? std::numeric_limits<int>::max() : draw.below(4) - 2;
        node.on_failure = static_cast<OnFailure>(draw.below(2));
        definition.nodes.push_back(std::move(node));
    }
    const int edges = draw.below(6);
    for (int i = 0; i < edges; ++i) {
        definition.edges.push_back(
            {static_cast<NodeIndex>(draw.below(6)),
             static_cast<NodeIndex>(draw.below(6)),
             "default"}
        );
    }
    if (draw.below(3) == 0) definition.timeout = Duration::max();
    return definition;
}

Event garbage_event(Draw& draw) {
    Event event;
    event.seq = draw.below(5) == 0 ? std::numeric_limits<std::int32_t>::max() : draw.below(9) - 2;
    event.type = static_cast<EventType>(draw.below(event_type_count + 2));
    event.attempt = draw.below(9) == 0 ? std::numeric_limits<std::int16_t>::max()
                                       : static_cast<std::int16_t>(draw.below(4) - 1);
    event.node = draw.below(3) == 0 ? "same" : fmt::format("n{}", draw.below(5));
    const std::int64_t number = draw.below(2) == 0 ? std::numeric_limits<std::int64_t>::max() : -5;
    switch (draw.below(6)) {
        case 0: event.data = {{"retry_at", number}}; break;
        case 1: event.data = {{"until", number}}; break;
        case 2: event.data = {{"timeout_ms", number}, {"workflow", number}, {"input", 5}}; break;
        case 3: event.data = {{"retry_at", "x"}, {"until", nullptr}}; break;
        default: event.data = draw.below(9); break;
    }
    if (draw.below(2) == 0) event.error = {{"class", "odd"}};
    event.at = draw.below(4) == 0 ? Instant::max() : at(draw.below(9));
    return event;
}

TEST(Properties, TotalOnGarbage) {
    EXPECT_TRUE(rc::check([](const Bytes& bytes) {
        Draw draw(bytes);
        const Definition definition = garbage_definition(draw);
        RunState state;
        if (draw.below(8) != 0) {
            evolve(definition, state, run_started(-1, 0, json::object{}, "", definition));
        }
        while (draw.more()) {
            if (draw.below(3) == 0) {
                const Event event = garbage_event(draw);
                evolve(definition, state, event);
            } else {
                Moment moment;
                moment.now = draw.below(5) == 0 ? Instant::max() : at(draw.below(20));
                moment.random = draw.below(3) - 1;
                const auto events = decide(definition, state, random_stimulus(draw, state), moment);
                RC_ASSERT(events.size() <= 1010);
            }
            if (state.started) RC_ASSERT(goes_on(state, at(0)));
            for (NodeIndex node = 0; node < 6; ++node) (void)render_config(definition, state, node);
        }
    }));
}

TEST(Properties, ALoopWithoutEffectsIsEnded) {
    Definition definition;
    Node node;
    node.id = "w";
    node.type = NodeType::wait;
    node.config["duration"] = 0;
    definition.nodes.push_back(node);
    definition.edges.push_back({0, 0, "default", nullptr});
    TestRun run(definition);
    // In bounded steps: no commit grows without end.
    for (int i = 0; i < 5 && run.state.status == RunStatus::running; ++i) run.feed(TimerDue{});
    EXPECT_EQ(run.state.status, RunStatus::failed);
    EXPECT_EQ(run.state.error.at("code"), "loop_limit");
}

}  // namespace
}  // namespace pawl::plan
