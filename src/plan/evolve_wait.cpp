// The part of the fold in which runs wait, and receive what they wait for.
#include "base/json.hpp"
#include "plan/moves.hpp"
#include "plan/people.hpp"
#include "plan/waits.hpp"

#include <algorithm>

namespace pawl::plan {

namespace {

// A start that was gathered into this run before it began: the last input counts, or all of them.
void gather(RunState& state, const json::value& data) {
    if (const auto* input = find(data, "input")) state.input = *input;
    const auto* item = find(data, "item");
    json::value* items =
        state.input.is_object() ? state.input.get_object().if_contains("items") : nullptr;
    if (item != nullptr && items != nullptr && items->is_array())
        items->get_array().push_back(*item);
}

}  // namespace

void start_wait(const Definition& definition, RunState& state, const Event& event) {
    const std::string_view kind = text_in(event.data, "for");
    state.has_waited = state.has_waited || (!kind.empty() && kind != "target");
    if (event.node.empty()) {
        state.exit_watch = event.data;
        return;
    }
    Token* token = token_of(definition, state, event);
    if (token == nullptr) return;
    // A step whose effect took place waits for its outcome, never for time alone.
    const bool begun = token->phase == TokenPhase::ready || token->phase == TokenPhase::backoff;
    const bool later = begun && find(event.data, "for") != nullptr;
    const bool fresh = token->phase == TokenPhase::arrived || token->phase == TokenPhase::resting;
    if (!fresh && !later) return;
    // Held back before its attempt: that is due again at a time, and was not used up.
    token->phase = later && kind == "target" ? TokenPhase::backoff : TokenPhase::waiting;
    if (find(event.data, "for") != nullptr) token->waits_for = event.data;
    token->until = next_look(event.data);
}

void note_wait(const Definition& definition, RunState& state, const Event& event) {
    Token* token = token_of(definition, state, event);
    json::object* wait = token == nullptr ? nullptr : token->waits_for.if_object();
    if (wait == nullptr) return;
    if (const auto* beat_by = find(event.data, "beat_by")) {
        (*wait)["beat_by"] = *beat_by;
        token->until = next_look(token->waits_for);
        return;
    }
    if (text_in(event.data, "note") == "timed_out") {
        wait->erase("until");
        (*wait)["late"] = true;
        token->until = next_look(token->waits_for);
        return;
    }
    if (text_in(event.data, "note") == "escalated") {
        escalate(*wait);
        (*wait)["escalated"] = true;
    } else {
        wait->erase("remind_at");
    }
    if (const auto* assignee = find(event.data, "assignee")) (*wait)["assignee"] = *assignee;
    token->until = next_look(token->waits_for);
}

void receive(RunState& state, const Event& event) {
    if (find(event.data, "dropped") != nullptr) return;
    Mail mail;
    mail.id = whole_number(find(event.data, "id")).value_or(0);
    mail.kind = text_in(event.data, "kind");
    if (const auto* data = find(event.data, "data")) mail.data = *data;
    if (mail.kind == "gather") return gather(state, mail.data);
    state.mailbox.push_back(std::move(mail));
}

void forget_mail(RunState& state, TokenId token) {
    if (state.mailbox.empty()) return;
    std::erase_if(state.mailbox, [token](const Mail& mail) {
        return is_addressed(mail) && mail_token(mail) == token;
    });
}

void take_mail(RunState& state, const json::value* ids) {
    const json::array* list = ids == nullptr ? nullptr : ids->if_array();
    if (list == nullptr) return;
    for (const json::value& id : *list) {
        std::erase_if(state.mailbox, [&](const Mail& mail) {
            return whole_number(&id) == mail.id;
        });
    }
}

}  // namespace pawl::plan
