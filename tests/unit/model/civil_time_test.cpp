#include "model/civil_time.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <cstdlib>
#include <ctime>

namespace pawl {
namespace {

using namespace std::chrono_literals;
using std::chrono::days;
using std::chrono::local_days;

TimeZone zone(std::string_view name) {
    return parse_time_zone(name).value();
}
Instant at(std::string_view text) {
    const auto parsed = parse_rfc3339(text);
    EXPECT_TRUE(parsed) << text;
    return parsed.value_or(Instant{});
}

constexpr std::array<std::string_view, 7> zones_with_stories{
    "Europe/Berlin",        // an hour, at night
    "America/New_York",     //
    "Australia/Lord_Howe",  // half an hour
    "Asia/Kolkata",         // no change, half an hour off
    "Pacific/Apia",         // left out 30 December 2011
    "America/Sao_Paulo",    // at midnight, until 2019
    "Africa/Casablanca"};   // twice more around Ramadan

// Every moment at which the zone's clocks were changed, from 1990 to 2037.
std::vector<Instant> changes(const TimeZone& zone) {
    std::vector<Instant> found;
    const Instant last = at("2037-12-31T00:00:00Z");
    for (Instant moment = zone.period_at(at("1990-01-01T00:00:00Z")).end; moment < last;
         moment = zone.period_at(moment).end) {
        found.push_back(moment);
    }
    return found;
}

TEST(TimeZone, NamesAndSuggestions) {
    EXPECT_EQ(zone("Europe/Berlin").name(), "Europe/Berlin");
    EXPECT_EQ(zone("UTC").name(), "UTC");
    EXPECT_EQ(zone("UTC"), TimeZone());
    EXPECT_EQ(zone("Asia/Kolkata").period_at(at("2026-01-01T00:00:00Z")).offset, 330min);
    const std::vector<std::pair<std::string_view, std::string_view>> cases{
        {"Europe/Berln", "'Europe/Berln' is not a time zone, did you mean 'Europe/Berlin'?"},
        {"berlin", "'berlin' is not a time zone, did you mean 'Europe/Berlin'?"},
        {"New York", "'New York' is not a time zone, did you mean 'America/New_York'?"},
        {"utc", "'utc' is not a time zone, did you mean 'UTC'?"},
        {"Mars/Olympus_Mons_Base",
         "'Mars/Olympus_Mons_Base' is not a time zone: write a name such as Europe/Berlin or UTC"},
        {"", "'' is not a time zone: write a name such as Europe/Berlin or UTC"},
    };
    for (const auto& [name, message] : cases) {
        const auto parsed = parse_time_zone(name);
        ASSERT_FALSE(parsed) << name;
        EXPECT_EQ(parsed.error().message, message);
    }
    EXPECT_FALSE(parse_time_zone("../../etc/passwd"));
    EXPECT_FALSE(parse_time_zone("localtime"));
}

// The C library reads the same files with code of its own.
TEST(TimeZone, AgreesWithTheCLibrary) {
    for (const std::string_view name : zones_with_stories) {
        ::setenv("TZ", std::string(name).c_str(), 1);
        ::tzset();
        const TimeZone here = zone(name);
        for (Instant moment = at("1991-01-01T00:07:00Z"); moment < at("2036-01-01T00:00:00Z");
             moment += 5h + 11min) {
            const std::time_t seconds = moment.time_since_epoch() / 1s;
            std::tm parts{};
            ::localtime_r(&seconds, &parts);
            ASSERT_EQ(parts.tm_gmtoff, here.period_at(moment).offset.count())
                << name << " " << to_rfc3339(moment);
        }
    }
    ::unsetenv("TZ");
    ::tzset();
}

TEST(CivilParsing, TimesOfDay) {
    EXPECT_EQ(parse_time_of_day("09:00").value(), TimeOfDay(9h));
    EXPECT_EQ(parse_time_of_day("9:05").value(), TimeOfDay(9h + 5min));
    EXPECT_EQ(parse_time_of_day("00:00").value(), TimeOfDay(0h));
    EXPECT_EQ(parse_time_of_day("23:59").value(), TimeOfDay(24h - 1min));
    for (std::string_view text :
         {"", "9", "24:00", "9:5", "09:60", "9am", "-1:00", "+1:00", "009:00", "09:00:00", ":00"}) {
        EXPECT_FALSE(parse_time_of_day(text)) << text;
    }
    EXPECT_EQ(
        parse_time_of_day("9am").error().message,
        "'9am' is not a time of day: write it like \"09:00\" or \"17:30\""
    );
}

TEST(CivilParsing, Weekdays) {
    EXPECT_EQ(parse_weekdays({"mon", "Friday", "SUN"}).value(), Weekdays(0b010'0011));
    EXPECT_EQ(
        parse_weekdays({"mo"}).error().message,
        "'mo' is not a weekday: use mon, tue, wed, thu, fri, sat, sun"
    );
    EXPECT_FALSE(parse_weekdays({}));
    EXPECT_FALSE(parse_weekdays({"mond"}));
}

TEST(CivilParsing, Offsets) {
    const auto offset = [](std::string_view text) { return parse_civil_offset(text).value(); };
    EXPECT_EQ(offset("-3d"), (CivilOffset{days(-3), 0h}));
    EXPECT_EQ(offset("+2w"), (CivilOffset{days(14), 0h}));
    EXPECT_EQ(offset("1d12h"), (CivilOffset{days(1), 12h}));
    EXPECT_EQ(offset("-1w2d30m"), (CivilOffset{days(-9), -30min}));
    EXPECT_EQ(offset("90m"), (CivilOffset{days(0), 90min}));
    EXPECT_EQ(offset("0d"), CivilOffset{});
    for (std::string_view text :
         {"", "-", "d", "3 days", "1.5d", "--3d", "3d-2h", "12h1d", "999999d", "3x", "1e5d"}) {
        EXPECT_FALSE(parse_civil_offset(text)) << text;
    }
}

TEST(ParseTime, MomentsAndDates) {
    EXPECT_EQ(parse_time("2026-03-01"), at("2026-03-01T00:00:00Z"));
    EXPECT_EQ(parse_time("2026-03-01T01:00:00+01:00"), at("2026-03-01T00:00:00Z"));
    for (std::string_view text : {"", "2026-02-30", "2026-3-1", "20260301", "2026-03-01T09:00"}) {
        EXPECT_FALSE(parse_time(text)) << text;
    }
}

TEST(NextLocalTime, Plain) {
    const LocalWindow window{9h, every_day, zone("Europe/Berlin")};
    const auto next = [&](std::string_view now) {
        return to_rfc3339(next_local_time(at(now), window).value());
    };
    EXPECT_EQ(next("2026-01-10T07:59:59Z"), "2026-01-10T08:00:00.000000Z");
    EXPECT_EQ(next("2026-01-10T08:00:00Z"), "2026-01-10T08:00:00.000000Z") << "now counts";
    EXPECT_EQ(next("2026-01-10T08:00:01Z"), "2026-01-11T08:00:00.000000Z");
    EXPECT_EQ(next("2026-03-28T08:00:01Z"), "2026-03-29T07:00:00.000000Z") << "summer time";
}

TEST(NextLocalTime, Weekdays) {
    LocalWindow window{9h, parse_weekdays({"mon"}).value(), zone("America/New_York")};
    // 2026-01-12 is a Monday; 14:00Z is 09:00 there.
    EXPECT_EQ(
        next_local_time(at("2026-01-12T14:00:01Z"), window).value(), at("2026-01-19T14:00:00Z")
    );
    window.weekdays.reset();
    EXPECT_FALSE(next_local_time(at("2026-01-12T14:00:01Z"), window));
    window.weekdays = every_day;
    EXPECT_FALSE(next_local_time(Instant::max(), window));
    EXPECT_FALSE(next_local_time(Instant::min(), window));
}

TEST(NextLocalTime, GapsAndFolds) {
    LocalWindow window{2h + 30min, every_day, zone("Europe/Berlin")};
    // 02:30 does not exist on 29 March 2026: the clock goes on from 02:00 at 03:00.
    EXPECT_EQ(
        next_local_time(at("2026-03-29T00:00:00Z"), window).value(), at("2026-03-29T01:00:00Z")
    );
    // It occurs at 00:30Z and 01:30Z on 25 October: the first counts.
    EXPECT_EQ(
        next_local_time(at("2026-10-25T00:00:00Z"), window).value(), at("2026-10-25T00:30:00Z")
    );
    EXPECT_EQ(
        next_local_time(at("2026-10-25T00:30:01Z"), window).value(), at("2026-10-26T01:30:00Z")
    );
    window.zone = zone("Australia/Lord_Howe");
    window.time = 2h + 10min;
    EXPECT_EQ(
        next_local_time(at("2026-10-03T12:00:00Z"), window).value(), at("2026-10-03T15:30:00Z")
    );
}

TEST(NextLocalTime, TheDayThatSamoaLeftOut) {
    LocalWindow window{9h, every_day, zone("Pacific/Apia")};
    // After 29 December 23:59 (UTC-10) came 31 December 00:00 (UTC+14).
    EXPECT_EQ(
        next_local_time(at("2011-12-29T20:00:00Z"), window).value(), at("2011-12-30T19:00:00Z")
    );
    window.weekdays = parse_weekdays({"fri"}).value();
    EXPECT_EQ(
        next_local_time(at("2011-12-29T20:00:00Z"), window).value(), at("2012-01-05T19:00:00Z")
    );
    EXPECT_FALSE(has_day(window.zone, local_days(std::chrono::year(2011) / 12 / 30)));
    EXPECT_TRUE(has_day(window.zone, local_days(std::chrono::year(2011) / 12 / 31)));
}

// Independent of the code under test: walks real minutes and watches the clock on the wall. The
// answer is the first minute that shows the time for the first time, or a change that jumps over
// it.
Instant reference(Instant now, const LocalWindow& window) {
    const auto wall = [&](Instant moment) { return to_local(window.zone, moment); };
    const auto wanted = [&](LocalTime time) {
        const auto day = std::chrono::floor<days>(time);
        return time - day == window.time &&
               window.weekdays.test(std::chrono::weekday(day).c_encoding());
    };
    LocalTime highest = wall(now - 3h);
    for (Instant moment = now - 3h;; moment += 1min) {
        const LocalTime time = wall(moment);
        if (time <= highest) continue;
        // All clock times from the last one seen to this one come due now. A whole day without a
        // single minute of its own does not.
        for (LocalTime due = highest + 1min; due <= time; due += 1min) {
            if (!wanted(due) || moment < now) continue;
            const auto day = std::chrono::floor<days>(due);
            const bool left_out = highest < day && time >= day + days(1);
            if (!left_out) return moment;
        }
        highest = time;
    }
}

TEST(NextLocalTime, AgreesWithAWatchedClockAroundEveryChange) {
    for (const std::string_view name : zones_with_stories) {
        const TimeZone here = zone(name);
        for (const Instant change : changes(here)) {
            for (const int offset : {-1500, -1440, -90, -31, -1, 0, 1, 29, 61, 700}) {
                const Instant now = change + std::chrono::minutes(offset);
                const LocalTime about = to_local(here, change - 1min);
                const auto clock = about - std::chrono::floor<days>(about);
                const auto time = std::chrono::floor<std::chrono::minutes>(
                    (clock + std::chrono::minutes(offset * 7 + 1440 * 20)) % 24h
                );
                const LocalWindow window{time, every_day, here};
                ASSERT_EQ(next_local_time(now, window).value(), reference(now, window))
                    << name << " " << to_rfc3339(now) << " " << time.count();
            }
        }
    }
}

TEST(NextLocalTime, AgreesWithAWatchedClockAnywhere) {
    EXPECT_TRUE(rc::check([] {
        const TimeZone here = zone(*rc::gen::elementOf(zones_with_stories));
        const Instant now = at("1995-01-01T00:00:00Z") +
                            std::chrono::minutes(*rc::gen::inRange(0, 40 * 365 * 1440));
        const TimeOfDay time(*rc::gen::inRange(0, 1440));
        const Weekdays allowed(*rc::gen::inRange(1U, 128U));
        const LocalWindow window{time, allowed, here};
        RC_ASSERT(next_local_time(now, window).value() == reference(now, window));
    }));
}

PropertyDate property(std::string_view value, std::string_view offset, std::string_view name) {
    return {value, parse_civil_offset(offset).value(), std::nullopt, zone(name)};
}

TEST(PropertyDateTest, DatesAndOffsets) {
    const auto moment = [](const PropertyDate& date) { return property_date(date).value(); };
    auto date = property("2026-03-01", "0d", "Europe/Berlin");
    EXPECT_EQ(moment(date), at("2026-02-28T23:00:00Z"));
    date.time = 9h;
    EXPECT_EQ(moment(date), at("2026-03-01T08:00:00Z"));
    date.offset = {days(-3), 0h};
    EXPECT_EQ(moment(date), at("2026-02-26T08:00:00Z"));
    EXPECT_EQ(
        moment(property("2026-03-01T09:00", "-3d", "Europe/Berlin")), at("2026-02-26T08:00:00Z")
    );
    EXPECT_EQ(moment(property("2026-03-01 09:00:30", "0d", "UTC")), at("2026-03-01T09:00:30Z"));
    EXPECT_EQ(
        moment(property("2026-03-01T09:00:00+05:00", "12h", "Europe/Berlin")),
        at("2026-03-01T16:00:00Z")
    );
}

TEST(PropertyDateTest, DaysAreOfTheCalendar) {
    // Over the change of 29 March: 47 hours, and the clock still shows nine.
    EXPECT_EQ(
        property_date(property("2026-03-28T08:00:00Z", "2d", "Europe/Berlin")).value(),
        at("2026-03-30T07:00:00Z")
    );
    EXPECT_EQ(
        property_date(property("2026-03-28T08:00:00Z", "48h", "Europe/Berlin")).value(),
        at("2026-03-30T08:00:00Z")
    );
    // 02:30 on the 29th does not exist; the day that Apia left out ends where the next begins.
    EXPECT_EQ(
        property_date(property("2026-03-28T02:30", "1d", "Europe/Berlin")).value(),
        at("2026-03-29T01:00:00Z")
    );
    EXPECT_EQ(
        property_date(property("2011-12-30", "0d", "Pacific/Apia")).value(),
        at("2011-12-30T10:00:00Z")
    );
    // A moment stays what it is, also the second 02:30 of a night.
    EXPECT_EQ(
        property_date(property("2026-10-25T01:30:00Z", "0d", "Europe/Berlin")).value(),
        at("2026-10-25T01:30:00Z")
    );
}

TEST(PropertyDateTest, ClockTimeStaysOverAnyNumberOfDays) {
    EXPECT_TRUE(rc::check([] {
        const TimeZone here = zone(*rc::gen::elementOf(zones_with_stories));
        const Instant start = at("1995-01-01T00:00:00Z") +
                              std::chrono::minutes(*rc::gen::inRange(0, 30 * 365 * 1440));
        const CivilOffset offset{days(*rc::gen::inRange(-800, 800)), 0h};
        const std::string text = to_rfc3339(start);
        const Instant moved = property_date({text, offset, std::nullopt, here}).value();
        const LocalTime expected = to_local(here, start) + offset.days;
        const LocalTime shown = to_local(here, moved);
        if (shown == expected || offset.days == days(0)) {
            RC_ASSERT(offset.days == days(0) || to_instant(here, expected) == moved);
        } else {
            // Only a gap moves the clock time, and then to its end.
            RC_ASSERT(shown > expected);
            RC_ASSERT(here.period_at(moved).begin == moved);
        }
    }));
}

TEST(PropertyDateTest, Refuses) {
    for (std::string_view text :
         {"",
          "soon",
          "2026-02-30",
          "2026-3-1",
          "2026-03-01T25:00",
          "2026-03-01T09",
          "2026-03-01X09:00"}) {
        const auto moment = property_date({text, {}, std::nullopt, {}});
        ASSERT_FALSE(moment) << text;
        EXPECT_NE(moment.error().message.find("is not a date"), std::string::npos);
    }
    EXPECT_FALSE(property_date({"0001-01-01T00:00:00Z", {}, std::nullopt, {}}));
    EXPECT_FALSE(property_date({"9999-01-01", {}, std::nullopt, {}}));
}

}  // namespace
}  // namespace pawl
