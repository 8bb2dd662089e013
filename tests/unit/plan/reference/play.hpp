#pragma once

#include "base/rng.hpp"
#include "lockstep.hpp"

namespace pawl::reference {

// A step that ended.
struct Outcome {
    std::size_t position;  // of those under way
    bool succeeded;
};

struct Found {
    std::string shape;
    std::string orders;  // what the conditions answer; which step ended, and how, in turn
    std::string what;
};

// Plays a shape through everything that can happen to it, what happens soonest first. Whatever led
// to where both stand, they go on from there once. With a link back there may be no end to it: then
// only so much is played, and by chance.
class Play {
public:
    // Keeps references to both.
    Play(const Shape& shape, Rng& rng);

    std::optional<Found> run();

    // How many were played: from every standing, each of the steps under way, ending both ways.
    std::size_t outcomes() const { return outcomes_; }
    // Whether there is a link back.
    bool goes_back() const { return goes_back_; }
    bool cut_short() const { return cut_short_; }
    // Somewhere the rules leave open what follows.
    bool left_open() const { return left_open_; }

private:
    struct At {
        Lockstep both;
        std::vector<Outcome> outcomes;
    };

    void explore(const std::vector<bool>& holds);
    std::vector<Outcome> choices(const At& at, std::size_t standings);

    const Shape& shape_;
    const Definition definition_;
    Rng& rng_;
    bool goes_back_;
    std::vector<bool> asked_;  // the conditions that were reached
    std::optional<Found> found_;
    std::size_t outcomes_ = 0;
    bool cut_short_ = false;
    bool left_open_ = false;
};

}  // namespace pawl::reference
