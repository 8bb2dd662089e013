#include "draw/channel.hpp"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <optional>
#include <set>

namespace pawl::draw {

namespace {

class Router {
public:
    Router(const std::vector<Wire>& wires, const std::vector<int>& reserved)
        : wires_(wires), after_(wires.size()), used_(reserved.begin(), reserved.end()) {
        for (std::size_t i = 0; i < wires.size(); ++i) {
            used_.insert(wires[i].begin);
            used_.insert(wires[i].end);
            if (wires[i].to_bottom && !wires[i].straight()) bottom_[wires[i].end] = i;
        }
        // Where one wire comes down in the column in which another leaves, it must turn away first.
        // A column has one of each at most, so these rules form chains and rings.
        for (std::size_t i = 0; i < wires.size(); ++i) {
            if (!wires[i].from_top || wires[i].straight()) continue;
            const auto found = bottom_.find(wires[i].begin);
            if (found != bottom_.end() && found->second != i) after_[i] = found->second;
        }
    }

    Routing run() {
        Routing routing;
        routing.legs.resize(wires_.size());
        std::vector<bool> done(wires_.size());
        std::vector<bool> has_before(wires_.size());
        for (const auto& next : after_) {
            if (next) has_before[*next] = true;
        }
        for (std::size_t head : by_nesting()) {
            if (!has_before[head]) follow(head, done, routing);
        }
        for (std::size_t i = 0; i < wires_.size(); ++i) {
            if (!done[i] && !wires_[i].straight()) open_ring(i, done, routing);
        }
        routing.tracks = static_cast<int>(taken_.size());
        return routing;
    }

private:
    // Wires that lead right: the rightmost first, so on top; and the mirror of that to the left. So
    // the wires of one box do not cross each other.
    std::vector<std::size_t> by_nesting() const {
        std::vector<std::size_t> order;
        for (std::size_t i = 0; i < wires_.size(); ++i) {
            if (!wires_[i].straight()) order.push_back(i);
        }
        const auto key = [this](std::size_t i) {
            const bool right = wires_[i].end > wires_[i].begin;
            return std::pair(right, right ? -wires_[i].begin : wires_[i].begin);
        };
        std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
            return key(a) < key(b);
        });
        return order;
    }

    void follow(std::size_t at, std::vector<bool>& done, Routing& routing) {
        int least = 0;
        std::optional<std::size_t> wire = at;
        while (wire && !done[*wire]) {
            done[*wire] = true;
            const Leg leg = lay(wires_[*wire].begin, wires_[*wire].end, least);
            routing.legs[*wire].push_back(leg);
            least = leg.track + 1;
            wire = after_[*wire];
        }
    }

    // In a ring each wire should be above the next. One of them goes aside, to a free column, and
    // comes back below all the others.
    void open_ring(std::size_t at, std::vector<bool>& done, Routing& routing) {
        const Wire& wire = wires_[at];
        const int aside = free_column(wire);
        const Leg first = lay(wire.begin, aside, 0);
        routing.legs[at].push_back(first);
        done[at] = true;
        int least = first.track + 1;
        for (std::size_t i = *after_[at]; i != at; i = *after_[i]) {
            done[i] = true;
            const Leg leg = lay(wires_[i].begin, wires_[i].end, least);
            routing.legs[i].push_back(leg);
            least = leg.track + 1;
        }
        routing.legs[at].push_back(lay(aside, wire.end, least));
    }

    int free_column(const Wire& wire) {
        const int middle = (wire.begin + wire.end) / 2;
        for (int away = 0;; ++away) {
            for (const int column : {middle + away, middle - away}) {
                if (column < 0 || used_.contains(column)) continue;
                used_.insert(column);
                return column;
            }
        }
    }

    // On the first track from `least` on that has room.
    Leg lay(int begin, int end, int least) {
        const int left = std::min(begin, end);
        const int right = std::max(begin, end);
        for (auto track = static_cast<std::size_t>(least);; ++track) {
            if (taken_.size() <= track) taken_.resize(track + 1);
            const bool free =
                std::none_of(taken_[track].begin(), taken_[track].end(), [&](const auto& other) {
                    return left <= other.second && other.first <= right;
                });
            if (!free) continue;
            taken_[track].emplace_back(left, right);
            return {begin, end, static_cast<int>(track)};
        }
    }

    const std::vector<Wire>& wires_;
    std::vector<std::optional<std::size_t>> after_;  // the wire that must be on a lower track
    std::map<int, std::size_t> bottom_;
    std::set<int> used_;
    std::vector<std::vector<std::pair<int, int>>> taken_;  // by track
};

}  // namespace

Routing route(const std::vector<Wire>& wires, const std::vector<int>& reserved) {
    return Router(wires, reserved).run();
}

}  // namespace pawl::draw
