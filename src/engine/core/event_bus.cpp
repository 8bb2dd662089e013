#include "engine/core/event_bus.hpp"

#include <utility>

namespace pawl::engine {

std::optional<store::LogRow> EventChannel::next() {
    const std::lock_guard lock(mutex_);
    if (events_.empty()) return std::nullopt;
    store::LogRow row = std::move(events_.front());
    events_.pop_front();
    return row;
}

std::uint64_t EventChannel::dropped() const {
    const std::lock_guard lock(mutex_);
    return dropped_;
}

void EventChannel::offer(const store::LogRow& row) {
    if (!types_.empty() && !types_.contains(row.event.type)) return;
    {
        const std::lock_guard lock(mutex_);
        if (events_.size() >= capacity_) {
            ++dropped_;
            return;
        }
        events_.push_back(row);
        if (events_.size() > 1) return;
    }
    if (on_ready) on_ready();
}

std::shared_ptr<EventChannel> EventBus::subscribe(std::set<EventType> types, std::size_t capacity) {
    auto channel = std::make_shared<EventChannel>(std::move(types), capacity);
    const std::lock_guard lock(mutex_);
    channels_.push_back(channel);
    listening_ = channels_.size();
    return channel;
}

void EventBus::publish(const std::vector<store::LogRow>& events) {
    if (listening_ == 0) return;
    std::vector<std::shared_ptr<EventChannel>> channels;
    {
        const std::lock_guard lock(mutex_);
        std::erase_if(channels_, [](const auto& channel) { return channel.expired(); });
        listening_ = channels_.size();
        for (const auto& channel : channels_) {
            if (auto held = channel.lock()) channels.push_back(std::move(held));
        }
    }
    for (const auto& channel : channels) {
        for (const store::LogRow& row : events) channel->offer(row);
    }
}

}  // namespace pawl::engine
