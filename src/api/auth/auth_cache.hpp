#pragma once

#include "base/clock.hpp"

#include <algorithm>
#include <cstddef>
#include <deque>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>

namespace pawl::api {

// Values that are worth remembering for a short time, by a hash. Bounded: the oldest goes first.
// Time is given, so tests own it.
template <class Value>
class ExpiringCache {
public:
    ExpiringCache(std::size_t entries_max, Duration keep)
        : entries_max_(entries_max), keep_(keep) {}

    std::optional<Value> find(const std::string& key, Steady::time_point now) const {
        const auto found = entries_.find(key);
        if (found == entries_.end() || found->second.until <= now) return std::nullopt;
        return found->second.value;
    }

    // Not longer than `at_most`, should the value itself end earlier.
    void put(const std::string& key, Value value, Steady::time_point now, Duration at_most) {
        make_room(now);
        const Steady::time_point until = now + std::min(keep_, at_most);
        const auto [at, added] = entries_.insert_or_assign(key, Entry{std::move(value), until});
        // A key that is still there keeps its place in the line; it only goes a little early.
        if (added) line_.emplace_back(now + keep_, key);
    }
    void put(const std::string& key, Value value, Steady::time_point now) {
        put(key, std::move(value), now, keep_);
    }

    void forget(const std::string& key) {
        const auto found = entries_.find(key);
        if (found != entries_.end()) found->second.until = Steady::time_point::min();
    }

    std::size_t size() const { return entries_.size(); }

private:
    struct Entry {
        Value value;
        Steady::time_point until;
    };

    void make_room(Steady::time_point now) {
        while (!line_.empty() && (line_.front().first <= now || line_.size() >= entries_max_)) {
            entries_.erase(line_.front().second);
            line_.pop_front();
        }
    }

    std::size_t entries_max_;
    Duration keep_;
    std::unordered_map<std::string, Entry> entries_;
    std::deque<std::pair<Steady::time_point, std::string>> line_;  // in the order they came
};

}  // namespace pawl::api
