// The part of the fold in which runs wait, and receive what they wait for.
#include "model/events/signal_data.hpp"
#include "plan/moves.hpp"
#include "plan/people.hpp"
#include "plan/waits.hpp"

#include <algorithm>

namespace pawl::plan {

namespace {

// A start that was gathered into this run before it began: the last input counts, or all of them.
void gather(RunState& state, const events::GatherSignal& start) {
    if (start.input) state.input = *start.input;
    json::value* items =
        state.input.is_object() ? state.input.get_object().if_contains("items") : nullptr;
    if (start.item && items != nullptr && items->is_array()) {
        items->get_array().push_back(*start.item);
    }
}

}  // namespace

void start_wait(const Definition& definition, RunState& state, const Event& event) {
    events::Wait wait = events::read_wait(event.data);
    const bool held_back = wait.is<events::TargetWait>();
    const bool for_time = wait.for_time();
    state.has_waited = state.has_waited || (!for_time && !held_back);
    if (event.node.empty()) {
        state.exit_watch = events::read<events::EventWait>(event);
        return;
    }
    Token* token = token_of(definition, state, event);
    if (token == nullptr) return;
    // A step whose effect took place waits for its outcome, never for time alone; one that only
    // read the person first begins its wait.
    const bool begun = token->phase == TokenPhase::ready || token->phase == TokenPhase::backoff;
    const bool settles = settles_with_person(definition.nodes[token->node]);
    const bool later = begun && !for_time;
    const bool fresh = token->phase == TokenPhase::arrived || token->phase == TokenPhase::resting ||
                       (begun && settles);
    if (!fresh && !later) return;
    // Held back before its attempt: that is due again at a time, and was not used up.
    token->phase = later && held_back ? TokenPhase::backoff : TokenPhase::waiting;
    token->until = wait.next_look();
    if (!for_time) token->waits_for = std::move(wait);
}

void note_wait(const Definition& definition, RunState& state, const Event& event) {
    Token* token = token_of(definition, state, event);
    if (token == nullptr || token->waits_for.for_time()) return;
    auto noted = events::read<events::WaitNoted>(event);
    events::Wait& wait = token->waits_for;
    auto* callback = wait.as<events::CallbackWait>();
    auto* child = wait.as<events::ChildWait>();
    auto* task = wait.as<events::TaskWait>();
    if (noted.beat_by && callback != nullptr) {
        callback->beat_by = noted.beat_by;
    } else if (noted.note == events::WaitNote::timed_out && child != nullptr) {
        child->until.reset();
        child->late = true;
    } else if (task != nullptr) {
        if (noted.note == events::WaitNote::escalated) {
            task->escalate();
        } else {
            task->remind_at.reset();
        }
        if (noted.assignee) task->assignee = text(noted.assignee);
    }
    token->until = wait.next_look();
}

void receive(RunState& state, const Event& event) {
    auto received = events::read<events::SignalReceived>(event);
    if (received.dropped) return;
    const SignalKind kind = signal_kind(received.kind);
    json::value data = std::move(received.data).take();
    if (kind == SignalKind::gather) {
        return gather(state, events::read<events::GatherSignal>(data));
    }
    state.mailbox.push_back(to_mail(received.id.value_or(0), kind, std::move(data)));
}

void forget_mail(RunState& state, TokenId token) {
    if (state.mailbox.empty()) return;
    std::erase_if(state.mailbox, [token](const Mail& mail) {
        return is_addressed(mail.kind) && mail.token == token;
    });
}

void take_mail(RunState& state, const std::vector<std::int64_t>& ids) {
    for (const std::int64_t id : ids) {
        std::erase_if(state.mailbox, [id](const Mail& mail) { return mail.id == id; });
    }
}

}  // namespace pawl::plan
