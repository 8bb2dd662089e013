#include "plan/waits.hpp"

#include "model/duration.hpp"
#include "model/events/signal_data.hpp"

namespace pawl::plan {

Mail to_mail(std::int64_t id, SignalKind kind, json::value data) {
    const auto token = events::read<events::Address>(data).token;
    return {id, kind, static_cast<TokenId>(token.value_or(0)), std::move(data)};
}

std::optional<Duration> heartbeat_of(const events::CallbackWait& wait) {
    if (wait.heartbeat.is_null()) return std::nullopt;
    const auto duration = duration_from_json(wait.heartbeat);
    if (!duration) return std::nullopt;
    return *duration;
}

const Mail* find_addressed(const RunState& state, const Token& token) {
    const SignalKind kind = signal_kind(token.waits_for.name());
    if (!is_addressed(kind)) return nullptr;
    for (const Mail& mail : state.mailbox) {
        if (mail.kind != kind || mail.token != token.id) continue;
        // An answer to an earlier visit or attempt, or from an earlier child.
        const auto to = events::read<events::Address>(mail.data);
        if (to.visit && *to.visit != std::int64_t{token.visit}) continue;
        if (to.attempt && *to.attempt != std::int64_t{token.attempt}) continue;
        if (const auto* child = token.waits_for.as<events::ChildWait>()) {
            const std::string_view run = events::read<events::ChildSignal>(mail.data).run;
            if (!run.empty() && !child->run.empty() && run != child->run) continue;
        }
        // An earlier wait for another lock.
        if (const auto* lock = token.waits_for.as<events::LockWait>()) {
            if (events::read<events::LockSignal>(mail.data).key != lock->key) continue;
        }
        return &mail;
    }
    return nullptr;
}

}  // namespace pawl::plan
