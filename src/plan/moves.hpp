#pragma once

#include "model/event.hpp"
#include "plan/run_state.hpp"

#include <string_view>
#include <vector>

namespace pawl::plan {

// How tokens move through the graph: what evolve is made of. All of it is total; a token that is
// not there is left alone. References to tokens are void after any of these.

// The first token of a run or of an item, which comes by an edge.
void enter(
    const Definition& definition,
    RunState& state,
    FrameId frame,
    NodeIndex node,
    std::uint32_t via = 0
);
// One more token of the run itself; for code workflows.
TokenId add_token(const Definition& definition, RunState& state, NodeIndex node);
// Of a code workflow: the steps that its plan asked for, and that one of them ended, once its
// record was written.
void add_planned(const Definition& definition, RunState& state, const Event& event);
void end_planned(RunState& state, TokenId token, std::string_view handle);
// Leaves its node by every edge of `handle`; ends where there is none. Waits for `routed` when some
// of them are conditional.
void leave_by(
    const Definition& definition, RunState& state, TokenId token, std::string_view handle
);
void leave_by_edges(
    const Definition& definition,
    RunState& state,
    TokenId token,
    const std::vector<std::size_t>& edges
);
// Takes a token away, and with a foreach everything in it; whatever it was part of does not hear.
// What is awaited or undoes something stays, and with it its item.
void drop(RunState& state, TokenId token);
// The path of a token ends; an item may end with it, and the next one begin.
void end_path(const Definition& definition, RunState& state, TokenId token);
// Takes a token away, and with a foreach all of its items.
void withdraw(const Definition& definition, RunState& state, TokenId token);
// A person let the step of this token be while its call is under way: how that ends is awaited, and
// the token that is returned goes on in its place.
TokenId go_on_without(RunState& state, TokenId token);
// What a branch has caught stays known where it comes together with others.
void hand_over_error(RunState& state, TokenId from, TokenId to);
// Stands on the node that undoes this record: the token itself, or a new one when there is none.
// False: nothing undoes it.
bool undo(const Definition& definition, RunState& state, TokenId token, std::size_t record);
// Takes a token away that leaves nothing behind, not even its part of an item.
void remove(RunState& state, TokenId token);

// The token that an event of a step is about.
Token* token_of(const Definition& definition, RunState& state, const Event& event);

// --- evolve_start.cpp: how a run begins ---
void start_run(const Definition& definition, RunState& state, const Event& event);

// --- evolve_wait.cpp: waits and messages ---
void start_wait(const Definition& definition, RunState& state, const Event& event);
void note_wait(const Definition& definition, RunState& state, const Event& event);
void receive(RunState& state, const Event& event);
// What was meant for this very visit is of no use any more.
void forget_mail(RunState& state, TokenId token);
void take_mail(RunState& state, const std::vector<std::int64_t>& ids);

// --- evolve_stop.cpp: stopping and undoing ---
// What a step leaves behind; with what it was given, when something can undo it.
void leave_record(
    const Definition& definition, RunState& state, const Token& token, StepRecord record
);
// Whether a record is of something that took place, or may have, and that can be undone.
bool is_undoable(const Definition& definition, const StepRecord& record);
// Nothing comes after these tokens any more; how their steps end is awaited.
void await_end(RunState& state, const std::vector<TokenId>& tokens);
// The step of a withdrawn token ended and left the last record: it is undone, or left to the run.
void end_withdrawn(const Definition& definition, RunState& state, TokenId token);
// --- undo_rest.cpp: what withdrawn branches have done ---
bool undoes_rest(const Node& node);
// The step of a token left this record.
void note_done(const Definition& definition, RunState& state, TokenId token, std::size_t record);
void hand_over_done(RunState& state, TokenId from, TokenId to);
// What these tokens have done, and no token that stays has a part in.
std::vector<std::size_t> done_by_rest(const RunState& state, const std::vector<TokenId>& rest);
// Undoes records one after the other, the last one first, once those tokens are over.
void undo_after(
    const Definition& definition,
    RunState& state,
    std::vector<TokenId> awaited,
    std::vector<std::size_t> records
);
// A token is gone that something may have waited for.
void go_on_undoing(const Definition& definition, RunState& state, TokenId gone);

void stop_run(RunState& state, const Event& event);
void start_undoing(const Definition& definition, RunState& state, const Event& event);
// Stands on the node that undoes the next record; nothing when all is undone.
void undo_next(const Definition& definition, RunState& state);

// Nothing of the run is under way any more.
void clear_paths(RunState& state);

// Whether a condition asks the database, so that it has an effect.
bool asks_database(const Node& node);
// Whether the planner settles it once a worker has read the person.
bool settles_with_person(const Node& node);
bool has_effect(const Node& node);
// Whether its step asks and changes nothing, neither here nor elsewhere.
bool only_asks(const Node& node);
// How a token stands on a node that it has just come to.
TokenPhase phase_on(const Node& node);

}  // namespace pawl::plan
