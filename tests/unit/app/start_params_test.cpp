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

TEST(StartParams, WhatDoesNotFitIsNamedByPointer) {
    engine::Program program;
    program.definition = parse_definition(R"({"name":"w","steps":[{"name":"r","code":"f"}],
            "input_schema":{"properties":{"age":{"minimum":18}},"required":["name"]}})")
                             .value();
    const auto wrong = check_input(program, json::parse(R"({"age":1})"), "/runs/0/data");
    ASSERT_TRUE(wrong);
    EXPECT_EQ(wrong->message, "input.age: must be at least 18 (and 1 more)");
    EXPECT_EQ(reason_of(*wrong), "input_does_not_fit");
    ASSERT_EQ(wrong->context.size(), 3u);
    EXPECT_EQ(wrong->context[1].first, "/runs/0/data/age");
    EXPECT_EQ(wrong->context[1].second, "must be at least 18");
    EXPECT_EQ(wrong->context[2].first, "/runs/0/data/name");
}

}  // namespace
}  // namespace pawl::app
