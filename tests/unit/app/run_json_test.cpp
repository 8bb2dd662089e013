#include "app/views/run_json.hpp"

#include "base/fresh_id.hpp"

#include <gtest/gtest.h>

namespace pawl::app {
namespace {

using namespace std::chrono_literals;

// The id is dated by the clock of a process, the end by that of the database.
TEST(RunJson, ARunDoesNotEndBeforeItBegan) {
    store::RunSummary run;
    run.id = RunId{fresh_id()};
    const Instant created(std::chrono::milliseconds(unix_ms_of(run.id.uuid)));
    run.closed_at = created - 5ms;
    EXPECT_EQ(to_json(run).at("closed_at"), to_json(run).at("created_at"));
    run.closed_at = created + 5ms;
    EXPECT_EQ(to_json(run).at("closed_at").as_string(), to_rfc3339(created + 5ms));
    run.closed_at = std::nullopt;
    EXPECT_TRUE(to_json(run).at("closed_at").is_null());
}

}  // namespace
}  // namespace pawl::app
