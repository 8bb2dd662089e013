#include "model/cron.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <array>

namespace pawl {
namespace {

using namespace std::chrono_literals;
using std::chrono::days;

TimeZone zone(std::string_view name) {
    return parse_time_zone(name).value();
}
Instant at(std::string_view text) {
    return parse_rfc3339(text).value();
}
Cron cron(std::string_view text) {
    const auto parsed = parse_cron(text);
    EXPECT_TRUE(parsed) << text << ": " << parsed.error().message;
    return parsed.value();
}

// The next `count` slots, as the zone's clock shows them.
std::vector<std::string> slots(
    std::string_view text, std::string_view name, std::string_view from, int count
) {
    std::vector<std::string> found;
    Instant after = at(from);
    const Cron schedule = cron(text);
    const TimeZone here = zone(name);
    for (int i = 0; i < count; ++i) {
        const auto next = next_slot(schedule, here, after);
        if (!next) break;
        after = *next;
        const Instant shown(to_local(here, after).time_since_epoch());
        found.push_back(to_rfc3339(shown).substr(0, 16));
    }
    return found;
}

using Texts = std::vector<std::string>;

TEST(Cron, Reads) {
    EXPECT_EQ(cron("0 9 * * mon-fri").weekdays, Weekdays(0b011'1110));
    EXPECT_EQ(cron("0 9 * * 1-5"), cron("0 9 * * Mon-Fri"));
    EXPECT_EQ(cron("0 9 * * 7"), cron("0 9 * * SUN"));
    EXPECT_EQ(cron("0 0 * * sat-sun").weekdays, Weekdays(0b100'0001));
    EXPECT_EQ(cron("*/15 * * * *").minutes.count(), 4U);
    EXPECT_EQ(cron("5-20/5,50 * * * *").minutes.count(), 5U);
    EXPECT_EQ(cron("0 0 1 jan,jul *").months.count(), 2U);
    EXPECT_EQ(cron(" 0\t0  1 1 * "), cron("@yearly"));
    EXPECT_EQ(cron("@hourly"), cron("0 * * * *"));
    EXPECT_EQ(cron("@daily"), cron("@midnight"));
    EXPECT_EQ(cron("@weekly"), cron("0 0 * * 0"));
    EXPECT_EQ(cron("@monthly"), cron("0 0 1 * *"));
    EXPECT_TRUE(cron("0 0 L * *").last_day);
    EXPECT_TRUE(cron("0 0 15,L * *").days.test(15));
}

TEST(Cron, RefusesWithAWayOut) {
    const std::vector<std::pair<std::string_view, std::string_view>> cases{
        {"",
         "cron '' has 0 fields: five are needed (minute, hour, day of the month, month, "
         "weekday), such as \"0 9 * * mon-fri\""},
        {"0 0 9 * * mon",
         "cron '0 0 9 * * mon' has 6 fields: five are needed (minute, hour, day "
         "of the month, month, weekday), such as \"0 9 * * mon-fri\""},
        {"60 * * * *", "cron minute '60': '60' is not from 0 to 59"},
        {"* 24 * * *", "cron hour '24': '24' is not from 0 to 23"},
        {"* * 0 * *", "cron day of the month '0': '0' is not from 1 to 31"},
        {"* * * 13 *", "cron month '13': '13' is not from 1 to 12 or jan to dec"},
        {"* * * * monday", "cron weekday 'monday': 'monday' is not from 0 to 7 or sun to sat"},
        {"17-9 * * * *", "cron minute '17-9': the range ends before it begins: write it as two"},
        {"1-2-3 * * * *", "cron minute '1-2-3': a range has two ends, such as 9-17"},
        {"*/0 * * * *", "cron minute '*/0': a step is a number from 1 on, such as */15"},
        {"5/15 * * * *", "cron minute '5/15': write 5-59/15"},
        {"@dayly", "cron '@dayly' is not known, did you mean '@daily'?"},
        {"@reboot", "cron '@reboot' is not known"},
        {"0 0 31 2 *", "cron '0 0 31 2 *' can never fire: none of its months has such a day"},
        {"0 0 31 4,6 *", "cron '0 0 31 4,6 *' can never fire: none of its months has such a day"},
    };
    for (const auto& [text, message] : cases) {
        const auto parsed = parse_cron(text);
        ASSERT_FALSE(parsed) << text;
        EXPECT_EQ(parsed.error().message, message);
    }
    for (std::string_view text :
         {"1, * * * *",
          ",1 * * * *",
          "- * * * *",
          "/5 * * * *",
          "a b c d e",
          "-1 * * * *",
          "1..2 * * * *",
          "0 0 L-3 * *",
          "0 0 ? * *"}) {
        EXPECT_FALSE(parse_cron(text)) << text;
    }
    EXPECT_FALSE(parse_cron(std::string(201, '*')));
}

TEST(NextSlot, Plain) {
    EXPECT_EQ(
        slots("*/20 9 * * *", "UTC", "2026-01-01T09:05:00Z", 4),
        (Texts{"2026-01-01T09:20", "2026-01-01T09:40", "2026-01-02T09:00", "2026-01-02T09:20"})
    );
    EXPECT_EQ(slots("0 0 * * *", "UTC", "2026-01-01T00:00:00Z", 1), Texts{"2026-01-02T00:00"})
        << "later than, not at";
    EXPECT_EQ(
        slots("0 0 29 2 *", "UTC", "2026-01-01T00:00:00Z", 2),
        (Texts{"2028-02-29T00:00", "2032-02-29T00:00"})
    );
    EXPECT_EQ(
        slots("0 0 L * *", "UTC", "2026-01-31T00:00:00Z", 3),
        (Texts{"2026-02-28T00:00", "2026-03-31T00:00", "2026-04-30T00:00"})
    );
    EXPECT_EQ(
        slots("0 9 * * mon", "Asia/Kolkata", "2026-01-12T03:30:00Z", 1), Texts{"2026-01-19T09:00"}
    );
}

TEST(NextSlot, EitherDayOrWeekdayWhenBothAreGiven) {
    EXPECT_EQ(
        slots("0 0 13 * fri", "UTC", "2026-01-01T00:00:00Z", 4),
        (Texts{"2026-01-02T00:00", "2026-01-09T00:00", "2026-01-13T00:00", "2026-01-16T00:00"})
    );
    EXPECT_EQ(
        slots("0 0 */2 * fri", "UTC", "2026-01-01T00:00:00Z", 2),
        (Texts{"2026-01-09T00:00", "2026-01-23T00:00"})
    ) << "a field that begins with * narrows, as in Vixie cron";
}

TEST(NextSlot, ClocksSetForward) {
    // Berlin, 29 March 2026: 02:00 becomes 03:00.
    EXPECT_EQ(
        slots("30 2 * * *", "Europe/Berlin", "2026-03-27T12:00:00Z", 3),
        (Texts{"2026-03-28T02:30", "2026-03-29T03:00", "2026-03-30T02:30"})
    );
    EXPECT_EQ(
        slots("0,30 2,3 * * *", "Europe/Berlin", "2026-03-29T00:00:00Z", 3),
        (Texts{"2026-03-29T03:00", "2026-03-29T03:30", "2026-03-30T02:00"})
    ) << "several at once fire as one";
    EXPECT_EQ(
        slots("30 * * * *", "Europe/Berlin", "2026-03-29T00:00:00Z", 3),
        (Texts{"2026-03-29T01:30", "2026-03-29T03:30", "2026-03-29T04:30"})
    );
}

TEST(NextSlot, ClocksSetBack) {
    // Berlin, 25 October 2026: 03:00 becomes 02:00.
    EXPECT_EQ(
        slots("30 2 * * *", "Europe/Berlin", "2026-10-24T12:00:00Z", 2),
        (Texts{"2026-10-25T02:30", "2026-10-26T02:30"})
    );
    EXPECT_EQ(
        slots("30 2 * * *", "Europe/Berlin", "2026-10-25T01:10:00Z", 1), (Texts{"2026-10-26T02:30"})
    ) << "asked between the two";
    EXPECT_EQ(
        slots("30 * * * *", "Europe/Berlin", "2026-10-24T23:00:00Z", 4),
        (Texts{"2026-10-25T01:30", "2026-10-25T02:30", "2026-10-25T02:30", "2026-10-25T03:30"})
    );
    EXPECT_EQ(cron("0 0-23 * * *").any_hour, true);
}

TEST(NextSlot, NothingInSight) {
    // 2100 has no 29 February.
    EXPECT_FALSE(next_slot(cron("0 0 29 2 *"), zone("UTC"), at("2096-03-01T00:00:00Z")));
    EXPECT_FALSE(next_slot(cron("* * * * *"), zone("UTC"), Instant::max()));
    EXPECT_FALSE(next_slot(cron("* * * * *"), zone("UTC"), Instant::min()));
}

// Independent of the code under test: walks real minutes and watches the clock. See the reference
// of NextLocalTime.
bool fits(const Cron& cron, LocalTime time) {
    const auto day = std::chrono::floor<days>(time);
    const std::chrono::year_month_day date{day};
    const auto clock = time - day;
    if (!cron.minutes.test(static_cast<std::size_t>(clock / 1min % 60))) return false;
    if (!cron.hours.test(static_cast<std::size_t>(clock / 1h))) return false;
    if (!cron.months.test(static_cast<unsigned>(date.month()))) return false;
    const std::chrono::year_month_day next_day{day + days(1)};
    const bool by_day = cron.days.test(static_cast<unsigned>(date.day())) ||
                        (cron.last_day && next_day.day() == std::chrono::day(1));
    const bool by_weekday = cron.weekdays.test(std::chrono::weekday(day).c_encoding());
    return cron.any_day || cron.any_weekday ? by_day && by_weekday : by_day || by_weekday;
}

std::optional<Instant> reference(
    const Cron& cron, const TimeZone& zone, Instant after, Duration horizon
) {
    LocalTime highest = to_local(zone, after - 3h);
    for (Instant moment = after - 3h; moment <= after + horizon; moment += 1min) {
        const LocalTime time = to_local(zone, moment);
        if (cron.any_hour) {
            if (moment > after && fits(cron, time)) return moment;
            continue;
        }
        for (LocalTime due = highest + 1min; due <= time; due += 1min) {
            const auto day = std::chrono::floor<days>(due);
            const bool left_out = highest < day && time >= day + days(1);
            if (moment > after && !left_out && fits(cron, due)) return moment;
        }
        highest = std::max(highest, time);
    }
    return std::nullopt;
}

constexpr std::array<std::string_view, 7> zones_with_stories{
    "Europe/Berlin",
    "America/New_York",
    "Australia/Lord_Howe",
    "Asia/Kolkata",
    "Pacific/Apia",
    "America/Sao_Paulo",
    "Africa/Casablanca"};

constexpr std::array<std::string_view, 14> expressions{
    "* * * * *",
    "*/7 * * * *",
    "0 * * * *",
    "30 */2 * * *",
    "0 0 * * *",
    "30 2 * * *",
    "15,45 1-3 * * *",
    "10 0 * * *",
    "50 23 * * *",
    "0 12 L * *",
    "*/15 2 * * sun",
    "0 3 1,15 * fri",
    "5 1 */3 * mon-wed",
    "0 0-23 * * sat"};

TEST(NextSlot, AgreesWithAWatchedClockAroundEveryChange) {
    for (const std::string_view name : zones_with_stories) {
        const TimeZone here = zone(name);
        const Instant last = at("2037-12-31T00:00:00Z");
        for (Instant change = here.period_at(at("2008-01-01T00:00:00Z")).end; change < last;
             change = here.period_at(change).end) {
            for (const std::string_view text : expressions) {
                const Cron schedule = cron(text);
                for (const int offset : {-200, -31, 0, 25, 45}) {
                    const Instant after = change + std::chrono::minutes(offset);
                    const auto expected = reference(schedule, here, after, 50h);
                    const auto found = next_slot(schedule, here, after);
                    const bool later = found && *found > after + 50h;
                    ASSERT_EQ(later ? std::nullopt : found, expected)
                        << name << " '" << text << "' after " << to_rfc3339(after);
                }
            }
        }
    }
}

TEST(NextSlot, AgreesWithAWatchedClockAnywhere) {
    EXPECT_TRUE(rc::check([] {
        Cron schedule;
        schedule.minutes = std::bitset<60>(*rc::gen::arbitrary<std::uint64_t>());
        schedule.hours = std::bitset<24>(*rc::gen::arbitrary<std::uint32_t>());
        schedule.days = std::bitset<32>(*rc::gen::arbitrary<std::uint32_t>());
        schedule.months = std::bitset<13>(*rc::gen::arbitrary<std::uint16_t>());
        schedule.weekdays = Weekdays(*rc::gen::arbitrary<std::uint8_t>());
        schedule.last_day = *rc::gen::arbitrary<bool>();
        schedule.any_day = *rc::gen::arbitrary<bool>();
        schedule.any_weekday = *rc::gen::arbitrary<bool>();
        schedule.any_hour = *rc::gen::arbitrary<bool>();
        const TimeZone here = zone(*rc::gen::elementOf(zones_with_stories));
        const Instant after = at("1995-01-01T00:00:00Z") +
                              std::chrono::seconds(*rc::gen::inRange(0, 40 * 365 * 86400));
        // The reference steps by whole minutes.
        const Instant whole = std::chrono::floor<std::chrono::minutes>(after);
        const auto expected = reference(schedule, here, whole, 240h);
        const auto found = next_slot(schedule, here, whole);
        const bool later = found && *found > whole + 240h;
        RC_ASSERT((later ? std::nullopt : found) == expected);
    }));
}

}  // namespace
}  // namespace pawl
