#include "pawl/dispatcher.hpp"

#include <algorithm>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <vector>

namespace pawl {

namespace {

class Channel : public Subscription {
public:
    Channel(std::string type, std::size_t capacity)
        : type_(std::move(type)), capacity_(std::max<std::size_t>(capacity, 1)) {}

    bool wants(const std::string& type) const { return type_ == "*" || type_ == type; }

    void offer(const DispatchedEvent& event) {
        {
            const std::lock_guard lock(mutex_);
            if (waiting_.size() >= capacity_) {
                ++dropped_;
                return;
            }
            waiting_.push_back(event);
        }
        came_.notify_one();
    }

    std::optional<DispatchedEvent> next(std::chrono::milliseconds patience) override {
        std::unique_lock lock(mutex_);
        came_.wait_for(lock, patience, [this] { return !waiting_.empty(); });
        if (waiting_.empty()) return std::nullopt;
        DispatchedEvent event = std::move(waiting_.front());
        waiting_.pop_front();
        return event;
    }

    std::uint64_t dropped() const override {
        const std::lock_guard lock(mutex_);
        return dropped_;
    }

private:
    const std::string type_;
    const std::size_t capacity_;
    mutable std::mutex mutex_;
    std::condition_variable came_;
    std::deque<DispatchedEvent> waiting_;
    std::uint64_t dropped_ = 0;
};

class InProcess : public Dispatcher {
public:
    void dispatch(const DispatchedEvent& event) override {
        for (const auto& channel : listeners()) {
            if (channel->wants(event.type)) channel->offer(event);
        }
    }

    std::shared_ptr<Subscription> subscribe(const std::string& type, std::size_t capacity)
        override {
        auto channel = std::make_shared<Channel>(type, capacity);
        const std::lock_guard lock(mutex_);
        channels_.push_back(channel);
        return channel;
    }

private:
    std::vector<std::shared_ptr<Channel>> listeners() {
        std::vector<std::shared_ptr<Channel>> found;
        const std::lock_guard lock(mutex_);
        std::erase_if(channels_, [](const std::weak_ptr<Channel>& one) { return one.expired(); });
        for (const auto& channel : channels_) {
            if (auto alive = channel.lock()) found.push_back(std::move(alive));
        }
        return found;
    }

    std::mutex mutex_;
    std::vector<std::weak_ptr<Channel>> channels_;
};

}  // namespace

std::shared_ptr<Dispatcher> make_dispatcher() {
    return std::make_shared<InProcess>();
}

}  // namespace pawl
