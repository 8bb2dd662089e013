#include "play.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <set>

namespace pawl::reference {

namespace {

// Of a shape with a link back.
constexpr std::size_t all_up_to = 60;
constexpr std::size_t steps_max = 9;

// The next answers of the conditions, as if they were a number; false after the last.
bool count_up(const Shape& shape, std::vector<bool>& holds) {
    for (std::size_t i = 0; i < holds.size(); ++i) {
        if (shape.places[i].kind != Kind::condition) continue;
        holds[i] = !holds[i];
        if (holds[i]) return true;
    }
    return false;
}

std::string orders(const std::vector<bool>& holds, const std::vector<Outcome>& outcomes) {
    std::string text = fmt::format("conditions {}:", fmt::join(holds, ""));
    for (const auto& [position, succeeded] : outcomes) {
        text += fmt::format(" {}{}", position, succeeded ? "" : "!");
    }
    return text;
}

std::optional<std::string> wrong_with(Lockstep& both) {
    if (!both.open()) return both.disagreement();
    if (both.stuck()) return "the planner is stuck";
    return std::nullopt;
}

}  // namespace

Play::Play(const Shape& shape, Rng& rng)
    : shape_(shape), definition_(definition_of(shape)), rng_(rng) {
    goes_back_ = std::any_of(shape.links.begin(), shape.links.end(), [](const Link& link) {
        return link.to <= link.from;
    });
}

std::optional<Found> Play::run() {
    struct Played {
        std::vector<bool> holds;
        std::vector<bool> asked;
    };
    std::vector<Played> all;
    std::vector<bool> holds(shape_.places.size());
    do {
        // What a condition that was not reached would have answered makes no difference.
        const bool known = std::any_of(all.begin(), all.end(), [&](const Played& played) {
            for (std::size_t i = 0; i < holds.size(); ++i) {
                if (played.asked[i] && played.holds[i] != holds[i]) return false;
            }
            return true;
        });
        if (known) continue;
        asked_.assign(holds.size(), false);
        explore(holds);
        all.push_back({holds, asked_});
    } while (!found_ && count_up(shape_, holds));
    return std::move(found_);
}

void Play::explore(const std::vector<bool>& holds) {
    std::set<Lockstep::Standing> seen;
    std::deque<At> open;
    const auto add = [&](At at) {
        ++outcomes_;
        for (std::size_t i = 0; i < asked_.size(); ++i) {
            if (at.both.passed(i)) asked_[i] = true;
        }
        if (const auto wrong = wrong_with(at.both)) {
            found_ = Found{describe(shape_), orders(holds, at.outcomes), *wrong};
        } else if (at.both.open()) {
            left_open_ = true;
        } else if (!at.both.over() && seen.insert(at.both.standing()).second) {
            open.push_back(std::move(at));
        }
    };
    add({Lockstep(shape_, definition_, holds), {}});
    for (; !open.empty() && !found_; open.pop_front()) {
        const At& at = open.front();
        for (const Outcome& outcome : choices(at, seen.size())) {
            At next = at;
            next.outcomes.push_back(outcome);
            next.both.finish(outcome.position, outcome.succeeded);
            add(std::move(next));
        }
    }
}

std::vector<Outcome> Play::choices(const At& at, std::size_t standings) {
    std::vector<Outcome> all;
    for (std::size_t i = 0; i < at.both.pending(); ++i) {
        for (const bool succeeded : {true, false}) all.push_back({i, succeeded});
    }
    const bool ends = at.outcomes.size() >= steps_max;
    if (!goes_back_ || (standings <= all_up_to && !ends)) return all;
    cut_short_ = true;
    if (ends) return {};
    return {all[rng_.below(all.size())]};
}

}  // namespace pawl::reference
