#include "model/definition_diff.hpp"

#include "base/json.hpp"

#include <boost/json/serialize.hpp>
#include <gtest/gtest.h>

namespace pawl {
namespace {

Definition parsed(std::string_view text) {
    return parse_definition(text).value();
}

const std::string_view before = R"(name: x
timeout: 5m
nodes:
  - {id: a, type: code, config: {function: f, input: {list: [1, 2], deep: {x: 1}}}}
  - {id: b, type: wait, config: {duration: 1h}}
  - {id: c, type: code, config: {function: g}}
edges: [{from: a, to: b}, {from: b, to: c}]
)";

TEST(DefinitionDiff, TheSame) {
    EXPECT_TRUE(diff(parsed(before), parsed(before)).empty());
}

TEST(DefinitionDiff, EveryDifferenceByItsField) {
    const Definition after = parsed(R"(name: x
timeout: 10m
description: now with words
nodes:
  - {id: a, type: code, config: {function: f, input: {list: [1, 3], deep: {y: 1}}}, timeout: 3s}
  - {id: c, type: code, config: {function: g}, retry: {attempts: 2}}
  - {id: d, type: wait, config: {duration: 2h}}
edges: [{from: a, to: c}, {from: c, to: d}, {from: a, to: d, handle: error}]
)");
    const DefinitionDiff found = diff(parsed(before), after);
    const json::value json = to_json(found);
    EXPECT_EQ(
        json::serialize(json.at("settings")),
        R"([{"path":"timeout","before":"5m","after":"10m"},)"
        R"({"path":"description","after":"now with words"}])"
    );
    ASSERT_EQ(found.nodes_changed.size(), 2U);
    EXPECT_EQ(
        json::serialize(json.at("nodes").at("changed").at(0)),
        R"({"id":"a","fields":[{"path":"config.input.list[1]","before":2,"after":3},)"
        R"({"path":"config.input.deep.x","before":1},{"path":"config.input.deep.y","after":1},)"
        R"({"path":"timeout","after":"3s"}]})"
    );
    EXPECT_EQ(
        json::serialize(json.at("nodes").at("changed").at(1)),
        R"({"id":"c","fields":[{"path":"retry.attempts","before":5,"after":2}]})"
    );
    ASSERT_EQ(found.nodes_added.size(), 1U);
    EXPECT_EQ(found.nodes_added[0].at("id").as_string(), "d");
    ASSERT_EQ(found.nodes_removed.size(), 1U);
    EXPECT_EQ(found.nodes_removed[0].at("id").as_string(), "b");
    EXPECT_EQ(found.edges_removed.size(), 2U);
    EXPECT_EQ(found.edges_added.size(), 3U);
}

TEST(DefinitionDiff, AnotherEntry) {
    const DefinitionDiff found = diff(
        parsed("name: x\nsteps: [{name: a, code: f}, {name: b, code: g}]"),
        parsed("name: x\nsteps: [{name: b, code: g}, {name: a, code: f}]")
    );
    ASSERT_EQ(found.settings.size(), 1U);
    EXPECT_EQ(found.settings[0].path, "order of nodes");
    EXPECT_EQ(found.edges_added.size(), 1U);
    EXPECT_TRUE(found.nodes_changed.empty());
}

}  // namespace
}  // namespace pawl
