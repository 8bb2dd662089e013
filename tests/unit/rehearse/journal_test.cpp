#include "rehearse/journal.hpp"

#include "base/json.hpp"
#include "rehearse/made_up.hpp"

#include <gtest/gtest.h>

namespace pawl::rehearse {
namespace {

namespace json = boost::json;

std::vector<Visit> play(const Definition& definition, const Mocks& mocks, json::value person) {
    Script script;
    script.person = std::move(person);
    TrialWorld world(mocks, script.person);
    return journal_of(definition, rehearse(definition, script, world));
}

TEST(Journal, AStepOfALoopIsSeenOnceForEachTurn) {
    const Definition definition = parse_definition(R"(
name: again
nodes:
  - {id: ask, http: {url: "https://a.example/"}}
  - {id: done, condition: {path: steps.ask.result.done, value: true}}
  - {id: rest, wait: 1h}
edges:
  - {from: ask, to: done}
  - {from: done, to: rest, handle: "false"}
  - {from: rest, to: ask}
)")
                                      .value();
    const auto answer = [](bool done) {
        Answer one;
        one.result = json::object{{"done", done}};
        return std::vector<Weighted>{{one, 1}};
    };
    const Mocks mocks{{"ask", {{answer(false), answer(true)}}}};
    const auto visits = play(definition, mocks, json::object());
    ASSERT_EQ(visits.size(), 5U);
    EXPECT_EQ(visits[0].result, json::value(json::object{{"done", false}}));
    EXPECT_EQ(visits[1].handle, "false");
    EXPECT_FALSE(visits[2].waits_for.is_null());
    EXPECT_EQ(visits[2].ended.value() - visits[2].at, std::chrono::hours(1));
    EXPECT_EQ(visits[3].result, json::value(json::object{{"done", true}}));
    EXPECT_EQ(visits[3].edge, 2U);
    EXPECT_EQ(visits[3].attempts, 1);
    EXPECT_TRUE(visits[3].config.has_value());
    EXPECT_EQ(visits[4].handle, "true");
}

TEST(Journal, SaysWhatWasSwitchedOff) {
    const Definition definition = parse_definition(
                                      "name: w\nsteps:\n- {name: a, wait: 1h, disabled: true}\n"
                                      "- {name: b, code: noop}"
    )
                                      .value();
    const auto visits = play(definition, {}, json::object());
    ASSERT_EQ(visits.size(), 2U);
    EXPECT_TRUE(visits[0].disabled);
    EXPECT_EQ(visits[0].ended, visits[0].at);
    EXPECT_EQ(visits[0].handle, "default");
    EXPECT_FALSE(visits[1].disabled);
}

TEST(Journal, BranchesAreKeptApart) {
    const Definition definition = parse_definition(R"(
name: both
nodes:
  - {id: fork, type: parallel}
  - {id: a, wait: 2h}
  - {id: b, wait: 1h}
  - {id: meet, type: join}
edges:
  - {from: fork, to: a}
  - {from: fork, to: b}
  - {from: a, to: meet}
  - {from: b, to: meet}
)")
                                      .value();
    const auto visits = play(definition, {}, nullptr);
    const auto at = [&](std::string_view id) {
        for (const Visit& visit : visits) {
            if (definition.nodes[visit.node].id == id) return visit;
        }
        return Visit{};
    };
    EXPECT_EQ(at("a").ended.value() - at("a").at, std::chrono::hours(2));
    EXPECT_EQ(at("b").ended.value() - at("b").at, std::chrono::hours(1));
    EXPECT_TRUE(at("meet").ended.has_value());
}

TEST(Journal, WhatIsMadeUpFollowsThePerson) {
    const Definition definition = parse_definition(R"(
name: said
nodes:
  - {id: sms, message: {channel: sms, text: Hi}}
  - {id: none, message: {channel: sms, text: No address}}
  - {id: loyal, condition: {query: {table: t, field: f, operator: exists}}}
edges:
  - {from: sms, to: loyal}
  - {from: sms, to: none, handle: skipped}
)")
                                      .value();
    const json::value reachable = json::object{{"addresses", json::object{{"sms", "+66"}}}};
    const auto sent = play(definition, {}, reachable);
    ASSERT_EQ(sent.size(), 2U);
    EXPECT_EQ(text_in(sent[0].result, "state"), "sent");
    EXPECT_EQ(definition.nodes[sent[1].node].id, "loyal");
    const auto skipped = play(definition, {}, json::object());
    EXPECT_EQ(skipped[0].handle, "skipped");
    EXPECT_EQ(text_in(skipped[0].result, "reason"), "no_address");
}

}  // namespace
}  // namespace pawl::rehearse
