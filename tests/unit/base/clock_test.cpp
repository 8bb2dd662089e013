#include "base/clock.hpp"

#include <gtest/gtest.h>

namespace pawl {
namespace {

using namespace std::chrono_literals;

// An id that is dated by it must not be later than what the database writes next.
TEST(DbClock, IsNeverAheadOfTheDatabase) {
    DbClock clock;
    const auto start = Steady::now();
    Instant db = wall_now();
    // The database reads its clock at the end of the round trip, then at its beginning.
    clock.observe(db + 10ms, start, start + 10ms);
    EXPECT_LE(clock.now(start + 10ms), db + 10ms);
    clock.observe(db + 20ms, start + 20ms, start + 90ms);
    EXPECT_LE(clock.now(start + 90ms), db + 90ms);
    EXPECT_GE(clock.now(start + 90ms), db + 20ms);
    // It was set back.
    db -= 1h;
    clock.observe(db + 100ms, start + 100ms, start + 101ms);
    EXPECT_LE(clock.now(start + 101ms), db + 101ms);
    EXPECT_GE(clock.now(start + 101ms), db + 100ms);
}

}  // namespace
}  // namespace pawl
