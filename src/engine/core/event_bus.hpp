#pragma once

#include "store/store.hpp"

#include <atomic>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <vector>

namespace pawl::engine {

// A subscriber inside the process reads from it. Bounded: an event that finds it full is dropped
// and counted, so that a commit never waits for a subscriber. From any thread.
class EventChannel {
public:
    EventChannel(std::set<EventType> types, std::size_t capacity)
        : types_(std::move(types)), capacity_(capacity) {}

    // The next event, when there is one. Never waits.
    std::optional<store::LogRow> next();
    // How many did not fit.
    std::uint64_t dropped() const;
    // Called, on the thread that commits, when the channel was empty and is not any more; must not
    // block. Set before events come.
    std::function<void()> on_ready;

private:
    friend class EventBus;
    void offer(const store::LogRow& row);

    const std::set<EventType> types_;  // empty: all
    const std::size_t capacity_;
    mutable std::mutex mutex_;
    std::deque<store::LogRow> events_;
    std::uint64_t dropped_ = 0;
};

// Events that this process has committed, for subscribers in it. Shared by its workers. Subscribers
// that must not miss any take a webhook, a queue or the log itself.
class EventBus {
public:
    // Listens as long as the channel is held.
    std::shared_ptr<EventChannel> subscribe(
        std::set<EventType> types = {}, std::size_t capacity = 1024
    );
    // Without subscribers it costs one read of a counter.
    void publish(const std::vector<store::LogRow>& events);

private:
    std::mutex mutex_;
    std::vector<std::weak_ptr<EventChannel>> channels_;
    std::atomic<std::size_t> listening_{0};
};

}  // namespace pawl::engine
