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

}  // namespace
}  // namespace pawl::test
