#pragma once

#include "plan/run_state.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace pawl::plan {

// Waiting for messages: what came (Mail) and what a token waits for (the data of wait_started).

inline Instant instant_of(std::int64_t micros) {
    return Instant(Duration(micros));
}
inline std::int64_t micros_of(Instant at) {
    return at.time_since_epoch().count();
}

// Meant for one visit of one token: a decided task, a child that closed, a callback, a lock.
bool is_addressed(const Mail& mail);
TokenId mail_token(const Mail& mail);
// What `waits_for` waits for: event, signal, task, child, callback, lock; empty when time alone.
std::string_view waited_kind(const boost::json::value& waits_for);
// When a waiting token must be looked at by itself; Instant{} when only a message helps.
Instant next_look(const boost::json::value& wait);
// How often whoever was called tells that it is still at it; nothing when that was not asked for.
std::optional<Duration> heartbeat_of(const boost::json::value& wait);
// A member of the wait that is an instant.
std::optional<Instant> instant_in(const boost::json::value& wait, std::string_view key);

// The messages that end an event or signal wait, and by which handle.
struct Match {
    std::vector<const Mail*> mails;
    std::string_view handle = "default";
};
std::optional<Match> match_events(const RunState& state, const Token& token);
// The message that is addressed to this token.
const Mail* find_addressed(const RunState& state, const Token& token);
// The event that ends the whole run.
const Mail* find_exit(const RunState& state);
// Whether the wait that an event was delivered to takes it: one that its filter does not let pass
// is left for waits that come later.
bool is_wanted(const RunState& state, const Mail& mail);

struct WantedEvent {
    std::string name;
    std::string key;

    bool operator==(const WantedEvent&) const = default;
};
// What a wait (of a token, or of the run) has not got yet and must hear of, each once.
std::vector<WantedEvent> awaited_events(
    const RunState& state, TokenId token, const boost::json::value& wait
);

}  // namespace pawl::plan
