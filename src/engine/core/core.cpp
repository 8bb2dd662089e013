#include "engine/core/core.hpp"

#include "base/json.hpp"
#include "engine/core/project.hpp"
#include "engine/core/weight.hpp"
#include "model/events/error_data.hpp"
#include "model/events/signal_kind.hpp"
#include "model/events/whole_run_events.hpp"
#include "plan/repin.hpp"

#include <algorithm>
#include <iterator>
#include <limits>

namespace pawl::engine {

namespace {

// How many steps of a run may be under way however large they are, and how many are begun before it
// is looked at what they left.
constexpr std::size_t large_steps_min = 8;
constexpr std::size_t orders_at_once = 64;
constexpr Duration pause_of_an_idle_timer = std::chrono::seconds(1);

std::vector<plan::Pin> pins_of(const std::vector<ProgramPtr>& versions) {
    std::vector<plan::Pin> pins;
    for (const ProgramPtr& one : versions) pins.emplace_back(one->version, &one->definition);
    return pins;
}

// The same for all workers: the one that started the run does not learn the database's time.
plan::RunState known_of(RunId run) {
    plan::RunState known;
    known.run_id = to_string(run);
    known.started_at = Instant(std::chrono::milliseconds(unix_ms_of(run.uuid)));
    return known;
}

}  // namespace

store::Close close_of(RunId run, const Program& program, const plan::RunState& state) {
    return {
        .run = run,
        .started_at = state.started_at,
        .tenant = program.tenant,
        .workflow = program.workflow,
        .version = program.version,
        .status = state.status,
        .subject = state.subject,
        .output = state.output,
        .error = state.error,
        .node = std::string(events::error_step(state.error))};
}

void Core::adopt(
    RunId run,
    ProgramPtr program,
    const std::vector<Event>& log,
    Instant now,
    const std::vector<store::Signal>& signals,
    const std::vector<ProgramPtr>& versions
) {
    const auto [place, fresh] = runs_.try_emplace(run);
    Held& held = place->second;
    if (!fresh) {
        // Else it is a late answer about a run that was taken in another way meanwhile.
        if (held.in_flight && held.exit == Exit::park) {
            held.claimed_again = {std::move(program), log, signals, versions};
            return;
        }
        // The log knows more than its holder: another worker has gone on with the run after the
        // database lost the claim. What is known here is old.
        const bool old = !log.empty() && log.back().seq >= held.state.next_seq;
        if (held.in_flight || !old) return;
        drop(run, now);
        return adopt(run, std::move(program), log, now, signals, versions);
    }
    held.state = versions.empty() ? plan::fold(program->definition, log, known_of(run))
                                  : plan::fold(pins_of(versions), log, nullptr, known_of(run));
    held.program = std::move(program);
    enter(held);
    weigh(held, log);
    held.uncommitted = 0;
    if (!log.empty()) {
        held.correlation = events::read_one(log.front().data, &events::RunStarted::correlation_id);
    }
    if (is_copy(log)) project_again(run, *held.program, held.state, log, held.projections);
    // First of all: nothing else is to be decided by the version it leaves.
    if (!versions.empty()) {
        for (const store::Signal& signal : signals) repin(held, signal, versions, now);
    }
    std::optional<plan::Hold> hold;
    // The plan of now has not seen what an earlier version planned.
    if (const auto* code = held.program->plan; code != nullptr && versions.empty()) {
        hold = plan::find_divergence(held.program->definition, *code, log);
        held.diverged = hold.has_value();
    }
    note_interruption(held, signals, now);
    for (const store::Signal& signal : signals) receive(held, signal, now);
    if (hold) {
        stimulate(run, held, plan::HoldRequested{std::move(*hold)}, now);
    } else {
        stimulate(run, held, plan::Resumed{}, now);
    }
}

// What was wanted when its last holder went may have been begun by that one.
void Core::note_interruption(Held& held, const std::vector<store::Signal>& signals, Instant now) {
    const bool interrupted = std::any_of(signals.begin(), signals.end(), [](const auto& signal) {
        return signal_kind(signal.kind) == SignalKind::interrupted;
    });
    if (interrupted) held.work.interrupted = plan::wants(held.state, now).steps;
}

void Core::drop(RunId run, Instant now) {
    if (runs_.contains(run)) forget(run, now);
}

void Core::step_finished(RunId run, plan::StepFinished finished, Instant now) {
    const auto place = runs_.find(run);
    if (place == runs_.end()) return;
    Held& held = place->second;
    const auto step = std::find_if(
        held.under_way.begin(),
        held.under_way.end(),
        [&](const plan::ExecuteStep& candidate) {
            return candidate.token == finished.token && candidate.attempt == finished.attempt &&
                   (finished.visit == 0 || candidate.visit == finished.visit) &&
                   (!finished.node || candidate.node == *finished.node);
        }
    );
    if (step == held.under_way.end()) return;
    held.under_way.erase(step);
    --executing_;
    stimulate(run, held, std::move(finished), now);
}

void Core::signals(const std::vector<store::Signal>& signals, Instant now) {
    for (const store::Signal& signal : signals) {
        const auto place = runs_.find(signal.run);
        if (place != runs_.end()) receive(place->second, signal, now);
    }
}

void Core::receive(Held& held, const store::Signal& signal, Instant now) {
    // The same row is seen again until the commit that consumes it is through.
    const auto& seen = held.seen_signals;
    if (std::find(seen.begin(), seen.end(), signal.id) != seen.end()) return;
    if (signal_kind(signal.kind) == SignalKind::repin) {
        held.lets_go = true;
        if (!held.in_flight && !held.pending) settle(signal.run, held, now);
        return;
    }
    held.seen_signals.push_back(signal.id);
    held.consumed.push_back(signal);
    if (signal_kind(signal.kind) == SignalKind::interrupted)
        return;  // seen when the run was taken up
    stimulate(signal.run, held, plan::SignalReceived{signal.id, signal.kind, signal.data}, now);
}

void Core::timers_due(Instant now) {
    while (!timers_.empty() && timers_.begin()->first <= now) {
        const RunId run = timers_.begin()->second;
        timers_.erase(timers_.begin());
        Held& held = runs_.at(run);
        held.timer.reset();
        stimulate(run, held, plan::TimerDue{}, now);
        calm_down(run, now);
    }
}

// A plan that wants to be asked at once, and then has nothing to say, would never let go of the
// thread.
void Core::calm_down(RunId run, Instant now) {
    const auto place = runs_.find(run);
    if (place == runs_.end() || !place->second.timer || *place->second.timer > now) return;
    set_timer(run, place->second, now + pause_of_an_idle_timer);
}

void Core::stimulate(RunId run, Held& held, plan::Stimulus stimulus, Instant now) {
    if (held.in_flight || is_full(held)) {
        held.inbox.push_back(std::move(stimulus));
        return;
    }
    if (const auto* finished = std::get_if<plan::StepFinished>(&stimulus)) {
        std::erase_if(held.work.under_way, [&](const plan::ExecuteStep& step) {
            return step.token == finished->token && step.attempt == finished->attempt;
        });
    }
    const plan::CodePlan* code = held.diverged ? nullptr : held.program->plan;
    const plan::Moment moment{now, rng_.unit(), code, &held.work, held.bytes};
    const auto before = plan::open_waits(held.program->definition, held.state);
    auto events = plan::decide(held.program->definition, held.state, std::move(stimulus), moment);
    project(run, *held.program, before, held.state, events, held.projections);
    weigh(held, events);
    // Whether it may leave has to be seen anew.
    if (!events.empty()) held.exit = Exit::none;
    if (held.events.empty()) {
        held.events = std::move(events);
    } else {
        held.events.insert(
            held.events.end(),
            std::make_move_iterator(events.begin()),
            std::make_move_iterator(events.end())
        );
    }
    const bool committed = held.events.empty() && held.consumed.empty() && held.projections.empty();
    if (!committed && !may_ask_first(held, now)) {
        push(run, held);
    } else {
        settle(run, held, now);
    }
}

void Core::push(RunId run, Held& held) {
    if (held.pending) return;
    held.pending = true;
    pending_.push_back(run);
}

bool Core::wants_to_wait(const Held& held, const plan::Wants& wants, Instant now) const {
    if (!held.under_way.empty() || !wants.steps.empty()) return false;
    return !wants.wake_at || *wants.wake_at > now + options_.hold_below;
}

// With everything committed: go on with what the run wants.
void Core::settle(RunId run, Held& held, Instant now) {
    if (leaves(held) && held.under_way.empty()) return leave(run, held, now);
    const plan::Wants wants = plan::wants(held.state, now);
    if (wants_to_wait(held, wants, now)) return leave(run, held, wants.wake_at);
    if (!leaves(held)) order_steps(run, held, wants);
    set_timer(run, held, wants.wake_at);
}

void Core::order_steps(RunId run, Held& held, const plan::Wants& wants) {
    std::size_t under_way_max = std::numeric_limits<std::size_t>::max();
    for (const plan::ExecuteStep& step : wants.steps) {
        // What large steps are given is held until they end: the rest comes after the next commit.
        if (held.under_way.size() >= under_way_max) break;
        const bool under_way = std::any_of(
            held.under_way.begin(),
            held.under_way.end(),
            [&](const plan::ExecuteStep& other) { return other == step; }
        );
        if (under_way) continue;
        held.under_way.push_back(step);
        std::erase(held.work.interrupted, step);
        ++executing_;
        auto config = std::make_shared<const plan::Rendered>(plan::render_config(
            held.program->definition, held.state, step.node, step.frame, step.token
        ));
        if (*config && (**config).is_own()) {
            const std::size_t most = options_.batch_bytes_max / weight(***config);
            under_way_max = std::min(under_way_max, std::max(most, large_steps_min));
        }
        orders_.push_back({run, step, held.program, std::move(config)});
    }
}

void Core::set_timer(RunId run, Held& held, std::optional<Instant> at) {
    if (held.timer == at) return;
    if (held.timer) timers_.erase({*held.timer, run});
    if (at) timers_.insert({*at, run});
    held.timer = at;
}

void Core::forget(RunId run, Instant now) {
    const auto place = runs_.find(run);
    set_timer(run, place->second, std::nullopt);
    executing_ -= place->second.under_way.size();
    weigh_no_more(place->second);
    auto again = std::move(place->second.claimed_again);
    runs_.erase(place);
    if (again) adopt(run, again->program, again->log, now, again->signals, again->versions);
}

void Core::leave(RunId run, Held& held, std::optional<Instant> until) {
    // Only of one that is released in the middle of a step: the sign-off gives it back as such.
    held.exit = held.work.under_way.empty() ? Exit::park : Exit::abandon;
    held.park_until = until;
    push(run, held);
}

void Core::begin_drain(Instant now) {
    draining_ = true;
    // Orders that were not taken yet count as not begun.
    for (auto& [run, held] : runs_) {
        std::move(held.waiting.begin(), held.waiting.end(), std::back_inserter(orders_));
        held.waiting.clear();
    }
    for (const StepOrder& order : orders_) {
        const auto place = runs_.find(order.run);
        if (place == runs_.end()) continue;
        executing_ -= std::erase_if(place->second.under_way, [&](const plan::ExecuteStep& step) {
            return step == order.step;
        });
    }
    orders_.clear();
    for (auto& [run, held] : runs_) {
        if (!held.in_flight && !held.pending && held.under_way.empty()) leave(run, held, now);
    }
}

void Core::release_all(Instant now) {
    draining_ = true;
    orders_.clear();
    for (auto& [run, held] : runs_) {
        executing_ -= held.under_way.size();
        held.under_way.clear();
        held.waiting.clear();
        if (!held.in_flight && !held.pending) leave(run, held, now);
    }
}

// A few of each run at a time: what they leave may be large, and then the others wait for a commit.
std::vector<StepOrder> Core::take_orders() {
    std::vector<StepOrder> taken;
    std::vector<StepOrder> later;
    std::size_t count = 0;
    for (StepOrder& order : orders_) {
        if (!is_due(order)) continue;
        count = !taken.empty() && taken.back().run == order.run ? count + 1 : 1;
        if (Held& held = runs_.at(order.run); is_full(held)) {
            held.waiting.push_back(std::move(order));
        } else if (count > orders_at_once) {
            later.push_back(std::move(order));
        } else {
            taken.push_back(std::move(order));
        }
    }
    orders_ = std::move(later);
    return taken;
}

// A cancel may come together with the claim of its run, a branch may be withdrawn, a step skipped,
// a run paused: what is decided not to be done begins no more.
bool Core::is_due(const StepOrder& order) {
    const auto place = runs_.find(order.run);
    if (place == runs_.end()) return false;
    const plan::RunState& state = place->second.state;
    const plan::Token* token = state.find_token(order.step.token);
    const bool due =
        token != nullptr && !state.paused && !token->withdrawn && token->node == order.step.node &&
        token->attempt == order.step.attempt && token->visit == order.step.visit &&
        (token->phase == plan::TokenPhase::ready || token->phase == plan::TokenPhase::backoff);
    if (due) return true;
    executing_ -= std::erase_if(place->second.under_way, [&](const plan::ExecuteStep& step) {
        return step == order.step;
    });
    return false;
}

void Core::begun(const StepOrder& order) {
    const auto place = runs_.find(order.run);
    if (place != runs_.end()) place->second.work.under_way.push_back(order.step);
}

std::string Core::correlation_of(RunId run) const {
    const auto place = runs_.find(run);
    return place == runs_.end() ? std::string() : place->second.correlation;
}

std::vector<ClosedRun> Core::take_closed() {
    return std::exchange(closed_, {});
}

std::optional<Instant> Core::next_timer() const {
    if (timers_.empty()) return std::nullopt;
    return timers_.begin()->first;
}

std::vector<RunId> Core::held_runs() const {
    std::vector<RunId> all;
    all.reserve(runs_.size());
    for (const auto& [run, held] : runs_) all.push_back(run);
    return all;
}

const plan::RunState* Core::state_of(RunId run) const {
    const auto place = runs_.find(run);
    return place == runs_.end() ? nullptr : &place->second.state;
}

}  // namespace pawl::engine
