#include "plan/reopen.hpp"

#include "plan/items.hpp"
#include "plan/moves.hpp"

#include <algorithm>

namespace pawl::plan {

namespace {

KeptItem* find_kept(RunState& state, FrameId frame) {
    for (KeptItem& item : state.kept) {
        if (item.frame == frame) return &item;
    }
    return nullptr;
}

Token* find_token_in(KeptItem& item, TokenId id) {
    for (Token& token : item.tokens) {
        if (token.id == id) return &token;
    }
    return nullptr;
}

void put_frame(RunState& state, Frame frame) {
    if (Frame* there = frame_of(state, frame.id)) {
        *there = std::move(frame);
        return;
    }
    // Their ids grow.
    const auto place =
        std::find_if(state.frames.begin(), state.frames.end(), [&](const Frame& one) {
            return one.id > frame.id;
        });
    state.frames.insert(place, std::move(frame));
}

// Stands on its node as if it had just come to it, under the same visit.
void stand_again(const Definition& definition, const RunState& state, Token& token) {
    token.withdrawn = false;
    const bool lists = state.find_iteration(token.id) != nullptr;
    const bool moves = token.phase == TokenPhase::joining || token.phase == TokenPhase::routing;
    if (lists || moves || token.node >= definition.nodes.size()) return;
    token.attempt = 1;
    token.since = 1;
    token.until = {};
    token.waits_for.clear();
    const Frame* frame = state.find_frame(token.frame);
    const Iteration* around = frame == nullptr ? nullptr : state.find_iteration(frame->token);
    const bool is_child = around != nullptr && around->node == token.node;
    token.phase = is_child ? TokenPhase::ready : phase_on(definition.nodes[token.node]);
}

void begin_anew(const Definition& definition, RunState& state, KeptItem item, NodeIndex node) {
    for (StepRecord& record : state.records) {
        if (is_inside(state, record.frame, item.frame)) record.withdrawn = true;
    }
    for (Frame& frame : item.frames) {
        if (frame.id == item.frame) put_frame(state, std::move(frame));
    }
    enter_item(definition, state, item.frame, node);
}

}  // namespace

bool is_copied(const RunState& state) {
    return state.next_seq - 1 <= state.copied;
}

void keep_item(RunState& state, FrameId frame) {
    if (!is_copied(state)) return;
    const Frame* failed = state.find_frame(frame);
    if (failed == nullptr) return;
    std::erase_if(state.kept, [frame](const KeptItem& one) { return one.frame == frame; });
    KeptItem item;
    item.frame = frame;
    item.owner = failed->token;
    for (const Frame& one : state.frames) {
        if (is_inside(state, one.id, frame)) item.frames.push_back(one);
    }
    for (const Token& token : state.tokens) {
        if (token.undoes || !is_inside(state, token.frame, frame)) continue;
        item.tokens.push_back(token);
        if (const Iteration* list = state.find_iteration(token.id)) {
            item.iterations.push_back(*list);
        }
        item.anew = item.anew ||
                    std::any_of(state.locks.begin(), state.locks.end(), [&](const HeldLock& one) {
                        return one.token == token.id;
                    });
    }
    for (const LoopCount& loop : state.loops) {
        if (is_inside(state, loop.frame, frame)) item.loops.push_back(loop);
    }
    state.kept.push_back(std::move(item));
}

void note_kept_end(RunState& state, TokenId id, std::string_view handle) {
    for (KeptItem& item : state.kept) {
        Token* token = find_token_in(item, id);
        if (token == nullptr) continue;
        token->phase = TokenPhase::routing;
        token->handle = handle;
        token->waits_for.clear();
        token->maybe = false;
        item.ended.push_back(state.records.size());  // the one that it leaves next
    }
}

void note_kept_maybe(RunState& state, TokenId id) {
    for (KeptItem& item : state.kept) {
        Token* token = find_token_in(item, id);
        if (token == nullptr) continue;
        token->maybe = true;
        item.maybe.push_back(state.records.size() - 1);
    }
}

void note_kept_undone(RunState& state, FrameId frame) {
    KeptItem* item = find_kept(state, frame);
    if (item == nullptr) return;
    item->anew =
        item->anew ||
        std::any_of(state.records.begin(), state.records.end(), [&](const StepRecord& record) {
            return record.undone && is_inside(state, record.frame, frame);
        });
}

bool may_reopen(const RunState& state, const Iteration& iteration) {
    const bool before = iteration.failed > 0 && iteration.failed_at <= state.copied;
    return before && std::any_of(state.kept.begin(), state.kept.end(), [&](const KeptItem& item) {
               return item.owner == iteration.token;
           });
}

void reopen(const Definition& definition, RunState& state, TokenId id) {
    Iteration* iteration = state.find_iteration(id);
    if (iteration == nullptr) return;
    iteration->again.clear();
    for (const KeptItem& item : state.kept) {
        if (item.owner == id) iteration->again.push_back(item.frame);
    }
    std::sort(iteration->again.begin(), iteration->again.end());
    iteration->failed = 0;
    iteration->failed_at = 0;
    iteration->halted = false;
    iteration->last_error = nullptr;
    state.find_token(id)->phase = TokenPhase::iterating;
    begin_more(definition, state, id);
    iteration = state.find_iteration(id);
    Token* token = state.find_token(id);
    const bool over = iteration != nullptr && iteration->open == 0 && token != nullptr;
    if (over && token->phase == TokenPhase::iterating) token->phase = TokenPhase::arrived;
}

bool begin_again(const Definition& definition, RunState& state, FrameId frame, NodeIndex node) {
    const auto found =
        std::find_if(state.kept.begin(), state.kept.end(), [frame](const KeptItem& one) {
            return one.frame == frame;
        });
    if (found == state.kept.end()) return false;
    KeptItem item = std::move(*found);
    state.kept.erase(found);
    for (Frame& one : item.frames) {
        if (one.id != frame) continue;
        one.closed = false;
        one.error.reset();
    }
    if (item.anew) {
        begin_anew(definition, state, std::move(item), node);
        return true;
    }
    for (Frame& one : item.frames) put_frame(state, std::move(one));
    for (Iteration& one : item.iterations) state.iterations.push_back(std::move(one));
    for (LoopCount& one : item.loops) state.loops.push_back(one);
    // They are done again under the same key: what is left of them then counts.
    for (const std::size_t one : item.maybe) {
        if (one < state.records.size()) state.records[one].maybe = false;
    }
    // What came after it comes now, and sees it.
    for (const std::size_t one : item.ended) {
        if (one < state.records.size()) state.records[one].withdrawn = false;
    }
    for (Token& token : item.tokens) {
        stand_again(definition, state, token);
        state.tokens.push_back(std::move(token));
    }
    return true;
}

}  // namespace pawl::plan
