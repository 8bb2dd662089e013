#include "graph_run.hpp"

#include <map>

namespace pawl::plan {
namespace {

constexpr const char* halves = R"(
name: offers
nodes:
  - {id: choose, split: {variants: [{name: a, share: 75}, {name: b, share: 25}]}}
  - {id: first, code: f}
  - {id: second, code: f}
edges:
  - {from: choose, to: first, handle: a}
  - {from: choose, to: second, handle: b}
)";

std::string variant_of(const std::string& text, const std::string& subject) {
    const Definition definition = parsed(text);
    RunState state;
    Event started = run_started(1, 1, json::object(), subject, definition);
    evolve(definition, state, started);
    const auto events = decide(definition, state, Resumed{}, Moment{});
    return std::string(text_in(*find(events.at(0).data, "value"), "variant"));
}

TEST(Split, GivesASubjectTheSameVariantEachTime) {
    for (int i = 0; i < 50; ++i) {
        const std::string subject = std::to_string(i);
        EXPECT_EQ(variant_of(halves, subject), variant_of(halves, subject));
    }
}

TEST(Split, KeepsToTheShares) {
    std::map<std::string, int> seen;
    for (int i = 0; i < 4000; ++i) ++seen[variant_of(halves, "person-" + std::to_string(i))];
    // Four standard deviations of 4,000 draws around 3,000.
    EXPECT_NEAR(seen["a"], 3000, 110);
    EXPECT_EQ(seen["a"] + seen["b"], 4000);
}

TEST(Split, DrawsAnewAtAnotherNode) {
    std::string other = halves;
    for (std::size_t at = other.find("choose"); at != other.npos;
         at = other.find("choose", at + 1)) {
        other.replace(at, 6, "another");
    }
    int same = 0;
    for (int i = 0; i < 400; ++i) {
        same += variant_of(halves, std::to_string(i)) == variant_of(other, std::to_string(i));
    }
    // Independent draws agree in 62.5 % of the cases.
    EXPECT_NEAR(same, 250, 40);
}

constexpr const char* held = R"(
name: offers
holdout: 20
exit_on: [{event: left}]
nodes:
  - {id: first, code: f}
  - {id: second, code: f}
edges:
  - {from: first, to: second}
)";

// By which handle the first node was left at once; empty: it was not.
std::string left_by(const std::string& text, const std::string& subject) {
    const Definition definition = parsed(text);
    RunState state;
    evolve(definition, state, run_started(1, 1, json::object(), subject, definition));
    const auto events = decide(definition, state, Resumed{}, Moment{});
    for (const Event& event : events) {
        if (event.type == EventType::node_passed && event.node == "first") {
            EXPECT_EQ(events.size(), 2U);
            EXPECT_EQ(state.status, RunStatus::completed);
            EXPECT_EQ(events.back().data, (json::value{{"outcome", "holdout"}}));
            return std::string(text_in(event.data, "handle"));
        }
    }
    return "";
}

TEST(Holdout, TakesItsShareAndAlwaysTheSameOnes) {
    int out = 0;
    for (int i = 0; i < 2000; ++i) {
        const std::string subject = "person-" + std::to_string(i);
        const std::string handle = left_by(held, subject);
        EXPECT_EQ(left_by(held, subject), handle);
        out += handle == "holdout";
    }
    // Four standard deviations of 2,000 draws around 400.
    EXPECT_NEAR(out, 400, 72);
    EXPECT_EQ(left_by(held, ""), "");
}

constexpr const char* welcome = R"(
name: welcome
nodes:
  - id: hello
    message: {channel: sms, text: "Hi {{ user.first_name }}, {{ trigger.points }} points"}
  - {id: thanks, code: f}
  - {id: lost, code: f}
  - {id: broken, code: f}
edges:
  - {from: hello, to: thanks}
  - {from: hello, to: lost, handle: skipped}
  - {from: hello, to: broken, handle: failed}
)";

TEST(Message, LeavesByDefaultWhenItWasSent) {
    GraphRun run(welcome, json::object{{"points", 3}});
    run.complete("hello", json::object{{"state", "sent"}, {"message", "m"}});
    EXPECT_EQ(run.wanted(), "thanks");
}

TEST(Message, LeavesBySkippedWhenItWasNotSent) {
    GraphRun run(welcome, json::object{{"points", 3}});
    run.complete("hello", json::object{{"state", "skipped"}, {"reason", "no_address"}});
    EXPECT_EQ(run.wanted(), "lost");
}

TEST(Message, LeavesByFailedWhenTheProviderRefusesIt) {
    GraphRun run(welcome, json::object{{"points", 3}});
    run.fail("hello", "refused");
    EXPECT_EQ(run.wanted(), "broken");
}

TEST(Message, OfARehearsalKnowsThePerson) {
    const Definition definition = parsed(welcome);
    RunState state;
    evolve(definition, state, run_started(1, 1, json::object{{"points", 3}}, "ann", definition));
    state.person = json::object{{"first_name", "Ann"}};
    const auto config = render_config(definition, state, 0);
    ASSERT_TRUE(config);
    EXPECT_EQ((**config).at("text"), "Hi Ann, 3 points");
}

}  // namespace
}  // namespace pawl::plan
