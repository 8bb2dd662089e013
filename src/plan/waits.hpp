#pragma once

#include "plan/run_state.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace pawl::plan {

// Waiting for messages: what came (Mail) and what a token waits for (events::Wait).

using events::instant_of;
using events::micros_of;

Mail to_mail(std::int64_t id, SignalKind kind, boost::json::value data);
// How often the peer that was called says that it is still at work; nothing when that was not asked
// for.
std::optional<Duration> heartbeat_of(const events::CallbackWait& wait);

// The messages that end an event or signal wait, and by which handle.
struct Match {
    std::vector<const Mail*> mails;
    std::string_view handle = "default";
};
std::optional<Match> match_events(const RunState& state, const Token& token);
// The message that is addressed to this token.
const Mail* find_addressed(const RunState& state, const Token& token);
// The event that ends the whole run.
std::optional<Match> find_exit(const RunState& state);
// The events that a token waits for, or the run; null: none.
const events::EventWait* event_wait_of(const RunState& state, TokenId token);
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
    const RunState& state, TokenId token, const events::EventWait& wait
);

}  // namespace pawl::plan
