#include "app/numbers/funnel.hpp"

#include "app/views/funnel_json.hpp"

#include <gtest/gtest.h>

namespace pawl::app {
namespace {

Definition journey() {
    return parse_definition(R"(
name: journey
nodes:
  - {id: came, type: trigger}
  - {id: ab, split: {variants: [{name: a, share: 1}, {name: b, share: 1}]}}
  - {id: mail, message: {channel: email, subject: S, text: T}}
  - {id: later, wait: 1d}
  - {id: text, message: {channel: sms, text: T}}
edges:
  - {from: came, to: ab}
  - {from: ab, to: mail, handle: a}
  - {from: ab, to: later, handle: b}
  - {from: mail, to: later}
  - {from: later, to: text}
)")
        .value();
}

TEST(FunnelNumbers, EdgesCountWhatLeftByTheirHandle) {
    const auto group = group_numbers(
        journey(),
        "",
        {{"", "", "entered", "", 10},
         {"", "came", "passed", "default", 10},
         {"", "ab", "passed", "a", 6},
         {"", "ab", "passed", "b", 4},
         {"", "mail", "passed", "default", 3},
         {"", "mail", "passed", "skipped", 2},
         {"", "mail", "sent", "", 3},
         {"", "mail", "skipped", "no_address", 2},
         {"", "later", "waiting", "time", 9}}
    );
    ASSERT_EQ(group.edges.size(), 5U);
    EXPECT_EQ(group.edges[0].count, 10);
    EXPECT_EQ(group.edges[1].count, 6);
    EXPECT_EQ(group.edges[2].count, 4);
    // Those that were skipped go on as well.
    EXPECT_EQ(group.edges[3].count, 5);
    EXPECT_EQ(group.edges[4].count, 0);
    EXPECT_EQ(group.nodes[0].entered, 10);
    EXPECT_EQ(group.nodes[3].entered, 9);
    EXPECT_EQ(group.nodes[3].tally.sum("waiting"), 9);
    EXPECT_EQ(group.steps.sum("sent"), 3);
}

TEST(FunnelNumbers, NodesOfOtherVersionsComeLast) {
    const auto group = group_numbers(journey(), "", {{"", "old", "passed", "default", 7}});
    ASSERT_EQ(group.nodes.size(), 6U);
    EXPECT_EQ(group.nodes[5].node, "old");
    EXPECT_TRUE(group.nodes[5].type.empty());
}

TEST(FunnelNumbers, VariantsAreComparedByTheirSplit) {
    const Definition definition = journey();
    std::vector<GroupNumbers> groups;
    groups.push_back(group_numbers(
        definition, "ab:a", {{"", "ab", "passed", "a", 2000}, {"", "", "converted", "paid", 242}}
    ));
    groups.push_back(group_numbers(
        definition, "ab:b", {{"", "ab", "passed", "b", 2000}, {"", "", "converted", "paid", 160}}
    ));
    const auto all = compare_variants(definition, groups, "converted");
    ASSERT_EQ(all.size(), 1U);
    EXPECT_EQ(all[0].verdict.leader, "a");
    EXPECT_EQ(compare_variants(definition, groups, "opened")[0].verdict.text, "too early to say");
}

TEST(FunnelNumbers, CsvIsNoFormula) {
    EXPECT_EQ(
        csv_line({"=1+1", "a,b", "say \"x\"", "-2", "plain"}),
        "'=1+1,\"a,b\",\"say \"\"x\"\"\",'-2,plain\r\n"
    );
    EXPECT_EQ(csv_line({"@SUM(A1)", "+3", "\tx", "a\nb"}), "'@SUM(A1),'+3,'\tx,\"a\nb\"\r\n");
    EXPECT_EQ(csv_line({""}), "\r\n");
}

}  // namespace
}  // namespace pawl::app
