#include "base/json.hpp"
#include "model/condition.hpp"

#include <gtest/gtest.h>

namespace pawl {
namespace {

json::value read(std::string_view text) {
    return parse_json(text).value();
}

TEST(Filter, WhatHangsOnAnUnknownNameIsNotKnown) {
    const json::value event = read(R"({"data": {"plan": "pro", "none": null}})");
    const auto known = [&](std::string_view text) {
        const auto condition = parse_condition(read(text));
        EXPECT_TRUE(condition) << text;
        const auto value =
            evaluate_known(*condition, [&](const Path& path) { return walk(&event, path); });
        return value ? (*value ? "true" : "false") : "unknown";
    };
    const std::string pro = R"({"path": "data.plan", "operator": "=", "value": "pro"})";
    const std::string free = R"({"path": "data.plan", "operator": "=", "value": "free"})";
    const std::string odd = R"({"path": "data.plam", "operator": "!=", "value": "free"})";
    EXPECT_STREQ(known(pro), "true");
    EXPECT_STREQ(known(free), "false");
    EXPECT_STREQ(known(odd), "unknown");
    EXPECT_STREQ(known(R"({"not": )" + odd + "}"), "unknown");
    EXPECT_STREQ(known(R"({"any": [)" + odd + "," + pro + "]}"), "true");
    EXPECT_STREQ(known(R"({"any": [)" + odd + "," + free + "]}"), "unknown");
    EXPECT_STREQ(known(R"({"all": [)" + odd + "," + free + "]}"), "false");
    EXPECT_STREQ(known(R"({"all": [)" + odd + "," + pro + "]}"), "unknown");
    EXPECT_STREQ(known(R"({"path": "data.plam", "operator": "not exists"})"), "true");
    EXPECT_STREQ(known(R"({"path": "data.none", "operator": "=", "value": null})"), "true");
}

}  // namespace
}  // namespace pawl
