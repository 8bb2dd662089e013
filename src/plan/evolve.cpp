#include "base/json.hpp"
#include "model/duration.hpp"
#include "plan/planner.hpp"

#include <algorithm>
#include <limits>

namespace pawl::plan {

namespace {

std::optional<std::int64_t> whole(const json::value* value) {
    const auto* number = value == nullptr ? nullptr : value->if_int64();
    return number == nullptr ? std::nullopt : std::optional(*number);
}

std::int32_t small(const json::value* value) {
    const std::int64_t number = whole(value).value_or(0);
    const bool fits = number >= 0 && number <= std::numeric_limits<std::int32_t>::max();
    return fits ? static_cast<std::int32_t>(number) : 0;
}

Instant instant(std::int64_t micros) {
    return Instant(Duration(micros));
}

void place(const Definition& definition, RunState& state, Token& token, NodeIndex node) {
    token.node = node;
    token.attempt = 1;
    token.until = {};
    token.phase =
        definition.nodes[node].type == NodeType::wait ? TokenPhase::arrived : TokenPhase::ready;
    const auto earlier = std::count_if(
        state.records.begin(), state.records.end(), [&](const auto& r) { return r.node == node; }
    );
    token.visit = static_cast<std::uint32_t>(earlier) + 1;
}

void start(const Definition& definition, RunState& state, const Event& event) {
    if (state.started) return;
    state.started = true;
    state.started_at = event.at;
    state.workflow = small(find(event.data, "workflow"));
    state.version = small(find(event.data, "version"));
    if (const auto* input = find(event.data, "input")) state.input = *input;
    if (const auto* subject = find(event.data, "subject"); subject && subject->is_string()) {
        state.subject = std::string_view(subject->get_string());
    }
    if (const auto timeout = whole(find(event.data, "timeout_ms")); timeout && *timeout > 0) {
        const auto most = std::chrono::duration_cast<std::chrono::milliseconds>(duration_max);
        const std::chrono::milliseconds bounded(std::min(*timeout, std::int64_t{most.count()}));
        // The time that it was told to wait does not count.
        const auto start_at = whole(find(event.data, "start_at"));
        const Instant begin = start_at ? std::max(event.at, instant(*start_at)) : event.at;
        state.deadline = saturating_add(begin, bounded);
    }
    if (definition.nodes.empty()) return;
    state.tokens.emplace_back();
    place(definition, state, state.tokens.back(), 0);
}

// The token that an event of a step is about. Few tokens, so a scan; no index by name.
Token* token_of(const Definition& definition, RunState& state, const Event& event) {
    for (Token& token : state.tokens) {
        if (token.node < definition.nodes.size() && token.attempt == event.attempt &&
            definition.nodes[token.node].id == event.node) {
            return &token;
        }
    }
    return nullptr;
}

void move_on(const Definition& definition, RunState& state, Token& token) {
    const auto next = definition.next(token.node);
    if (next && *next < definition.nodes.size()) {
        place(definition, state, token, *next);
    } else {
        state.tokens.erase(state.tokens.begin() + (&token - state.tokens.data()));
    }
}

void complete_step(const Definition& definition, RunState& state, const Event& event) {
    Token* token = token_of(definition, state, event);
    if (token == nullptr || token->phase == TokenPhase::arrived) return;
    state.records.push_back({token->node, event.data, std::nullopt});
    move_on(definition, state, *token);
}

void fail_step(const Definition& definition, RunState& state, const Event& event) {
    Token* token = token_of(definition, state, event);
    if (token == nullptr || token->phase == TokenPhase::waiting) return;
    const auto retry_at = whole(find(event.data, "retry_at"));
    if (retry_at && token->phase != TokenPhase::arrived) {
        if (token->attempt == std::numeric_limits<std::int16_t>::max()) return;
        ++token->attempt;
        token->phase = TokenPhase::backoff;
        token->until = instant(*retry_at);
        return;
    }
    if (definition.nodes[token->node].on_failure == OnFailure::continue_) {
        state.records.push_back({token->node, nullptr, step_error_from_json(event.error)});
        move_on(definition, state, *token);
        return;
    }
    // The run fails in the next event; until that is seen, the reason is remembered, and where.
    state.error = event.error;
    if (json::object* error = state.error.if_object()) (*error)["step"] = event.node;
    state.tokens.clear();
}

void start_wait(const Definition& definition, RunState& state, const Event& event) {
    Token* token = token_of(definition, state, event);
    if (token == nullptr || token->phase != TokenPhase::arrived) return;
    token->phase = TokenPhase::waiting;
    token->until = instant(whole(find(event.data, "until")).value_or(0));
}

void end_run(RunState& state, RunStatus status) {
    state.status = status;
    state.tokens.clear();
}

}  // namespace

void evolve(const Definition& definition, RunState& state, const Event& event) {
    if (event.seq >= state.next_seq && event.seq < std::numeric_limits<std::int32_t>::max()) {
        state.next_seq = event.seq + 1;
    }
    if (is_terminal(state.status)) return;
    if (!state.started && event.type != EventType::run_started) return;
    switch (event.type) {
        case EventType::run_started: start(definition, state, event); return;
        case EventType::step_completed: complete_step(definition, state, event); return;
        case EventType::step_failed: fail_step(definition, state, event); return;
        case EventType::wait_started: start_wait(definition, state, event); return;
        case EventType::run_completed:
            state.output = event.data;
            end_run(state, RunStatus::completed);
            return;
        case EventType::run_failed:
            state.error = event.error;
            end_run(state, RunStatus::failed);
            return;
        case EventType::run_cancelled: end_run(state, RunStatus::cancelled); return;
    }
}

RunState fold(const Definition& definition, const std::vector<Event>& log) {
    RunState state;
    for (const Event& event : log) evolve(definition, state, event);
    return state;
}

}  // namespace pawl::plan
