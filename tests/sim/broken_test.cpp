#include "sim/simulation.hpp"

#include <gtest/gtest.h>

#include <cstdio>
#include <string>

// A harness that cannot fail proves nothing: each deliberate fault must be noticed, by the
// invariant that is there for it.

namespace pawl::sim {
namespace {

struct Mistake {
    const char* name;
    Broken broken;
    const char* noticed;
    // Where the search begins: a seed that shows it, where that is a rare one. It goes through all
    // of them when the simulation has changed and this one no longer does.
    std::uint64_t first = 1;
};

std::ostream& operator<<(std::ostream& out, const Mistake& mistake) {
    return out << mistake.name;
}

class BrokenTest : public ::testing::TestWithParam<Mistake> {};

TEST_P(BrokenTest, IsNoticed) {
    constexpr std::uint64_t seeds_max = 8000;
    Tally tally;
    std::string others;
    for (std::uint64_t tried = 0; tried < seeds_max; ++tried) {
        const std::uint64_t seed = (GetParam().first - 1 + tried) % seeds_max + 1;
        const std::string failure = run_seed(seed, tally, GetParam().broken);
        if (failure.find(GetParam().noticed) != std::string::npos) {
            if (tried > 100) {
                std::printf("first = %llu would be quick\n", static_cast<unsigned long long>(seed));
            }
            return;
        }
        if (!failure.empty() && others.size() < 1000) {
            others += failure.substr(0, failure.find('\n')) + '\n';
        }
    }
    FAIL() << "not noticed; other findings:\n" << others;
}

INSTANTIATE_TEST_SUITE_P(
    Simulation,
    BrokenTest,
    ::testing::Values(
        Mistake{"FenceOff", Broken::fence_off, "declared dead has committed"},
        Mistake{"ResendSkipped", Broken::resend_skipped, "before the events that lead to it"},
        Mistake{"EarlyEffects", Broken::early_effects, "before the events that lead to it"},
        Mistake{"LostClaimIgnored", Broken::lost_claim_ignored, "did not come to an end"},
        Mistake{"StartsAskedFor", Broken::starts_asked_for, "for a run that is over", 2568},
        Mistake{"ReleasedTwice", Broken::released_twice, "not leased to it", 157},
        Mistake{"GivenUpForgotten", Broken::given_up_forgotten, "did not come to an end", 325},
        Mistake{"SignalLeftBehind", Broken::signal_left_behind, "did not come to an end"},
        Mistake{"LeaseUnchecked", Broken::lease_unchecked, "not leased to it", 866},
        Mistake{"OldSignalsTaken", Broken::old_signals_taken, "a message was received twice"}
    ),
    [](const auto& mistake) { return std::string(mistake.param.name); }
);

}  // namespace
}  // namespace pawl::sim
