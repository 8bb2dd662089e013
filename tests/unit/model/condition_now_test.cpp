#include "base/json.hpp"
#include "model/condition.hpp"

#include <boost/json/object.hpp>
#include <gtest/gtest.h>

// Conditions that compare with the present moment.
namespace pawl {
namespace {

const json::value& context() {
    static const json::value value = json::object{
        {"input",
         {{"total", 120},
          {"name", "Ada"},
          {"none", nullptr},
          {"at", "2026-03-01T09:00:00+01:00"},
          {"day", "2026-03-01"}}}};
    return value;
}

bool holds_for(const json::value& condition) {
    const auto parsed = parse_condition(condition);
    return parsed && evaluate(*parsed, [](const Path& path) { return walk(&context(), path); });
}

TEST(Condition, NullHasWordsOfItsOwn) {
    const auto unary = [](std::string_view path, std::string_view op) {
        return holds_for({{"path", "input." + std::string(path)}, {"operator", op}});
    };
    EXPECT_TRUE(unary("none", "is_null"));
    EXPECT_TRUE(unary("nowhere", "is null"));
    EXPECT_FALSE(unary("total", "is_null"));
    EXPECT_TRUE(unary("total", "is_not_null"));
}

TEST(Condition, ComparesWithThePresentMoment) {
    const auto now = parse_rfc3339("2026-03-31T09:00:00Z").value();
    const auto at = [&](std::string_view path, std::string_view op, json::value duration) {
        auto parsed = parse_condition(json::object{
            {"path", "input." + std::string(path)}, {"operator", op}, {"value", duration}});
        EXPECT_TRUE(parsed);
        EXPECT_TRUE(asks_for_now(*parsed));
        const PathLookup lookup = [](const Path& path) { return walk(&context(), path); };
        EXPECT_FALSE(evaluate(*parsed, lookup)) << "without a moment it does not hold";
        fix_times(*parsed, now);
        EXPECT_FALSE(asks_for_now(*parsed));
        return evaluate(*parsed, lookup);
    };
    // 2026-03-01T08:00:00Z is 30 days and an hour ago.
    EXPECT_TRUE(at("at", "older_than", "30d"));
    EXPECT_FALSE(at("at", "older than", "31d"));
    EXPECT_FALSE(at("at", "within_last", "30d"));
    EXPECT_TRUE(at("at", "within last", "30d2h"));
    EXPECT_FALSE(at("day", "within_last", 60)) << "a number is seconds";
    EXPECT_TRUE(at("day", "older_than", "30d"));
    for (const char* path : {"none", "nowhere", "name", "total"}) {
        EXPECT_FALSE(at(path, "older_than", "1s")) << path;
        EXPECT_FALSE(at(path, "within_last", "1000d")) << path;
    }
}

TEST(Condition, ATimeThatIsStillToComeIsNotWithinTheLast) {
    auto parsed = parse_condition(json::object{
        {"path", "input.at"}, {"operator", "within_last"}, {"value", "9d"}});
    fix_times(*parsed, parse_rfc3339("2026-02-25T00:00:00Z").value());
    EXPECT_FALSE(evaluate(*parsed, [](const Path& path) { return walk(&context(), path); }));
}

TEST(Condition, AnAgeIsADuration) {
    const auto parsed = parse_condition(json::object{
        {"path", "input.at"}, {"operator", "older_than"}, {"value", "soon"}});
    ASSERT_FALSE(parsed);
    EXPECT_EQ(parsed.error().message, "value: must be a duration such as 30d for 'older than'");
}

}  // namespace
}  // namespace pawl
