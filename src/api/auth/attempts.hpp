#pragma once

#include "base/clock.hpp"

#include <cstddef>
#include <string>
#include <unordered_map>

namespace pawl::api {

// How often a caller may fail to sign in: so often a minute by address, and so often all together.
// Keys cannot be guessed; this keeps attempts from costing much. Time is given, so tests own it.
class Attempts {
public:
    static constexpr std::size_t by_peer_max = 20;
    static constexpr std::size_t all_max = 1000;
    static constexpr Duration window = std::chrono::minutes(1);

    // How long to wait before the next try; zero: none.
    Duration wait(const std::string& peer, Steady::time_point now) {
        if (now >= until_) {
            failed_.clear();
            all_ = 0;
            until_ = now + window;
        }
        const auto found = failed_.find(peer);
        const std::size_t own = found == failed_.end() ? 0 : found->second;
        if (own < by_peer_max && all_ < all_max) return Duration::zero();
        return std::chrono::duration_cast<Duration>(until_ - now);
    }
    void fail(const std::string& peer) {
        ++failed_[peer];
        ++all_;
    }

private:
    std::unordered_map<std::string, std::size_t> failed_;  // at most all_max of them
    std::size_t all_ = 0;
    Steady::time_point until_{};
};

}  // namespace pawl::api
