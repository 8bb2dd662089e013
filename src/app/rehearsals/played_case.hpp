#pragma once

#include "base/json.hpp"
#include "rehearse/check.hpp"

#include <vector>

namespace pawl::app {

// What came of a test case.
struct PlayedCase {
    rehearse::Recording recording;
    std::vector<rehearse::Mismatch> mismatches;  // none: it passed
};

// Runs a test case in virtual time, on the caller's thread.
PlayedCase play_case(
    const Definition& definition, const rehearse::TestCase& test, const rehearse::RealSteps& real
);

// How long the run took, in virtual time.
Duration took(const rehearse::Recording& recording);

json::object to_json(const rehearse::TestCase& test, const PlayedCase& played);

}  // namespace pawl::app
