#pragma once

#include "base/rng.hpp"
#include "rehearse/rehearsal.hpp"

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace pawl::rehearse {

// One of several answers, with how often it comes among them.
struct Weighted {
    Answer answer;
    double weight = 1;
};

// What stands in for the outside of one node: an answer for each call in turn, the last one for all
// that follow. Each turn is one answer, or one of several by chance.
struct Mock {
    std::vector<std::vector<Weighted>> turns;  // at least one, none of them empty
};

using Mocks = std::map<std::string, Mock, std::less<>>;

// Carries out steps without a mock; nothing: it does not know this one.
using RealSteps = std::function<std::optional<Answer>(const Call& call)>;

// A world made of mocks. Steps without one are carried out for real where that is possible without
// an effect, and succeed with {} otherwise; a condition that asks the database must have one.
class MockWorld : public World {
public:
    // Keeps the mocks and the steps.
    MockWorld(const Mocks& mocks, const RealSteps& real, std::uint64_t seed = 1)
        : mocks_(mocks), real_(real), rng_(seed) {}

    Answer call(const Call& call) override;
    bool mocks(const Node& node) const override { return mocks_.contains(node.id); }
    std::optional<Answer> meet(const Node& node, int number) override;

private:
    const Answer* pick(const Node& node, int number);

    const Mocks& mocks_;
    const RealSteps& real_;
    Rng rng_;
};

}  // namespace pawl::rehearse
