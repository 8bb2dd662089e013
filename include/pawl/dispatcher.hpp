#pragma once

// Events inside a process: who publishes never waits for who listens.

#include <boost/json/value.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace pawl {

struct DispatchedEvent {
    std::string type;  // "run.completed", or whatever was published
    std::string id;    // the same when it comes again: whoever must not act twice looks at it
    std::string run;   // the run it is about; empty: none
    boost::json::value data;
};

// The end of a channel at which somebody listens. Any thread; several may take turns. Leaving it
// (the last shared_ptr) ends the subscription.
class Subscription {
public:
    virtual ~Subscription() = default;
    // The next event; nothing when none came in time, or the dispatcher is gone.
    virtual std::optional<DispatchedEvent> next(std::chrono::milliseconds patience) = 0;
    // Events that found the channel full and were not kept.
    virtual std::uint64_t dropped() const = 0;
};

// Routes events to those in this process who want them. Any thread. What must not be lost goes
// through StateStore::enqueue_event, which is durable; this is the fast way beside it.
class Dispatcher {
public:
    virtual ~Dispatcher() = default;
    // Never blocks and never throws for a listener: one whose channel is full misses the event.
    virtual void dispatch(const DispatchedEvent& event) = 0;
    // Events of this type from now on; "*": of every type. `capacity`: how many may wait.
    virtual std::shared_ptr<Subscription> subscribe(
        const std::string& type, std::size_t capacity = 256
    ) = 0;
};

std::shared_ptr<Dispatcher> make_dispatcher();

}  // namespace pawl
