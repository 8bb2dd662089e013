// The part of the fold in which runs stop and undo what they did.
#include "model/events/whole_run_events.hpp"
#include "plan/moves.hpp"
#include "plan/planner.hpp"

#include <algorithm>

namespace pawl::plan {

namespace {

// What a step was given, by the name that its type has for it.
json::value input_of(const Definition& definition, const RunState& state, const Token& token) {
    const auto config = render_config(definition, state, token.node, token.frame, token.id);
    if (!config) return nullptr;
    for (const std::string_view key : {"input", "payload", "body", "params"}) {
        if (const json::value* given = (*config)->if_contains(key)) return *given;
    }
    return nullptr;
}

// Those that the event names; an earlier release named none and meant all that completed.
std::vector<std::size_t> records_to_undo(
    const Definition& definition, const RunState& state, const events::CompensationStarted& started
) {
    std::vector<std::size_t> found;
    if (started.undo) {
        for (const std::uint32_t record : *started.undo) {
            if (record < state.records.size()) found.push_back(record);
        }
        return found;
    }
    for (std::size_t i = 0; i < state.records.size(); ++i) {
        if (is_undoable(definition, state.records[i]) && !state.records[i].maybe) {
            found.push_back(i);
        }
    }
    return found;
}

}  // namespace

void leave_record(
    const Definition& definition, RunState& state, const Token& token, StepRecord record
) {
    record.node = token.node;
    record.frame = token.frame;
    record.seq = state.next_seq - 1;
    record.undoing = token.undoes.has_value();
    record.withdrawn = token.skipped || (token.withdrawn && !state.stopping);
    const bool known = token.node < definition.nodes.size();
    if (known && !definition.nodes[token.node].compensate.empty()) {
        record.input = input_of(definition, state, token);
    }
    // Undone by the run that this one repeats a part of.
    const auto& released = state.released;
    record.undone =
        std::find(released.begin(), released.end(), state.records.size()) != released.end();
    state.records.push_back(std::move(record));
    if (!token.undoes) note_done(definition, state, token.id, state.records.size() - 1);
}

bool is_undoable(const Definition& definition, const StepRecord& record) {
    const bool took_place = record.skipped ? record.maybe : !record.error || record.maybe;
    return took_place && !record.undone && record.node < definition.nodes.size() &&
           !definition.nodes[record.node].compensate.empty();
}

void await_end(RunState& state, const std::vector<TokenId>& tokens) {
    for (const TokenId id : tokens) {
        if (Token* token = state.find_token(id)) token->withdrawn = true;
    }
}

void end_withdrawn(const Definition& definition, RunState& state, TokenId id) {
    const std::size_t last = state.records.size() - 1;
    // A run that stops undoes everything in its turn.
    const bool goes_on = !state.stopping && !state.unwinding;
    if (goes_on && is_undoable(definition, state.records[last])) {
        state.records[last].undone = true;
        if (undo(definition, state, id, last)) return;
    }
    end_path(definition, state, id);
}

void stop_run(RunState& state, const Event& event) {
    const auto stops = events::read<events::RunStopping>(event);
    state.stopping = Stopping{stops.status, std::string(stops.reason)};
    state.error = event.error;
    if (stops.output) {
        state.ended = true;
        state.output = *stops.output;
    }
    // A request to stop a paused run ends the pause.
    state.paused = false;
    state.held.reset();
    await_end(state, stops.withdrawal.awaited);
    std::erase_if(state.tokens, [](const Token& token) {
        return !token.withdrawn && !token.undoes;
    });
    std::vector<Token> kept = std::move(state.tokens);
    clear_paths(state);
    state.tokens = std::move(kept);
}

void start_undoing(const Definition& definition, RunState& state, const Event& event) {
    const auto started = events::read<events::CompensationStarted>(event);
    Unwinding unwinding;
    unwinding.status = started.status;
    unwinding.reason = started.reason;
    unwinding.left = records_to_undo(definition, state, started);
    clear_paths(state);
    state.error = event.error;
    state.paused = false;
    state.held.reset();
    state.stopping.reset();
    state.not_undone.clear();
    for (const std::size_t record : unwinding.left) state.records[record].undone = true;
    state.unwinding = std::move(unwinding);
    undo_next(definition, state);
}

void undo_next(const Definition& definition, RunState& state) {
    while (state.unwinding && state.tokens.empty() && !state.unwinding->left.empty()) {
        const std::size_t record = state.unwinding->left.back();
        state.unwinding->left.pop_back();
        undo(definition, state, token_of_run, record);
    }
}

}  // namespace pawl::plan
