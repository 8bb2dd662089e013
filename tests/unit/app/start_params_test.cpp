#include "app/runs/start_params.hpp"

#include "app/refusal.hpp"

#include <boost/json/parse.hpp>
#include <gtest/gtest.h>

namespace pawl::app {
namespace {

TEST(StartParams, MissingInputIsNamedByPointer) {
    engine::Program program;
    program.definition = parse_definition(R"({"name":"w","required_fields":["a"],
            "steps":[{"name":"r","function":"f"},
            {"name":"s","function":"f","payload":{"x":"{{b.c}}","y":"{{step_0_result.z}}"}}]})")
                             .value();
    const auto missing = check_input(program, json::object());
    ASSERT_TRUE(missing);
    EXPECT_EQ(missing->message, "Missing required fields: a");
    EXPECT_EQ(reason_of(*missing), "missing_input");
    ASSERT_EQ(missing->context.size(), 3u);
    EXPECT_EQ(missing->context[1].first, "/data/a");
    EXPECT_EQ(missing->context[2].first, "/data/b/c");
    EXPECT_FALSE(check_input(program, json::parse(R"({"a":1,"b":{"c":2}})")));
}

}  // namespace
}  // namespace pawl::app
