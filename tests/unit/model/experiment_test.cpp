#include "model/experiment.hpp"

#include <gtest/gtest.h>

namespace pawl {
namespace {

// Against figures of Wilson (1927) as textbooks have them: 10 of 100, 0 of 20, 20 of 20.
TEST(Experiment, IntervalsAreThoseOfWilson) {
    const Share tenth = wilson(10, 100);
    EXPECT_NEAR(tenth.rate, 0.1, 1e-9);
    EXPECT_NEAR(tenth.low, 0.05523, 1e-4);
    EXPECT_NEAR(tenth.high, 0.17437, 1e-4);
    const Share none = wilson(0, 20);
    EXPECT_NEAR(none.low, 0.0, 1e-9);
    EXPECT_NEAR(none.high, 0.16113, 1e-4);
    const Share all = wilson(20, 20);
    EXPECT_NEAR(all.low, 0.83887, 1e-4);
    EXPECT_NEAR(all.high, 1.0, 1e-9);
}

TEST(Experiment, NothingSaysNothing) {
    const Share share = wilson(0, 0);
    EXPECT_EQ(share.low, 0);
    EXPECT_EQ(share.high, 1);
    EXPECT_EQ(judge_arms({}).text, "too early to say");
    EXPECT_EQ(judge_arms({{"a", 100, 90}}).text, "too early to say");
    EXPECT_EQ(judge_arms({{"a", 0, 0}, {"b", 0, 0}}).text, "too early to say");
}

TEST(Experiment, ImpossibleCountsAreCut) {
    EXPECT_EQ(wilson(30, 20).rate, 1);
    EXPECT_EQ(wilson(-5, 20).rate, 0);
    EXPECT_TRUE(judge_arms({{"a", -10, 5}, {"b", 10, 50}}).early);
}

TEST(Experiment, FewTrialsAreTooEarlyWhateverTheyShow) {
    const Verdict verdict = judge_arms({{"a", 40, 30}, {"b", 40, 1}});
    EXPECT_TRUE(verdict.early);
    EXPECT_EQ(verdict.text, "too early to say");
    EXPECT_TRUE(verdict.leader.empty());
}

TEST(Experiment, ADifferenceThatChanceMakesIsTooEarly) {
    const Verdict verdict = judge_arms({{"a", 1000, 110}, {"b", 1000, 100}});
    EXPECT_TRUE(verdict.early);
    // What a table of sample sizes says for 11% against 10% at 80% power: about 14,700 each.
    ASSERT_TRUE(verdict.trials_needed);
    EXPECT_NEAR(static_cast<double>(*verdict.trials_needed), 14750, 150);
}

TEST(Experiment, ALargeDifferenceHasALeader) {
    const Verdict verdict = judge_arms({{"points", 2000, 160}, {"coupon", 2000, 242}});
    EXPECT_FALSE(verdict.early);
    EXPECT_EQ(verdict.leader, "coupon");
    EXPECT_EQ(verdict.text, "coupon does better: 12.1% against 8.0% of points");
    EXPECT_FALSE(verdict.trials_needed);
}

// The same difference to one of three is not enough: each comparison gets a part of the 5%.
TEST(Experiment, TheLeaderMustBeatAllOthers) {
    const Arm a{"a", 1000, 130}, b{"b", 1000, 101}, c{"c", 1000, 128};
    EXPECT_FALSE(judge_arms({a, b}).early);
    EXPECT_TRUE(judge_arms({a, b, c}).early);
}

TEST(Experiment, EqualArmsStayTooEarlyForEver) {
    EXPECT_TRUE(judge_arms({{"a", 1000000, 100000}, {"b", 1000000, 100000}}).early);
}

}  // namespace
}  // namespace pawl
