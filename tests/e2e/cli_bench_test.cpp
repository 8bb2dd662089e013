#include "base/json.hpp"
#include "cli_program.hpp"
#include "support/database.hpp"

#include <gtest/gtest.h>

namespace pawl::test {
namespace {

TEST(CliBench, DoesNotFillADatabaseWithoutBeingToldTo) {
    TestDatabase database;
    const auto refused = pawl({{"bench", "steps", "--database-url", database.url()}});
    EXPECT_EQ(refused.code, 2);
    EXPECT_NE(refused.err.find("--yes"), std::string::npos) << refused.err;
    EXPECT_EQ(database.session().value("select count(*)::text from pawl.workflow"), "0");
}

TEST(CliBench, MeasuresWithTwoProcesses) {
    TestDatabase database;
    const auto done =
        pawl({{"bench", "latency", "--json", "--yes", "--database-url", database.url()}});
    ASSERT_EQ(done.code, 0) << done.err;
    const auto report = parse_json(done.out);
    ASSERT_TRUE(report) << done.out;
    EXPECT_NE(find(*report, "two_processes_ms"), nullptr) << done.out;
}

std::int64_t number_of(const json::value& report, std::string_view name) {
    const json::value* found = find(report, name);
    return found == nullptr ? -1 : found->to_number<std::int64_t>();
}

TEST(CliBench, CountsEachPersonOfTheJourneyOnce) {
    TestDatabase database;
    const auto done = pawl(
        {{"bench",
          "journey",
          "--people",
          "300",
          "--json",
          "--yes",
          "--database-url",
          database.url()}}
    );
    ASSERT_EQ(done.code, 0) << done.err;
    const auto report = parse_json(done.out).value();
    for (const char* name : {"sent", "provider_got", "opened", "funnel_sent", "funnel_opened"}) {
        EXPECT_EQ(number_of(report, name), 300) << name << done.out;
    }
    EXPECT_EQ(number_of(report, "hooks_taken"), 600) << done.out;
    EXPECT_EQ(number_of(report, "hooks_refused"), 0) << done.out;
}

TEST(CliBench, FindsAnEventForEachRowThatIsWanted) {
    TestDatabase database;
    const auto done = pawl(
        {{"bench", "watch", "--rows", "1000", "--json", "--yes", "--database-url", database.url()}}
    );
    ASSERT_EQ(done.code, 0) << done.err;
    const auto report = parse_json(done.out).value();
    EXPECT_EQ(number_of(report, "wanted_rows"), 5 * 1050) << done.out;
    EXPECT_EQ(number_of(report, "wanted_events"), 5 * 1050) << done.out;
    EXPECT_EQ(number_of(report, "other_events"), 0) << done.out;
    EXPECT_EQ(number_of(report, "rows_left"), 0) << done.out;
}

}  // namespace
}  // namespace pawl::test
