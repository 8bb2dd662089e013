#pragma once

#include "steps/message_step.hpp"

namespace pawl::steps {

// By what messages go out. What it names outlives every delivery.
struct Courier {
    CallTargets& targets;
    http::Client& client;
    const MessageServices& services;
};

// How long a provider recognises a repeat under the message's own key: a little less than it says,
// since the call takes time too. Nothing: not at all, or for ever.
std::optional<Duration> recognised_for(const connect::Connector& connector);

// Hands a message to its provider: waits for its turn, writes it down where the provider does not
// recognise a repeat for ever, and calls. What is known to be sent counts as accepted.
asio::awaitable<Delivered> deliver_one(Courier courier, Parcel parcel);

// The same for several of one group (connect/batch.hpp), with as few calls as can be, in their
// order. Each is written down as one that no provider recognises by itself: what was interrupted is
// not sent again. A call that may have reached a provider is repeated some times, if the provider
// recognises it; one that is refused because of some of its messages is taken apart.
asio::awaitable<std::vector<Delivered>> deliver_together(
    Courier courier, std::vector<Parcel> parcels
);

// Due again later; no attempt is used up.
StepOutcome postpone(std::string target, std::string reason, Duration pause);

}  // namespace pawl::steps
