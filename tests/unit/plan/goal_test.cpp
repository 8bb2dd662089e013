#include "graph_run.hpp"

namespace pawl::plan {
namespace {

constexpr const char* selling = R"(
name: selling
goal: {event: order.paid, within: 7d, exit: true, name: bought}
nodes:
  - {id: pause, wait: 30d}
  - {id: after, code: f}
edges: [{from: pause, to: after}]
)";

json::object event(std::string name, std::int64_t token) {
    return {
        {"id", "e1"},
        {"name", name},
        {"key", "someone"},
        {"data", {{"amount", 5}}},
        {"token", token}};
}

TEST(Goal, EndsTheRunWithItsReason) {
    GraphRun run(selling);
    ASSERT_TRUE(run.state.exit_watch);
    run.signal("event", event("order.paid", token_of_run));
    EXPECT_EQ(
        run.status(), R"(completed {"exited_by":"order.paid","reason":"goal","goal":"bought"})"
    );
}

TEST(Goal, ThatDoesNotExitWatchesNothing) {
    std::string text = selling;
    text.replace(text.find(", exit: true"), 12, "");
    GraphRun run(text);
    EXPECT_FALSE(run.state.exit_watch);
}

TEST(Goal, BesideExitOnBothEndTheRun) {
    std::string text = selling;
    text += "exit_on: [{event: gone}]\n";
    {
        GraphRun run(text);
        run.signal("event", event("gone", token_of_run));
        EXPECT_EQ(run.status(), R"(completed {"exited_by":"gone"})");
    }
    GraphRun run(text);
    run.signal("event", event("order.paid", token_of_run));
    EXPECT_NE(run.status().find("\"reason\":\"goal\""), std::string::npos);
}

// What a goal with a key or a filter hangs on is known at the start; the projector counts by it.
constexpr const char* particular = R"(
name: particular
goal:
  - {name: plain, event: order.paid}
  - name: much
    event: order.paid
    filter: {path: event.data.amount, operator: ">", value: "{{ input.least }}"}
  - {name: sent, event: order.shipped, key: "order-{{ input.order }}", within: 7d}
nodes: [{id: pause, wait: 30d}]
)";

TEST(Goal, ThatHangsOnMoreIsInTheLogAndEndsNothing) {
    GraphRun run(particular, {{"least", 100}, {"order", 17}});
    ASSERT_TRUE(run.state.exit_watch);
    EXPECT_TRUE(run.state.exit_watch->events.empty());
    const auto watch = std::find_if(run.log.begin(), run.log.end(), [](const Event& one) {
        return one.type == EventType::wait_started && one.node.empty();
    });
    ASSERT_NE(watch, run.log.end());
    EXPECT_EQ(
        json::serialize(watch->data.at("goals")),
        R"([{"handle":"much","event":"order.paid","key":"someone","filter":{"path":)"
        R"("event.data.amount","operator":">","value":100}},)"
        R"({"handle":"sent","event":"order.shipped","key":"order-17"}])"
    );
    run.signal("event", event("order.paid", token_of_run));
    EXPECT_EQ(run.status(), "running");
    run.pass_time(30 * 86'400);
    EXPECT_EQ(run.status().substr(0, 9), "completed");
}

TEST(Goal, ThatHangsOnMoreAndExitsDoesBoth) {
    std::string text = selling;
    text.replace(text.find("name: bought"), 12, "name: bought, key: someone");
    GraphRun run(text);
    EXPECT_EQ(run.state.exit_watch->events.size(), 1U);
    run.signal("event", event("order.paid", token_of_run));
    EXPECT_EQ(run.status().substr(0, 9), "completed");
}

constexpr const char* waiting = R"(
name: waiting
nodes:
  - {id: bought, goal: {event: order.paid, within: 2d}}
  - {id: thanks, code: f}
  - {id: lost, code: f}
edges:
  - {from: bought, to: thanks}
  - {from: bought, to: lost, handle: timeout}
)";

TEST(GoalNode, IsReachedWhenTheEventComes) {
    GraphRun run(waiting);
    run.signal("event", event("order.paid", 0));
    EXPECT_EQ(run.wanted(), "thanks");
}

TEST(GoalNode, LeavesByTimeoutWhenItDoesNot) {
    GraphRun run(waiting);
    EXPECT_EQ(run.wanted(), "");
    run.pass_time(2 * 86'400 + 1);
    EXPECT_EQ(run.wanted(), "lost");
}

// --- nodes of the planner that ask about the person ---

constexpr const char* local = R"(
name: local
nodes:
  - {id: morning, wait: {until: {local_time: "09:00"}}}
  - {id: tell, emit: {event: "greeted", data: {name: "{{ user.name }}"}}}
  - {id: which, switch: {cases: [{when: {path: user.tier, value: gold}, handle: gold}]}}
  - {id: ask, human: {title: "Call {{ user.name }}?"}}
  - {id: rest, code: f}
edges:
  - {from: morning, to: tell}
  - {from: tell, to: which}
  - {from: which, to: ask, handle: gold}
  - {from: which, to: rest}
)";

TEST(PersonOfThePlanner, IsReadBeforeTheNodeIsSettled) {
    GraphRun run(local);
    EXPECT_EQ(run.wanted(), "morning");
    // 1970-01-01T00:00Z is 09:00 in Tokyo: the next one is a day later.
    EXPECT_EQ(run.complete("morning", json::object{{"timezone", "Asia/Tokyo"}}), "wait_started");
    EXPECT_EQ(run.wanted(), "");
    EXPECT_EQ(to_rfc3339(run.token_at("morning")->until).substr(11, 5), "00:00");
    run.pass_time(86'400);
    EXPECT_EQ(run.wanted(), "tell");
    run.complete("tell", json::object{{"name", "Ann"}});
    EXPECT_EQ(run.wanted(), "which");
    run.complete("which", json::object{{"tier", "gold"}});
    EXPECT_EQ(run.wanted(), "ask");
    run.complete("ask", json::object{{"name", "Ann"}});
    EXPECT_EQ(run.wanted(), "");
    EXPECT_EQ(run.log.back().data.at("title"), "Call Ann?");
    EXPECT_TRUE(run.state.person.is_null()) << "it is not kept";
}

TEST(PersonOfThePlanner, WhoIsGoneIsTakenToBeInUtc) {
    GraphRun run(local);
    run.complete("morning", json::object());
    EXPECT_EQ(to_rfc3339(run.token_at("morning")->until).substr(11, 5), "09:00");
}

TEST(PersonOfThePlanner, AZoneThatIsNoneIsUtc) {
    GraphRun run(local);
    run.complete("morning", json::object{{"timezone", "Mars/Olympus"}});
    EXPECT_EQ(to_rfc3339(run.token_at("morning")->until).substr(11, 5), "09:00");
}

TEST(PersonOfThePlanner, AFieldThatIsMissingIsNullToASwitch) {
    GraphRun run(local);
    run.complete("morning", json::object());
    run.pass_time(86'400);
    run.complete("tell", json::object{{"name", "Ann"}});
    run.complete("which", json::object());
    EXPECT_EQ(run.wanted(), "rest");
}

TEST(PersonOfThePlanner, WhatCannotBeReadIsTriedAgain) {
    GraphRun run(local);
    run.fail("morning", "person", ErrorClass::retryable);
    EXPECT_EQ(run.wanted(), "");
    run.pass_time(10);
    EXPECT_EQ(run.wanted(), "morning");
}

}  // namespace
}  // namespace pawl::plan
