#include "rehearse/past.hpp"

#include "base/json.hpp"

#include <gtest/gtest.h>

namespace pawl::rehearse {
namespace {

namespace json = boost::json;

constexpr std::string_view text = R"(
name: thanks
reentry: while_none_open
triggers: [{event: order.paid}]
exit_on: [{event: left}]
nodes:
  - {id: paid, type: trigger}
  - {id: a_day, wait: 1d}
  - {id: thanks, message: {channel: sms, text: "Thank you"}}
edges:
  - {from: paid, to: a_day}
  - {from: a_day, to: thanks}
)";

Instant day(int number, int hour = 0) {
    return parse_rfc3339("2026-05-01T00:00:00Z").value() + std::chrono::hours(24 * number + hour);
}

json::value person(std::string_view zone = "UTC") {
    return json::object{{"timezone", zone}, {"addresses", json::object{{"sms", "+66"}}}};
}

TEST(Past, CountsWhoWouldHaveGotAMessageAndWhen) {
    const Definition definition = parse_definition(text).value();
    Past past(definition, day(10));
    past.start({day(0, 12), "ann", json::object()}, person());
    past.start({day(0, 23), "bob", json::object()}, person());
    past.start({day(1, 12), "cid", json::object()}, json::object());
    past.start({day(9, 12), "dan", json::object()}, person());
    EXPECT_EQ(past.entered(), 4U);
    EXPECT_EQ(past.people(), 4U);
    const PastMessages& thanks = past.messages().at("thanks");
    EXPECT_EQ(thanks.sent, 2U);
    EXPECT_EQ(thanks.at_night, 1U);
    EXPECT_EQ(thanks.skipped.at("no_address"), 1U);
    // The last one waits yet: only what would have happened by now counts.
    EXPECT_EQ(past.waits_at().at("a_day"), 1U);
    EXPECT_EQ(past.coverage().edges()[0], 4U);
    EXPECT_EQ(past.coverage().edges()[1], 3U);
}

TEST(Past, EventsOfThePersonEndRuns) {
    const Definition definition = parse_definition(text).value();
    Past past(definition, day(10));
    past.add({"left", "ann", day(0, 20), json::object()});
    past.add({"left", "bob", day(0, 10), json::object()});
    past.start({day(0, 12), "ann", json::object()}, person());
    past.start({day(0, 12), "bob", json::object()}, person());
    // Bob's came before he entered.
    EXPECT_EQ(past.messages().at("thanks").sent, 1U);
}

TEST(Past, PeopleWhoAreInsideDoNotEnterAgain) {
    const Definition definition = parse_definition(text).value();
    Past past(definition, day(10));
    past.start({day(0), "ann", json::object()}, person());
    past.start({day(0, 12), "ann", json::object()}, person());
    past.start({day(3), "ann", json::object()}, person());
    EXPECT_EQ(past.entered(), 2U);
    EXPECT_EQ(past.inside(), 1U);
    EXPECT_EQ(past.people(), 1U);
}

TEST(Past, NightIsThatOfThePerson) {
    EXPECT_FALSE(is_night(day(0, 12), person("UTC")));
    EXPECT_TRUE(is_night(day(0, 16), person("Asia/Bangkok")));  // 23:00 there
    EXPECT_FALSE(is_night(day(0, 2), person("Asia/Bangkok")));  // 09:00 there
    EXPECT_TRUE(is_night(day(0, 2), json::object{{"timezone", "no such place"}}));
}

}  // namespace
}  // namespace pawl::rehearse
