#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <list>
#include <optional>
#include <unordered_map>
#include <utility>

namespace pawl {

// Whether a tenant may have more of something, so that another that has nothing finds some: a part
// of it is kept, an eighth say, and of the rest a tenant has at most seven times what is left.
constexpr bool may_have_more(
    std::size_t has, std::size_t taken, std::size_t of, std::size_t part, std::size_t more = 1
) {
    if (taken + more > of) return false;
    if (has == 0) return true;
    const std::size_t kept = std::max<std::size_t>(of / part, 1);
    return has + more + kept <= of && has + more <= (part - 1) * (of - taken);
}

// Places that tenants share, and the lines in which items wait for one, a line for each tenant. A
// place that becomes free goes to the tenant that has the fewest; among equals they take turns.
// Tenant 0 is this process itself: it comes first, and nothing is kept from it.
// Takes constant time and no memory for a tenant that is known, as long as places are free; else
// time by the number of tenants that wait. One thread.
template <typename Item>
class FairPlaces {
public:
    using Spot = typename std::list<Item>::iterator;

    explicit FairPlaces(std::size_t places, std::size_t part = 8) : places_(places), part_(part) {}
    FairPlaces(const FairPlaces&) = delete;
    FairPlaces& operator=(const FairPlaces&) = delete;

    // A place at once; false when there is none for the tenant, or others of its own wait already.
    bool take(std::int32_t tenant) {
        Line& line = line_of(tenant);
        const bool granted = line.items.empty() && may_take(line);
        if (granted) occupy(line);
        return granted;
    }
    Spot wait(std::int32_t tenant, Item item) {
        Line& line = line_of(tenant);
        if (line.items.empty()) {
            line.turn = turns_.insert(tenant == 0 ? turns_.begin() : turns_.end(), &line);
        }
        ++waiting_;
        return line.items.insert(line.items.end(), std::move(item));
    }
    // Out of the line, without having had a place.
    void leave(std::int32_t tenant, Spot spot) {
        Line& line = line_of(tenant);
        line.items.erase(spot);
        left(line, 1);
    }
    void give_back(std::int32_t tenant) {
        Line& line = line_of(tenant);
        --line.taken;
        --taken_;
        forget_idle(line);
    }
    // The next in line, which has a place from now on.
    std::optional<Item> next() {
        auto found = turns_.end();
        for (auto turn = turns_.begin(); turn != turns_.end(); ++turn) {
            if (found == turns_.end() || (*turn)->taken < (*found)->taken) found = turn;
            if ((*found)->taken == 0 || (*found)->tenant == 0) break;
        }
        // Tenants with more places may not take one either.
        if (found == turns_.end() || !may_take(**found)) return std::nullopt;
        Line& line = **found;
        if (line.tenant != 0) turns_.splice(turns_.end(), turns_, found);
        std::optional<Item> item(std::move(line.items.front()));
        line.items.pop_front();
        occupy(line);
        left(line, 1);
        return item;
    }
    template <typename Unwanted>
    void leave_if(Unwanted unwanted) {
        for (auto turn = turns_.begin(); turn != turns_.end();) {
            Line& line = **turn++;
            const std::size_t gone = line.items.remove_if(unwanted);
            if (gone > 0) left(line, gone);
        }
    }

    std::size_t taken() const { return taken_; }
    std::size_t waiting() const { return waiting_; }

private:
    struct Line {
        std::int32_t tenant = 0;
        std::size_t taken = 0;
        std::list<Item> items;
        typename std::list<Line*>::iterator turn{};  // while items wait
    };
    // Tenants without anything are remembered up to this number.
    static constexpr std::size_t idle_max = 64;

    Line& line_of(std::int32_t tenant) {
        Line& line = lines_[tenant];
        line.tenant = tenant;
        return line;
    }
    bool may_take(const Line& line) const {
        if (line.tenant == 0) return taken_ < places_;
        return may_have_more(line.taken, taken_, places_, part_);
    }
    void occupy(Line& line) {
        ++line.taken;
        ++taken_;
    }
    void left(Line& line, std::size_t items) {
        waiting_ -= items;
        if (line.items.empty()) turns_.erase(line.turn);
        forget_idle(line);
    }
    void forget_idle(const Line& line) {
        if (line.taken > 0 || !line.items.empty() || lines_.size() <= idle_max) return;
        const std::int32_t tenant = line.tenant;
        lines_.erase(tenant);
    }

    const std::size_t places_;
    const std::size_t part_;
    std::size_t taken_ = 0;
    std::size_t waiting_ = 0;
    std::unordered_map<std::int32_t, Line> lines_;
    std::list<Line*> turns_;
};

}  // namespace pawl
