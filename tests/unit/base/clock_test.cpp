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

TEST(Clock, ReadsWhatItWrites) {
    const Instant at{std::chrono::microseconds(1769850000123456)};
    EXPECT_EQ(parse_rfc3339(to_rfc3339(at)), at);
    const Instant whole{std::chrono::seconds(1769850000)};
    for (const char* text :
         {"2026-01-31T09:00:00Z",
          "2026-01-31T09:00:00.0Z",
          "2026-01-31T09:00:00.000000Z",
          "2026-01-31T09:00:00z",
          "2026-01-31 09:00:00Z",
          "2026-01-31T16:00:00+07:00"}) {
        EXPECT_EQ(parse_rfc3339(text), whole) << text;
    }
    EXPECT_EQ(parse_rfc3339("2026-01-31T09:00:00.5Z"), whole + 500ms);
    EXPECT_EQ(parse_rfc3339("2028-02-29T00:00:00Z"), Instant(std::chrono::seconds(1835395200)));
    for (const char* text :
         {"",
          "Z",
          "2026-01-31T09:00:00",
          "2026-02-29T09:00:00Z",
          "2026-13-01T09:00:00Z",
          "2026-01-31T24:00:00Z",
          "2026-01-31T09:60:00Z",
          "2026-01-31T09:00:00.x5Z",
          "2O26-01-31T09:00:00Z",
          "2026-01-31T09:00:-1Z",
          "2026/01/31T09:00:00Z",
          "2026-01-31T09:00:00ZZ"}) {
        EXPECT_FALSE(parse_rfc3339(text)) << text;
    }
}

}  // namespace
}  // namespace pawl
