#include "sim/ledger.hpp"

#include "base/json.hpp"
#include "plan/moves.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace pawl::sim {

namespace {

bool same_event(const Event& a, const Event& b) {
    return a.seq == b.seq && a.type == b.type && a.attempt == b.attempt && a.node == b.node &&
           a.data == b.data && a.error == b.error;
}

}  // namespace

bool same_state(const plan::RunState& a, const plan::RunState& b) {
    return a.status == b.status && a.started == b.started && a.next_seq == b.next_seq &&
           a.workflow == b.workflow && a.version == b.version && a.input == b.input &&
           a.tokens == b.tokens && a.records == b.records && a.output == b.output &&
           a.error == b.error;
}

std::string short_id(const Uuid& uuid) {
    return to_string(uuid).substr(24);
}

std::string Ledger::describe(RunId run) const {
    std::string text = "run " + short_id(run.uuid) + ":";
    const auto known = runs_.find(run);
    if (known == runs_.end()) return text + " unknown";
    for (const Event& event : known->second.log) {
        text += fmt::format(" {}:{}", event.seq, name(event.type));
        if (!event.node.empty()) text += fmt::format("({}#{})", event.node, event.attempt);
    }
    for (const auto& open : tables_.open_runs(0)) {
        if (open.id == run) text += "; " + open.state;
        if (open.id == run && open.worker) text += " by " + short_id(open.worker->uuid);
    }
    return text;
}

void Ledger::fail(RunId run, const std::string& what) const {
    throw Violation(what + "; " + describe(run));
}

void Ledger::started(const store::StartBatch& batch) {
    if (batch.worker && dead_.contains(*batch.worker)) {
        throw Violation("a worker that was declared dead has started runs");
    }
    for (const store::NewRun& run : batch.runs) {
        if (tables_.load_log(0, run.id).empty()) continue;  // its key is taken
        runs_[run.id].program = programs_.at(run.workflow);
        observe(run.id);
    }
}

void Ledger::committed(const store::CommitBatch& batch) {
    if (dead_.contains(batch.worker)) {
        throw Violation("a worker that was declared dead has committed");
    }
    RunId last{};
    for (const store::LogRow& row : batch.events) {
        if (row.run != last) observe(row.run);
        last = row.run;
        const auto& log = runs_.at(row.run).log;
        const auto seq = static_cast<std::size_t>(row.event.seq);
        if (seq >= log.size() || !same_event(log[seq], row.event)) {
            fail(row.run, fmt::format("event {} was committed, but another stands there", seq));
        }
    }
    for (const store::Close& close : batch.closes) {
        if (runs_.at(close.run).state.status != close.status) {
            fail(close.run, "the run was closed with a status that its log does not tell");
        }
    }
}

void Ledger::observe(RunId id) {
    Run& run = runs_.at(id);
    const std::vector<Event> log = tables_.load_log(0, id);
    for (std::size_t i = 0; i < log.size(); ++i) {
        if (log[i].seq != static_cast<std::int32_t>(i)) fail(id, "the log has a gap");
        if (i < run.log.size()) {
            if (!same_event(log[i], run.log[i])) fail(id, "a written event has changed");
            continue;
        }
        check_next(id, run, log[i]);
        run.log.push_back(log[i]);
        plan::evolve(run.program->definition, run.state, log[i]);
    }
    if (log.size() < run.log.size()) fail(id, "events have vanished");
}

void Ledger::check_next(RunId id, const Run& run, const Event& event) const {
    if (is_terminal(run.state.status)) fail(id, "an event was appended to a run that is over");
    if ((event.type == EventType::run_started) != (event.seq == 0)) {
        fail(id, "a run starts with run_started, once");
    }
    if (event.type == EventType::run_cancelled && !run.cancel_asked) {
        fail(id, "a run was cancelled without a request");
    }
    if (event.type == EventType::signal_received) check_message(id, run, event);
    if (!event.node.empty()) check_step(id, run, event);
    if (event.type == EventType::run_completed && !run.state.tokens.empty()) {
        fail(id, "a run was completed with steps left to do");
    }
}

void Ledger::check_message(RunId id, const Run& run, const Event& event) const {
    const auto number = [](const Event& one) { return whole_number(find(one.data, "id")); };
    const bool before = std::any_of(run.log.begin(), run.log.end(), [&](const Event& other) {
        return other.type == EventType::signal_received && number(other) == number(event);
    });
    if (before) fail(id, "a message was received twice");
}

void Ledger::check_step(RunId id, const Run& run, const Event& event) const {
    const Definition& definition = run.program->definition;
    const auto& tokens = run.state.tokens;
    const auto token = std::find_if(tokens.begin(), tokens.end(), [&](const plan::Token& one) {
        return one.id == event.token && definition.nodes[one.node].id == event.node &&
               one.attempt == event.attempt;
    });
    if (token == tokens.end()) fail(id, "an event tells of a step that was not due");
    const Node& node = definition.nodes[token->node];
    if (!plan::has_effect(node)) return;
    if (event.attempt > node.retry.attempts) fail(id, "more attempts than the policy allows");
    if (event.type == EventType::step_completed &&
        !run.effects.contains({node.id, event.attempt})) {
        fail(id, "a step is completed whose effect never took place");
    }
}

void Ledger::ordered(WorkerId worker, RunId id, const plan::ExecuteStep& step) {
    const Run& run = runs_.at(id);
    if (step.attempt > run.program->definition.nodes[step.node].retry.attempts) {
        fail(id, "more attempts are executed than the policy allows");
    }
    // A worker that was declared dead does not know it yet: what it does is repeated, not wrong.
    if (!tables_.is_alive(worker) || lost_.contains({worker, id})) return;
    if (is_terminal(run.state.status)) fail(id, "a step is executed for a run that is over");
    const auto& tokens = run.state.tokens;
    const bool due = std::any_of(tokens.begin(), tokens.end(), [&](const plan::Token& token) {
        return token.id == step.token && token.node == step.node && token.attempt == step.attempt &&
               token.visit == step.visit;
    });
    const plan::Token* token = run.state.find_token(step.token);
    if (due && token->withdrawn) fail(id, "a step of a branch that was withdrawn is begun");
    if (due && run.state.stopping && !token->undoes) fail(id, "a run that stops begins a step");
    if (!due) {
        fail(id, "a step is executed before the events that lead to it are committed, or late");
    }
}

void Ledger::effect(RunId run, const std::string& node, std::int16_t attempt) {
    runs_.at(run).effects.insert({node, attempt});
}

void Ledger::acknowledged(const store::NewRun& asked, RunId run) {
    if (!runs_.contains(run)) fail(run, "a start was acknowledged that is not in the database");
    acknowledged_.insert(run);
    if (asked.correlation.empty()) {
        if (asked.id != run) fail(run, "a start without a key was answered with another run");
        return;
    }
    const auto [place, fresh] = keys_.insert({{asked.workflow, asked.correlation}, run});
    if (!fresh && place->second != run) fail(run, "one correlation key has two runs");
}

void Ledger::check_tables() const {
    std::set<RunId> seen;
    for (const auto& open : tables_.open_runs(0)) {
        const auto known = runs_.find(open.id);
        if (known == runs_.end()) fail(open.id, "a run is open that was not started");
        if (is_terminal(known->second.state.status)) fail(open.id, "a run is open that is over");
        if ((open.state == "leased") != open.worker.has_value()) {
            fail(open.id, "the state of a run does not go with its worker");
        }
        if (open.worker && !tables_.is_alive(*open.worker)) {
            fail(open.id, "a run is leased to a worker that is gone");
        }
        seen.insert(open.id);
    }
    for (const RunId run : tables_.closed_runs(0)) {
        if (!is_terminal(runs_.at(run).state.status)) fail(run, "a run is closed that is not over");
        if (!seen.insert(run).second) fail(run, "a run is open and closed");
    }
    for (const auto& [id, run] : runs_) {
        if (!seen.contains(id)) fail(id, "a run is lost: neither open nor closed");
    }
}

void Ledger::check_holder(WorkerId worker, const engine::Core& core, const std::set<RunId>& leaving)
    const {
    if (!tables_.is_alive(worker)) return;
    std::set<RunId> leased;
    for (const auto& open : tables_.open_runs(0)) {
        if (open.worker == worker) leased.insert(open.id);
    }
    for (const RunId id : core.held_runs()) {
        if (leaving.contains(id) || lost_.contains({worker, id})) continue;
        if (!leased.contains(id)) fail(id, "a live worker holds a run that is not leased to it");
        const Run& run = runs_.at(id);
        const plan::RunState& held = *core.state_of(id);
        const auto known = static_cast<std::size_t>(held.next_seq);
        if (known < run.log.size()) fail(id, "the log knows more than the run's holder");
        if (known == run.log.size() && !same_state(held, run.state)) {
            fail(id, "the holder's state is not the fold of the log");
        }
    }
}

// Whatever a run did that can be undone is, unless it completed; what it did in a branch that was
// withdrawn is in any case.
void Ledger::check_undone(RunId id, const Run& run) const {
    // One that could not undo a withdrawn branch has done its work all the same.
    const bool completed = run.state.status == RunStatus::completed ||
                           text_in(run.state.error, "code") == "compensation_failed";
    for (const plan::StepRecord& record : run.state.records) {
        const bool stays = completed && !record.withdrawn;
        if (!stays && plan::is_undoable(run.program->definition, record)) {
            fail(id, fmt::format("step {} was not undone", record.node));
        }
    }
}

void Ledger::check_ended() const {
    for (const auto& [id, run] : runs_) {
        if (!is_terminal(run.state.status)) fail(id, "the run did not come to an end");
        check_undone(id, run);
        if (!same_state(plan::fold(run.program->definition, run.log), run.state)) {
            fail(id, "folding the log again gives another state");
        }
    }
    for (const RunId id : acknowledged_) {
        if (!runs_.contains(id)) fail(id, "an acknowledged run does not exist");
    }
}

bool Ledger::all_closed() const {
    return std::all_of(runs_.begin(), runs_.end(), [](const auto& entry) {
        return is_terminal(entry.second.state.status);
    });
}

std::vector<RunId> Ledger::runs() const {
    std::vector<RunId> all;
    for (const auto& [id, run] : runs_) all.push_back(id);
    return all;
}

std::map<RunStatus, std::int64_t> Ledger::outcomes() const {
    std::map<RunStatus, std::int64_t> counts;
    for (const auto& [id, run] : runs_) ++counts[run.state.status];
    return counts;
}

}  // namespace pawl::sim
