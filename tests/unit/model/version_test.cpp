#include "model/definition.hpp"
#include "model/semantic_version.hpp"
#include "model/version_share.hpp"

#include <boost/json/parse.hpp>
#include <fmt/core.h>
#include <gtest/gtest.h>

#include <map>

namespace pawl {
namespace {

TEST(SemanticVersion, IsAsSemverHasIt) {
    for (const char* text :
         {"0.0.0", "1.2.3", "10.20.30", "1.0.0-alpha.1", "1.0.0-0.3.7", "1.0.0-x-y", "1.0.0+5.a"}) {
        EXPECT_TRUE(is_semantic_version(text)) << text;
    }
    for (const char* text :
         {"", "1", "1.2", "1.2.3.4", "01.2.3", "1.2.x", "1.2.3-", "1.2.3-01", "1.2.3+", "v1.2.3"}) {
        EXPECT_FALSE(is_semantic_version(text)) << text;
    }
    EXPECT_FALSE(is_semantic_version("1.2.3-" + std::string(100, 'a')));
}

TEST(DefinitionLabel, IsKeptAndANumberIsNotOne) {
    const std::string steps = "steps: [{id: a, type: code, function: f}]";
    const auto labelled = parse_definition("name: w\nversion: 1.2.0\n" + steps);
    ASSERT_TRUE(labelled) << labelled.error().message;
    EXPECT_EQ(labelled->label, "1.2.0");
    EXPECT_EQ(definition_from_json(to_json(*labelled)).value(), *labelled);
    EXPECT_EQ(parse_definition("name: w\nversion: 3\n" + steps).value().label, "");
    for (const char* wrong : {"1.2", "'1.2'", "latest", "[1]"}) {
        const auto refused =
            parse_definition(fmt::format("name: w\nversion: {}\n{}", wrong, steps));
        ASSERT_FALSE(refused) << wrong;
        EXPECT_NE(refused.error().message.find("semantic version"), std::string::npos);
    }
}

TEST(VersionShare, TheHeadGetsAllWithoutOtherVersions) {
    EXPECT_EQ(choose_version(4, {}, 7, "a subject"), 4);
    EXPECT_EQ(choose_version(4, {{5, 0}}, 7, "a subject"), 4);
    EXPECT_EQ(choose_version(4, {{5, share_of_all}}, 7, "a subject"), 5);
}

TEST(VersionShare, IsMetWithinOnePercentOver100000Starts) {
    const std::vector<VersionShare> shares{{2, 500}, {3, 2500}};
    std::map<std::int32_t, int> got;
    for (int i = 0; i < 100'000; ++i) {
        ++got[choose_version(1, shares, 7, fmt::format("customer-{}", i))];
    }
    EXPECT_NEAR(got[2], 5'000, 1'000);
    EXPECT_NEAR(got[3], 25'000, 1'000);
    EXPECT_NEAR(got[1], 70'000, 1'000);
}

TEST(VersionShare, IsStickyAlsoWhenItGrows) {
    for (int i = 0; i < 2'000; ++i) {
        const std::string key = fmt::format("customer-{}", i);
        const auto few = choose_version(1, {{2, 500}}, 7, key);
        EXPECT_EQ(few, choose_version(1, {{2, 500}}, 7, key));
        if (few == 2) EXPECT_EQ(choose_version(1, {{2, 5'000}}, 7, key), 2);
    }
}

// What SQL computes too: pawl.choose_version; tests/store/versions_test.cpp compares many.
TEST(VersionShare, HasAKnownPlace) {
    EXPECT_EQ(choose_version(1, {{3, 2'455}}, 7, "abc"), 1);
    EXPECT_EQ(choose_version(1, {{3, 2'456}}, 7, "abc"), 3);
}

TEST(VersionShare, IsReadInPercent) {
    const auto shares = shares_from_json(
        boost::json::parse(R"([{"version": 3, "share": 5.5}, {"version": 4, "share": 0}, 7])")
    );
    EXPECT_EQ(shares, (std::vector<VersionShare>{{3, 550}, {4, 0}}));
}

}  // namespace
}  // namespace pawl
