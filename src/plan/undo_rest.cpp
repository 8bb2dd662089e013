// What the branches have done that a join withdraws: it is undone when the join says so.
#include "base/json.hpp"
#include "plan/items.hpp"
#include "plan/moves.hpp"

#include <algorithm>

namespace pawl::plan {

namespace {

// Only then it matters which branch has done what.
bool keeps_count(const Definition& definition) {
    return std::any_of(definition.nodes.begin(), definition.nodes.end(), undoes_rest);
}

void add(std::vector<std::size_t>& done, const std::vector<std::size_t>& more) {
    for (const std::size_t record : more) {
        if (std::find(done.begin(), done.end(), record) == done.end()) done.push_back(record);
    }
}

// The chain goes on: with the newest record that is left and can still be undone.
void begin_next(const Definition& definition, RunState& state, UndoChain& chain) {
    while (chain.after.empty() && !chain.left.empty()) {
        const std::size_t record = chain.left.back();
        chain.left.pop_back();
        if (record >= state.records.size()) continue;
        if (!is_undoable(definition, state.records[record])) continue;
        state.records[record].undone = true;
        const TokenId next = state.next_token;
        if (undo(definition, state, token_of_run, record)) chain.after.push_back(next);
    }
}

}  // namespace

bool undoes_rest(const Node& node) {
    if (node.type != NodeType::join) return false;
    const json::value* asked = node.config.if_contains("undo_rest");
    return asked != nullptr && *asked == true;
}

void note_done(const Definition& definition, RunState& state, TokenId id, std::size_t record) {
    if (!is_undoable(definition, state.records[record]) || !keeps_count(definition)) return;
    // What an item did is also what the branch did that the foreach stands in.
    for (Token* token = state.find_token(id); token != nullptr;) {
        token->done.push_back(record);
        const Frame* frame = token->frame == 0 ? nullptr : state.find_frame(token->frame);
        token = frame == nullptr ? nullptr : state.find_token(frame->token);
    }
}

void hand_over_done(RunState& state, TokenId from, TokenId to) {
    const Token* gone = state.find_token(from);
    Token* left = state.find_token(to);
    if (gone != nullptr && left != nullptr) add(left->done, gone->done);
}

std::vector<std::size_t> done_by_rest(const RunState& state, const std::vector<TokenId>& rest) {
    std::vector<std::size_t> alone;
    std::vector<std::size_t> shared;
    for (const Token& token : state.tokens) {
        const bool goes = std::find(rest.begin(), rest.end(), token.id) != rest.end();
        add(goes ? alone : shared, token.done);
    }
    std::erase_if(alone, [&](std::size_t record) {
        return std::find(shared.begin(), shared.end(), record) != shared.end();
    });
    std::sort(alone.begin(), alone.end());
    return alone;
}

void undo_after(
    const Definition& definition,
    RunState& state,
    std::vector<TokenId> awaited,
    std::vector<std::size_t> records
) {
    if (records.empty()) return;
    std::erase_if(awaited, [&](TokenId id) { return state.find_token(id) == nullptr; });
    UndoChain chain{std::move(awaited), std::move(records)};
    begin_next(definition, state, chain);
    if (!chain.after.empty()) state.chains.push_back(std::move(chain));
}

void go_on_undoing(const Definition& definition, RunState& state, TokenId gone) {
    // A run that stops undoes everything in its turn.
    if (state.stopping || state.unwinding) state.chains.clear();
    for (UndoChain& chain : state.chains) {
        if (std::erase(chain.after, gone) > 0) begin_next(definition, state, chain);
    }
    std::erase_if(state.chains, [](const UndoChain& chain) { return chain.after.empty(); });
}

}  // namespace pawl::plan
