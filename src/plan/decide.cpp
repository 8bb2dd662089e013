#include "base/json.hpp"
#include "model/duration.hpp"
#include "plan/planner.hpp"

#include <limits>

namespace pawl::plan {

namespace {

// One call of decide: appends events and folds each of them at once, so that what follows sees it.
class Decision {
public:
    Decision(const Definition& definition, RunState& state, const Moment& moment)
        : definition_(definition), state_(state), moment_(moment) {}

    std::vector<Event> take() && { return std::move(events_); }
    bool over() const { return is_terminal(state_.status); }

    void finish_step(StepFinished& finished) {
        const Token* token = find_awaited(finished);
        if (token == nullptr) return;
        if (finished.error) {
            fail_step(*token, *finished.error);
        } else {
            append_step(EventType::step_completed, *token, std::move(finished.result), nullptr);
        }
    }

    void cancel(const std::string& reason) {
        Event event;
        event.type = EventType::run_cancelled;
        event.data = json::object{{"reason", reason}};
        append(std::move(event));
    }

    void check_deadline() {
        if (over() || !state_.deadline || *state_.deadline > moment_.now) return;
        fail_run(to_json(StepError{
            ErrorClass::permanent,
            "run_timeout",
            "the run did not finish within its timeout",
            std::nullopt}));
    }

    // Does everything that needs no effect, and ends the run when nothing is left of it.
    void settle() {
        // A line passes every node once, with two events for a wait. Only a definition that was
        // never validated can go in circles; it must still come to an end.
        std::size_t budget = 2 * definition_.nodes.size() + 2;
        while (!over() && settle_one()) {
            if (budget-- == 0) {
                fail_run(to_json(StepError{
                    ErrorClass::permanent,
                    "loop",
                    "the workflow goes in circles without doing anything",
                    std::nullopt}));
            }
        }
        if (over() || !state_.tokens.empty()) return;
        if (!state_.error.is_null()) {
            fail_run(state_.error);
            return;
        }
        Event event;
        event.type = EventType::run_completed;
        if (!state_.records.empty()) event.data = state_.records.back().result;
        append(std::move(event));
    }

private:
    // The token whose attempt this is the outcome of, unless it is late, repeated or made up.
    const Token* find_awaited(const StepFinished& finished) const {
        for (const Token& token : state_.tokens) {
            if (token.id != finished.token) continue;
            const bool due = token.phase == TokenPhase::ready ||
                             (token.phase == TokenPhase::backoff && token.until <= moment_.now);
            return due && token.attempt == finished.attempt ? &token : nullptr;
        }
        return nullptr;
    }

    void fail_step(const Token& token, const StepError& error) {
        const RetryPolicy& policy = definition_.nodes[token.node].retry;
        json::value data;
        const bool countable = token.attempt < std::numeric_limits<std::int16_t>::max();
        if (countable && may_retry(policy, token.attempt, error.error_class)) {
            const Duration wait = backoff(policy, token.attempt, moment_.random, error.retry_after);
            const Instant at = saturating_add(moment_.now, wait);
            data = json::object{{"retry_at", at.time_since_epoch().count()}};
        }
        append_step(EventType::step_failed, token, std::move(data), to_json(error));
    }

    // One thing that is due without an effect; false when there is none.
    bool settle_one() {
        for (const Token& token : state_.tokens) {
            if (token.phase == TokenPhase::arrived) {
                begin_wait(token);
                return true;
            }
            if (token.phase == TokenPhase::waiting && token.until <= moment_.now) {
                append_step(EventType::step_completed, token, nullptr, nullptr);
                return true;
            }
        }
        return false;
    }

    void begin_wait(const Token& token) {
        const auto duration = wait_duration(token.node);
        if (!duration) {
            append_step(EventType::step_failed, token, nullptr, to_json(duration.error()));
            return;
        }
        const Instant until = saturating_add(moment_.now, *duration);
        json::object data{{"until", until.time_since_epoch().count()}};
        append_step(EventType::wait_started, token, std::move(data), nullptr);
    }

    boost::system::result<Duration, StepError> wait_duration(NodeIndex node) const {
        const auto config = render_config(definition_, state_, node);
        if (!config) return config.error();
        const json::value* written = (*config)->if_contains("duration");
        auto duration = duration_from_json(written == nullptr ? json::value() : *written);
        if (duration) return *duration;
        return StepError{
            ErrorClass::permanent, "wait_duration", duration.error().message, std::nullopt};
    }

    void fail_run(json::value error) {
        Event event;
        event.type = EventType::run_failed;
        event.error = std::move(error);
        append(std::move(event));
    }

    void append_step(EventType type, const Token& token, json::value data, json::value error) {
        Event event;
        event.type = type;
        event.attempt = token.attempt;
        event.node = definition_.nodes[token.node].id;
        event.data = std::move(data);
        event.error = std::move(error);
        append(std::move(event));
    }

    void append(Event event) {
        event.seq = state_.next_seq;
        event.at = moment_.now;
        events_.push_back(std::move(event));
        evolve(definition_, state_, events_.back());
    }

    const Definition& definition_;
    RunState& state_;
    const Moment& moment_;
    std::vector<Event> events_;
};

// Only if a log and a definition do not belong together.
bool is_foreign(const Definition& definition, const RunState& state) {
    for (const Token& token : state.tokens) {
        if (token.node >= definition.nodes.size()) return true;
    }
    return false;
}

}  // namespace

std::vector<Event> decide(
    const Definition& definition, RunState& state, Stimulus stimulus, const Moment& moment
) {
    if (!state.started || is_terminal(state.status) || is_foreign(definition, state)) return {};
    Decision decision(definition, state, moment);
    if (auto* finished = std::get_if<StepFinished>(&stimulus)) decision.finish_step(*finished);
    if (auto* request = std::get_if<CancelRequested>(&stimulus)) decision.cancel(request->reason);
    // After the result was noted: that the effect took place is a fact, also when it is too late.
    decision.check_deadline();
    decision.settle();
    return std::move(decision).take();
}

}  // namespace pawl::plan
