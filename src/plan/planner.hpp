#pragma once

#include "model/definition.hpp"
#include "model/event.hpp"
#include "model/graph_loops.hpp"
#include "model/step_error.hpp"
#include "model/template.hpp"
#include "plan/code_plan.hpp"
#include "plan/run_state.hpp"

#include <forward_list>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace pawl::plan {

// --- What can happen to a run ---

// The run was started or taken over: settle what needs no effect (a wait node fixes its instant).
struct Resumed {};
// An attempt ended. Ignored when the token has moved on meanwhile (late or duplicate results).
struct StepFinished {
    TokenId token = 0;
    std::int16_t attempt = 1;
    boost::json::value result;  // when there is no error
    std::optional<StepError> error;
    // The effect took place, but its outcome comes later as a message: the data of wait_started
    // (events::Wait). Null: it is over.
    boost::json::value pending;
    // Which visit it was, so that an outcome that comes too late is not taken for another step's.
    std::uint32_t visit = 0;             // 0: any
    std::optional<NodeIndex> node = {};  // none: any
    bool advances = false;               // a turn of the step has ended, not the step
    std::string worker = {};             // that tried it, as the log names it
};
// Time passed: backoffs, waits and the run's deadline are looked at.
struct TimerDue {};
struct CancelRequested {
    std::string reason;
    bool force = false;  // at once: nothing is waited for or undone
};
// A message to the run.
struct SignalReceived {
    std::int64_t id = 0;
    std::string kind;         // the name of a SignalKind
    boost::json::value data;  // model/events/signal_data.hpp
};
// The run must not go on before an operator has looked at it.
struct HoldRequested {
    Hold hold;
};
using Stimulus =
    std::variant<Resumed, StepFinished, TimerDue, CancelRequested, SignalReceived, HoldRequested>;

// --- What a run wants now ---

// Carry out the effect of a token's node.
struct ExecuteStep {
    TokenId token = 0;
    NodeIndex node = 0;
    std::int16_t attempt = 1;
    std::uint32_t visit = 1;
    FrameId frame = 0;
    std::string came_to = {};  // of the token
    std::int16_t since = 1;    // of the token
    std::optional<std::size_t> undoes = {};

    bool operator==(const ExecuteStep&) const = default;
};
// The step that a token is at.
ExecuteStep step_of(const Token& token);

struct Wants {
    std::vector<ExecuteStep> steps;  // tokens that are ready
    std::size_t awaited = 0;         // withdrawn ones whose step is under way
    std::optional<Instant>
        wake_at;  // earliest backoff, wait or run deadline; TimerDue should come then
};

// What became of attempts that were wanted: only the holder of the run knows.
struct Work {
    std::vector<ExecuteStep> under_way;    // begun, and not over
    std::vector<ExecuteStep> interrupted;  // perhaps begun by a worker that is gone
};

// The world as the planner may know it: given, never asked for.
struct Moment {
    Instant now{};                   // database clock
    double random = 0.5;             // in [0, 1), for jitter
    const CodePlan* plan = nullptr;  // of a code workflow; none: its code is not here
    const Work* work = nullptr;      // none: all that is wanted is under way
    std::size_t log_bytes = 0;       // what the run's log weighs in memory, when that is known
};

// The log of one run may not weigh more than this: its worker holds all of it.
inline constexpr std::size_t log_bytes_max = std::size_t{64} << 20;

// Folds one event into the state. Total: an event that makes no sense for the state (only possible
// if the log was tampered with) changes nothing but next_seq.
void evolve(const Definition& definition, RunState& state, const Event& event);

// `known`: what the holder of the run knows besides its log, its id and when it started.
RunState fold(const Definition& definition, const std::vector<Event>& log, RunState known = {});

// Decides what a stimulus means for a run: the events to append, already folded into `state`. Pure,
// total, terminates on every input; a closed run answers with nothing. seq is set, `at` is set to
// moment.now.
std::vector<Event> decide(
    const Definition& definition, RunState& state, Stimulus stimulus, const Moment& moment
);

// What should be under way for a run in this state. Derived, so it survives any crash. A backoff
// that is over by `now` counts as ready. Call it after decide(Resumed) when the log was just
// folded; until then an unsettled run asks to be woken at once.
Wants wants(const RunState& state, Instant now);

// The child in whose place this one was started, and whose names the keys of its steps have.
struct TakenOver {
    std::string run;
    std::string first_run;
    std::string anew_run;  // empty: nothing was undone
    std::string branch_run;
};

// Where a run comes from; kept in event 0. Empty: not known.
struct Origin {
    std::string correlation_id;
    std::string triggered_by = "api";
    std::string parent;               // the run that this one repeats, or that called it
    std::optional<Instant> start_at;  // when it was told to start later
    std::optional<Caller> caller;     // who waits for it
    std::optional<TakenOver> takes_over = {};
    std::string started_at = {};  // for plans; RFC 3339
    std::string traceparent = {};
    bool uncounted = false;        // started in SQL: no worker has counted it yet
    boost::json::value flow = {};  // its ticket, when it has limits
};

// Event 0 of a new run.
Event run_started(
    std::int32_t workflow,
    std::int32_t version,
    boost::json::value input,
    std::string subject,
    const Definition& definition,
    Origin origin = {}
);

// What the templates of a run can see. Roots: "input", "run" (id, subject, workflow, version,
// started_at), "steps" (steps.<node id>.result, .error and .released), "step_N_result" and
// "step_N_error" (N counts nodes from 0; the error is its message), inside a foreach "item" and
// "index" and, of the foreach around it, "outer", inside a loop "index" (its round; of loops and
// lists inside each other, that of the innermost), on a branch that caught one "error" (code,
// message, class, step), then the keys of step results (newest first), then the keys of the input,
// then those of what waits and people answered. Steps of an item see their own item's results and
// those around it. A step that undoes another has "undo" (result, input) of that very visit, and
// sees before all else what was known when that visit ended. Borrows both arguments.
class Scope {
public:
    Scope(
        const Definition& definition,
        const RunState& state,
        FrameId frame = 0,
        TokenId token = token_of_run
    )
        : definition_(definition), state_(state), frame_(frame), token_(state.find_token(token)) {
        if (token_ != nullptr) undoes_ = token_->undoes;
    }

    // Null when undefined. Lives as long as the scope and the state.
    const boost::json::value* find(const Path& path);

private:
    const boost::json::value* find_step(const Path& path);
    const boost::json::value* find_person(const Path& path);
    const boost::json::value* find_outcome(const Path& path);
    const boost::json::value* find_index(const Frame* item, const Path& path);
    // The loop whose round is the index here; nothing: there is none.
    std::optional<NodeIndex> counting_loop() const;
    const boost::json::value* find_item(const Frame& frame, const Path& path, std::size_t at);
    const boost::json::value* find_outer(const Frame& inner, const Path& path);
    const boost::json::value* find_undone(const Path& path);
    // The item that a frame is, or is a part of; null: none.
    const Frame* item_around(FrameId frame) const;
    const boost::json::value* find_key(const Path& path) const;
    const StepRecord* record_of(std::size_t node) const;
    // The newest record that this fits, or null.
    template <class Fits>
    const StepRecord* newest(Fits fits) const;
    bool sees(const StepRecord& record) const;
    const boost::json::value* keep(boost::json::value value);

    const Definition& definition_;
    const RunState& state_;
    FrameId frame_;
    const Token* token_;                          // null: the run as a whole
    std::optional<std::size_t> undoes_;           // the record that it undoes
    std::forward_list<boost::json::value> made_;  // values that the state does not hold as such
};

// The context of a run as one object: what Scope finds for roots that are data. The keys of what
// waits and people answered, then the input's, then those of every other result, then step_N_result
// or step_N_error; the later one wins.
boost::json::object context_of(const Definition& definition, const RunState& state);

// What stands for a key or a subject, as text; null stays null.
boost::json::value as_name(boost::json::value value);

// A node's config ready for its executor: borrowed from the definition when there was nothing to
// render. The definition must outlive it.
class RenderedConfig {
public:
    explicit RenderedConfig(const boost::json::object* borrowed) : config_(borrowed) {}
    explicit RenderedConfig(boost::json::object owned) : config_(std::move(owned)) {}

    const boost::json::object& operator*() const {
        const auto* owned = std::get_if<boost::json::object>(&config_);
        return owned != nullptr ? *owned : *std::get<const boost::json::object*>(config_);
    }
    const boost::json::object* operator->() const { return &**this; }
    // Made for this run; else it is the definition's.
    bool is_own() const { return std::holds_alternative<boost::json::object>(config_); }

private:
    std::variant<const boost::json::object*, boost::json::object> config_;
};

using Rendered = boost::system::result<RenderedConfig, StepError>;

// A node's config with its templates rendered for this run; the error is permanent, code
// "template". Of a code workflow, with what its plan gave to this token.
Rendered render_config(
    const Definition& definition,
    const RunState& state,
    NodeIndex node,
    FrameId frame = 0,
    TokenId token = token_of_run
);

// The run whose name the idempotency key of a step has: its own, or the one that did, or first
// tried, the same thing.
std::string_view key_run(
    const Definition& definition,
    const RunState& state,
    const ExecuteStep& step,
    std::string_view run_id
);

// Which runs have made a call for the same purpose: those that this one goes on from, as far back
// as this one.
std::string_view call_until(
    const Definition& definition,
    const RunState& state,
    const ExecuteStep& step,
    std::string_view run_id
);

// Stable over attempts and workers: derived from run, token, node and visit, never from the
// attempt.
std::string idempotency_key(
    std::string_view run_id, const Definition& definition, const ExecuteStep& step
);

// The correlation key of the child that a `call` starts: another one only after the child before
// has answered.
std::string child_key(std::string_view idempotency_key, std::int16_t since);

}  // namespace pawl::plan
