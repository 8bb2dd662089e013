#include "base/canonical_json.hpp"

#include <gtest/gtest.h>

namespace pawl {
namespace {

std::string canonical(std::string_view text) {
    return canonical_json(parse_json(text).value());
}

// As jsonb has them: what is read again from the log of a run gives the same bytes.
TEST(CanonicalJson, KeysComeInTheOrderOfJsonb) {
    EXPECT_EQ(
        canonical(R"({"total": 2, "id": 1, "b": {"zz": 1, "y": 2}, "a": [{"long": 1, "k": 2}]})"),
        R"({"a":[{"k":2,"long":1}],"b":{"y":2,"zz":1},"id":1,"total":2})"
    );
}

TEST(CanonicalJson, WholeNumbersAreWrittenAsSuch) {
    EXPECT_EQ(canonical("[1.0, 1e2, 1e18, -0.0, 99.95]"), "[1,100,1000000000000000000,0,99.95]");
    EXPECT_EQ(canonical("[1e19, 1E25]"), canonical("[10000000000000000000, 1e25]"));
}

TEST(CanonicalJson, WhatIsEmptyStaysThere) {
    EXPECT_EQ(canonical(R"({"a": {}, "b": [], "c": null})"), R"({"a":{},"b":[],"c":null})");
}

}  // namespace
}  // namespace pawl
