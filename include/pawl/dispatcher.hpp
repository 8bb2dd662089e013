#pragma once

// Events inside a process: a publisher never waits for its subscribers.

#include <boost/json/value.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace pawl {

struct DispatchedEvent {
    std::string type;  // "run.completed", or any type that was published
    std::string id;    // the same if the event is repeated: use it to act only once
    std::string run;   // the run it is about; empty: none
    boost::json::value data;
};

// The receiving end of a channel. Any thread; several may take turns. Releasing the last shared_ptr
// ends the subscription.
class Subscription {
public:
    virtual ~Subscription() = default;
    // The next event; nothing if none came in time, or the dispatcher is gone.
    virtual std::optional<DispatchedEvent> next(std::chrono::milliseconds patience) = 0;
    // How many events were dropped because the channel was full.
    virtual std::uint64_t dropped() const = 0;
};

// Routes events to subscribers in this process. Any thread. Send events that must not be lost with
// StateStore::enqueue_event, which is durable; this is the fast way beside it.
class Dispatcher {
public:
    virtual ~Dispatcher() = default;
    // Never blocks and never throws: a subscriber whose channel is full misses the event.
    virtual void dispatch(const DispatchedEvent& event) = 0;
    // Events of this type from now on; "*": all types. `capacity`: how many may wait.
    virtual std::shared_ptr<Subscription> subscribe(
        const std::string& type, std::size_t capacity = 256
    ) = 0;
};

std::shared_ptr<Dispatcher> make_dispatcher();

}  // namespace pawl
