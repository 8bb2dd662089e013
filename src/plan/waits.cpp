#include "plan/waits.hpp"

#include "base/json.hpp"
#include "model/duration.hpp"

namespace pawl::plan {

bool is_addressed(const Mail& mail) {
    return mail.kind == "task" || mail.kind == "child" || mail.kind == "callback" ||
           mail.kind == "lock";
}

TokenId mail_token(const Mail& mail) {
    return static_cast<TokenId>(whole_number(find(mail.data, "token")).value_or(0));
}

std::string_view waited_kind(const json::value& waits_for) {
    return text_in(waits_for, "for");
}

std::optional<Instant> instant_in(const json::value& wait, std::string_view key) {
    const auto micros = whole_number(find(wait, key));
    if (!micros) return std::nullopt;
    return instant_of(*micros);
}

std::optional<Duration> heartbeat_of(const json::value& wait) {
    const json::value* written = find(wait, "heartbeat");
    if (written == nullptr) return std::nullopt;
    const auto duration = duration_from_json(*written);
    if (!duration) return std::nullopt;
    return *duration;
}

Instant next_look(const json::value& wait) {
    Instant next{};
    for (const std::string_view key : {"until", "remind_at", "escalate_at", "beat_by"}) {
        const auto at = instant_in(wait, key);
        if (at && (next == Instant{} || *at < next)) next = *at;
    }
    return next;
}

const Mail* find_addressed(const RunState& state, const Token& token) {
    const std::string_view kind = waited_kind(token.waits_for);
    for (const Mail& mail : state.mailbox) {
        if (mail.kind != kind || !is_addressed(mail) || mail_token(mail) != token.id) continue;
        // An answer to an earlier visit or attempt, or from an earlier child.
        const auto visit = whole_number(find(mail.data, "visit"));
        if (visit && *visit != std::int64_t{token.visit}) continue;
        const auto attempt = whole_number(find(mail.data, "attempt"));
        if (attempt && *attempt != std::int64_t{token.attempt}) continue;
        const json::value* child = find(token.waits_for, "run");
        const json::value* run = find(mail.data, "run");
        if (child != nullptr && run != nullptr && *child != *run) continue;
        // An earlier wait for another lock.
        const std::string_view key = text_in(token.waits_for, "key");
        if (mail.kind == "lock" && text_in(mail.data, "key") != key) continue;
        return &mail;
    }
    return nullptr;
}

}  // namespace pawl::plan
