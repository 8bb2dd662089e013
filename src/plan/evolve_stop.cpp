// The part of the fold in which runs stop and undo what they did.
#include "base/json.hpp"
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

RunStatus status_in(const json::value& data) {
    const std::string_view text = text_in(data, "status");
    if (text == name(RunStatus::cancelled)) return RunStatus::cancelled;
    return text == name(RunStatus::completed) ? RunStatus::completed : RunStatus::failed;
}

// Those that the event names; an earlier release named none and meant all that completed.
std::vector<std::size_t> records_to_undo(
    const Definition& definition, const RunState& state, const json::value& data
) {
    std::vector<std::size_t> found;
    const json::value* named = find(data, "undo");
    if (named != nullptr && named->is_array()) {
        for (const json::value& one : named->get_array()) {
            const auto number = whole_number(&one).value_or(-1);
            if (number < 0 || static_cast<std::size_t>(number) >= state.records.size()) continue;
            found.push_back(static_cast<std::size_t>(number));
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
    state.stopping = Stopping{status_in(event.data), std::string(text_in(event.data, "reason"))};
    state.error = event.error;
    if (const json::value* output = find(event.data, "output")) {
        state.ended = true;
        state.output = *output;
    }
    // A request to stop a paused run ends the pause.
    state.paused = false;
    state.held = nullptr;
    std::vector<TokenId> awaited;
    const json::value* list = find(event.data, "withdrawn");
    for (const json::value& one :
         list != nullptr && list->is_array() ? list->get_array() : json::array()) {
        awaited.push_back(static_cast<TokenId>(whole_number(&one).value_or(token_of_run)));
    }
    await_end(state, awaited);
    std::erase_if(state.tokens, [](const Token& token) {
        return !token.withdrawn && !token.undoes;
    });
    std::vector<Token> kept = std::move(state.tokens);
    clear_paths(state);
    state.tokens = std::move(kept);
}

void start_undoing(const Definition& definition, RunState& state, const Event& event) {
    Unwinding unwinding;
    unwinding.status = status_in(event.data);
    unwinding.reason = text_in(event.data, "reason");
    unwinding.left = records_to_undo(definition, state, event.data);
    clear_paths(state);
    state.error = event.error;
    state.paused = false;
    state.held = nullptr;
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
