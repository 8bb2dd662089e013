#pragma once

#include "rehearse/mock.hpp"

#include <set>
#include <string>

namespace pawl::rehearse {

// What stands in for a call where nothing may be called: messages are sent to people who have an
// address, conditions that ask the database do not hold, an agent decides for its first choice, and
// everything else succeeds with {}. Pure.
Answer made_up_answer(const Call& call, const boost::json::value& person);

// A world of mocks in which the rest is made up, for one run that is looked at step by step.
class TrialWorld : public MockWorld {
public:
    // Keeps the mocks and the person.
    TrialWorld(const Mocks& mocks, const boost::json::value& person)
        : MockWorld(mocks, no_steps()), person_(person) {}

    Answer call(const Call& call) override;
    // Nodes whose answer is made up, messages aside.
    const std::set<std::string>& assumed() const { return assumed_; }

private:
    static const RealSteps& no_steps();
    const boost::json::value& person_;
    std::set<std::string> assumed_;
};

}  // namespace pawl::rehearse
