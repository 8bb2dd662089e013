#include "base/spoken.hpp"

#include "model/duration.hpp"

#include <gtest/gtest.h>

namespace pawl {
namespace {

using namespace std::chrono_literals;

TEST(Spoken, DurationsHaveTwoUnitsAtMost) {
    EXPECT_EQ(human_duration(0s), "0s");
    EXPECT_EQ(human_duration(28500us), "28.5ms");
    EXPECT_EQ(human_duration(800ms), "800ms");
    EXPECT_EQ(human_duration(999960us), "1s");
    EXPECT_EQ(human_duration(30s), "30s");
    EXPECT_EQ(human_duration(45300ms), "45.3s");
    EXPECT_EQ(human_duration(59990ms), "59s");
    EXPECT_EQ(human_duration(65s), "1m 5s");
    EXPECT_EQ(human_duration(1h), "1h");
    EXPECT_EQ(human_duration(24h * 3 + 2h + 5min), "3d 2h");
    EXPECT_EQ(human_duration(24h * 3 + 5s), "3d");
    EXPECT_EQ(human_duration(-5s), "-5s");
}

TEST(Spoken, ADurationThatIsReadCanBeWritten) {
    for (const Duration one :
         {Duration(28500us), Duration(45300ms), Duration(65s), Duration(26h)}) {
        EXPECT_EQ(parse_duration(human_duration(one)).value(), one);
    }
}

TEST(Spoken, AMomentOfAnotherDayHasItsDate) {
    const Instant now = parse_rfc3339("2026-11-17T08:00:00Z").value();
    EXPECT_EQ(human_moment(now + 6s, now), "08:00:06");
    EXPECT_EQ(human_moment(now + 24h * 30 + 6s, now), "2026-12-17 08:00:06");
    EXPECT_EQ(human_moment(now - 9h, now), "2026-11-16 23:00:00");
}

TEST(Spoken, OneIsNotMany) {
    EXPECT_EQ(counted(0, "run"), "0 runs");
    EXPECT_EQ(counted(1, "run"), "1 run");
    EXPECT_EQ(counted(2, "run"), "2 runs");
    EXPECT_EQ(times(1), "once");
    EXPECT_EQ(times(3), "3 times");
}

}  // namespace
}  // namespace pawl
