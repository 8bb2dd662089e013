#include "plan/settle.hpp"

#include "model/events/signal_data.hpp"
#include "model/message_id.hpp"
#include "plan/planner.hpp"
#include "plan/skip.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace pawl::plan {

std::optional<Settled> parse_settled(std::string_view text) {
    if (text == "completed") return Settled::completed;
    if (text == "failed") return Settled::failed;
    if (text == "retry") return Settled::retry;
    return std::nullopt;
}

namespace {

Uuid message_of(
    const Definition& definition, const RunState& state, const Token& token, std::string_view run
) {
    const ExecuteStep step = step_of(token);
    return message_id(idempotency_key(key_run(definition, state, step, run), definition, step));
}

bool has_sent(
    const Definition& definition,
    const RunState& state,
    const Token& token,
    const Uuid& message,
    std::string_view run
) {
    return definition.nodes[token.node].type == NodeType::message &&
           message_of(definition, state, token, run) == message;
}

bool is_meant(
    const Definition& definition,
    const RunState& state,
    const Token& token,
    const SettleRequest& given
) {
    if (!given.message) return definition.nodes[token.node].id == given.node;
    return has_sent(definition, state, token, *given.message, given.run);
}

}  // namespace

Settlement settle(const Definition& definition, const RunState& state, const SettleRequest& given) {
    if (!given.message) {
        auto check = check_skip(definition, state, given.node);
        if (check.verdict != SkipCheck::Verdict::fine) {
            const bool unknown = check.verdict == SkipCheck::Verdict::unknown_node;
            return {{}, std::move(check.sentence), unknown};
        }
    }
    for (const Token& token : state.tokens) {
        const auto* wait = token.waits_for.as<events::CallbackWait>();
        if (wait == nullptr || !wait->unknown) continue;
        if (!is_meant(definition, state, token, given)) continue;
        Settlement settled;
        if (definition.nodes[token.node].type == NodeType::message && !given.run.empty()) {
            settled.message = message_of(definition, state, token, given.run);
        }
        events::CallbackSignal signal;
        // What was found out about this attempt says nothing about the next one.
        signal.to = {std::int64_t{token.id}, std::int64_t{token.visit}, token.attempt};
        signal.by = given.by;
        signal.status = given.as == Settled::completed ? "completed" : "failed";
        if (given.as == Settled::completed) {
            signal.data = given.data;
            settled.signal = events::write(std::move(signal));
            return settled;
        }
        signal.again = given.as == Settled::retry;
        signal.error = to_json(StepError{
            signal.again ? ErrorClass::retryable : ErrorClass::permanent,
            "settled",
            given.reason.empty() ? "it was found not to have taken place" : given.reason,
            std::nullopt});
        settled.signal = events::write(std::move(signal));
        return settled;
    }
    return {{}, fmt::format("the outcome of '{}' is not unknown", given.node), false};
}

const Token* sender_of(
    const Definition& definition, const RunState& state, const Uuid& message, std::string_view run
) {
    const auto found =
        std::find_if(state.tokens.begin(), state.tokens.end(), [&](const Token& token) {
            return has_sent(definition, state, token, message, run);
        });
    return found == state.tokens.end() ? nullptr : &*found;
}

bool is_done_with(
    const Definition& definition, const RunState& state, const Uuid& message, std::string_view run
) {
    return is_terminal(state.status) || sender_of(definition, state, message, run) == nullptr;
}

}  // namespace pawl::plan
