#include "plan/open_waits.hpp"
#include "retry.hpp"

#include <fmt/core.h>

namespace pawl::plan {
namespace {

constexpr std::string_view paid = R"(
name: x
nodes:
- {id: pay, type: wait, config: {event: order.paid, key: "{{ input.order }}", timeout: 1h}}
- {id: ship, code: {function: f, input: "{{ steps.pay.result.data.amount }}"}}
- {id: remind, code: f}
edges:
- {from: pay, to: ship}
- {from: pay, to: remind, handle: timeout}
)";

json::object event_mail(std::string_view name, std::string_view key, std::int64_t token = 0) {
    return {{"name", name}, {"key", key}, {"token", token}, {"data", {{"amount", 5}}}};
}

TEST(GraphWait, AnEventLetsTheRunGoOn) {
    GraphRun run(paid, {{"order", "17"}});
    EXPECT_EQ(run.wanted(), "");
    EXPECT_EQ(wants(run.state, at(0)).wake_at, at(3600));
    run.signal("event", event_mail("order.paid", "18"));
    EXPECT_EQ(run.wanted(), "");
    run.signal("event", event_mail("order.paid", "17"));
    EXPECT_EQ(run.wanted(), "ship");
}

TEST(GraphWait, AKeyThatIsANumberIsItsText) {
    GraphRun run(paid, {{"order", 17}});
    run.signal("event", event_mail("order.paid", "17"));
    EXPECT_EQ(run.wanted(), "ship");
    GraphRun any(
        "name: x\nexit_on: [{event: gone, key: '{{ id }}'}]\n"
        "steps: [{name: w, wait: {events: [{event: a, key: '{{ id }}'}, {event: b}]}}]",
        {{"id", 17}}
    );
    GraphRun same(
        "name: x\nsteps: [{name: w, wait: {events: [{event: a, key: '{{ id }}'}]}}]", {{"id", 17}}
    );
    same.signal("event", event_mail("a", "17"));
    EXPECT_EQ(same.status().substr(0, 9), "completed");
    any.signal("event", event_mail("gone", "17", token_of_run));
    EXPECT_EQ(any.status(), "completed {\"exited_by\":\"gone\"}");
}

TEST(GraphWait, WithoutItTheTimeoutDoes) {
    GraphRun run(paid, {{"order", "17"}});
    run.pass_time(3601);
    EXPECT_EQ(run.wanted(), "remind");
}

TEST(GraphWait, WithoutATimeoutEdgeTheStepFails) {
    GraphRun run(
        "name: x\nsteps: [{name: w, wait: {event: e, key: k, timeout: 10s}, retry: {attempts: 1}}]"
    );
    run.pass_time(11);
    EXPECT_EQ(run.status(), "failed timeout");
}

TEST(GraphWait, AWaitThatWasInVainIsTriedAgain) {
    GraphRun run(
        "name: x\nsteps: [{name: w, wait: {event: e, key: k, timeout: 10s}, "
        "retry: [{errors: [timeout], attempts: 3, base: 2s}]}]"
    );
    EXPECT_EQ(run.pass_time(10), "step_failed");
    EXPECT_EQ(run.wanted(), "");
    const auto again = wants(run.state, at(10)).wake_at;
    ASSERT_TRUE(again && *again > at(12) && *again < at(13));
    EXPECT_EQ(wants(run.state, at(20)).steps.size(), 0u) << "there is nothing to execute";
    EXPECT_EQ(run.pass_time(1), "");
    EXPECT_EQ(run.pass_time(2), "wait_started");
    EXPECT_EQ(wants(run.state, at(13)).wake_at, at(23));
    run.signal("event", event_mail("e", "k"));
    EXPECT_EQ(run.status().substr(0, 9), "completed");
}

TEST(GraphWait, ItIsInVainAfterAllItsAttempts) {
    GraphRun run(
        "name: x\nsteps: [{name: w, wait: {signal: s, timeout: 10s}, "
        "retry: [{errors: [timeout], attempts: 2, base: 1s}]}]"
    );
    EXPECT_EQ(run.pass_time(10), "step_failed");
    EXPECT_EQ(run.pass_time(5), "wait_started");
    EXPECT_EQ(run.pass_time(10), "step_failed run_failed");
    EXPECT_EQ(run.status(), "failed timeout");
}

TEST(GraphWait, APersonIsAskedAgain) {
    GraphRun run(
        "name: x\nsteps: [{name: ask, human: {title: t, due: 10s}, "
        "retry: [{errors: [timeout, rejected], attempts: 3, base: 1s}]}]"
    );
    EXPECT_EQ(run.pass_time(10), "step_failed");
    EXPECT_TRUE(open_waits(run.definition, run.state).empty()) << "the task is closed";
    EXPECT_EQ(run.pass_time(2), "wait_started");
    EXPECT_EQ(wants(run.state, at(12)).wake_at, at(22));
    run.signal("task", {{"token", 0}, {"visit", 1}, {"decision", "rejected"}});
    EXPECT_EQ(run.status(), "running");
    EXPECT_TRUE(run.state.mailbox.empty());
    EXPECT_EQ(run.pass_time(5), "wait_started");
    run.signal("task", {{"token", 0}, {"visit", 1}, {"decision", "approved"}});
    EXPECT_EQ(run.status().substr(0, 9), "completed");
}

// As pawl.retry_runs makes it: a wait that was not over is left out.
TEST(GraphWait, ARetryOfTheRunWaitsAnew) {
    GraphRun old(
        "name: x\nsteps: [{name: a, code: f}, {name: w, wait: {signal: s, timeout: 10s}, "
        "retry: [{errors: [timeout], attempts: 2, base: 1s}]}]"
    );
    old.complete("a", 1);
    old.pass_time(10);
    old.pass_time(5);
    old.pass_time(10);
    ASSERT_EQ(old.status(), "failed timeout");
    Retry run(old.definition, old.log);
    EXPECT_EQ(names({run.log.back()}), "wait_started");
    EXPECT_EQ(run.log.back().attempt, 1);
    EXPECT_EQ(wants(run.state, at(0)).wake_at, at(10));
    run.signal("signal", {{"name", "s"}});
    EXPECT_EQ(run.status().substr(0, 9), "completed");
}

TEST(GraphWait, DeferredChoiceTakesTheHandleOfTheFirstEvent) {
    const std::string_view text = R"(
name: x
nodes:
- id: w
  wait:
    events: [{event: yes, key: k, handle: accepted}, {event: no, key: k, handle: declined}]
- {id: a, code: f}
- {id: d, code: f}
edges:
- {from: w, to: a, handle: accepted}
- {from: w, to: d, handle: declined}
)";
    GraphRun run(text);
    run.signal("event", event_mail("no", "k"));
    EXPECT_EQ(run.wanted(), "d");
}

TEST(GraphWait, AllWaitsForEveryEvent) {
    GraphRun run(R"(
name: x
nodes:
- {id: w, wait: {events: [{event: a, key: k}, {event: b, key: k}], mode: all}}
- {id: after, code: f}
edges: [{from: w, to: after}]
)");
    run.signal("event", event_mail("b", "k"));
    EXPECT_EQ(run.wanted(), "");
    run.signal("event", event_mail("a", "k"));
    EXPECT_EQ(run.wanted(), "after");
}

TEST(GraphWait, ASignalThatComesBeforeTheWaitIsKept) {
    GraphRun run(
        "name: x\nsteps: [{name: a, code: f}, {name: w, wait: {signal: go}}, {name: b, code: f}]"
    );
    run.signal("signal", {{"name", "go"}, {"data", 1}});
    EXPECT_EQ(run.wanted(), "a");
    run.complete("a", 1);
    EXPECT_EQ(run.wanted(), "b");
    EXPECT_TRUE(run.state.mailbox.empty());
}

TEST(GraphWait, AMailboxThatIsFullSaysSoInTheLog) {
    GraphRun run(
        "name: x\nsteps: [{name: a, code: f}, {name: w, wait: {signal: go}}, {name: b, code: f}]"
    );
    for (int i = 0; i < 10'000; ++i) run.signal("signal", {{"name", "other"}, {"data", i}});
    const std::size_t kept = run.state.mailbox.size();
    run.signal("signal", {{"name", "go"}, {"data", 1}});
    EXPECT_EQ(run.state.mailbox.size(), kept);
    EXPECT_NE(find(run.log.back().data, "dropped"), nullptr);
}

constexpr std::string_view review = R"(
name: x
nodes:
- id: ask
  human: {title: "Send it?", due: 2d, remind_after: 1h, escalate_after: 1d, escalate_to: boss}
- {id: send, code: f}
- {id: drop, code: f}
edges:
- {from: ask, to: send, handle: approved}
- {from: ask, to: drop, handle: rejected}
)";

TEST(GraphWait, APersonApproves) {
    GraphRun run(review);
    run.signal("task", {{"token", 0}, {"decision", "approved"}, {"by", "ann"}});
    EXPECT_EQ(run.wanted(), "send");
}

TEST(GraphWait, APersonRejects) {
    GraphRun run(review);
    run.signal("task", {{"token", 0}, {"decision", "rejected"}, {"by", "ann"}, {"reason", "no"}});
    EXPECT_EQ(run.wanted(), "drop");
}

TEST(GraphWait, RemindersThenEscalationThenTheEnd) {
    GraphRun run(review);
    EXPECT_EQ(run.pass_time(3600), "wait_noted");
    EXPECT_EQ(run.pass_time(23 * 3600), "wait_noted");
    EXPECT_EQ(run.state.tokens[0].waits_for.as<events::TaskWait>()->assignee, "boss");
    run.pass_time(24 * 3600 + 1);
    EXPECT_EQ(run.status(), "failed timeout");
}

// An empty name would let every person decide.
TEST(GraphWait, ANameThatTurnedOutEmptyFailsTheStep) {
    for (const char* people :
         {"assignee: '{{ who }}'",
          "group: '{{ who }}'",
          "approvers: [ann, '{{ who }}']",
          "escalate_after: 1h, escalate_to: '{{ who }}'"}) {
        const std::string text =
            fmt::format("name: x\nsteps: [{{name: ask, human: {{title: t, {}}}}}]", people);
        for (const json::value& empty : {json::value(""), json::value(nullptr)}) {
            GraphRun run(text, {{"who", empty}});
            EXPECT_EQ(run.status(), "failed nobody_asked") << people;
        }
        GraphRun run(text, {{"who", "bob"}});
        EXPECT_EQ(run.status(), "running") << people;
    }
}

// An index of the database takes 2,700 bytes: a longer name would break the commit with the steps
// of all other runs.
TEST(GraphWait, ANameThatIsTooLongFailsTheStep) {
    for (const char* step :
         {"human: {title: t, assignee: '{{ long }}'}",
          "human: {title: t, group: '{{ long }}'}",
          "human: {title: t, approvers: [ann, '{{ long }}']}",
          "human: {title: t, escalate_after: 1h, escalate_to: '{{ long }}'}",
          "wait: {event: paid, key: '{{ long }}'}",
          "wait: {events: [{event: paid, key: '{{ long }}'}]}",
          "emit: {event: paid, key: 'no {{ long }}'}"}) {
        const std::string text = fmt::format("name: x\nsteps: [{{name: ask, {}}}]", step);
        for (const json::value& given :
             {json::value(std::string(10'000, 'x')),
              json::value("{{" + std::string(600, 'x')),
              json::value(json::array{std::string(600, 'x')})}) {
            GraphRun run(text, {{"long", given}});
            EXPECT_EQ(run.status(), "failed too_long") << step;
        }
        // 500 bytes, not characters.
        std::string most;
        for (int i = 0; i < 125; ++i) most += "\xF0\x9F\x90\xBE";
        const bool more = std::string_view(step).find("no ") != std::string_view::npos;
        GraphRun run(text, {{"long", more ? most.substr(4) : most}});
        EXPECT_NE(run.status(), "failed too_long") << step;
        GraphRun beyond(text, {{"long", most + "x"}});
        EXPECT_EQ(beyond.status(), "failed too_long") << step;
    }
}

TEST(GraphWait, TheErrorNamesTheFieldAndTheLimit) {
    GraphRun run(
        "name: x\nsteps: [{name: ask, human: {title: t, assignee: '{{ who }}'}}]",
        {{"who", std::string(10'240, 'x')}}
    );
    EXPECT_EQ(run.state.error.at("message"), "assignee has 10240 bytes; at most 500 are possible");
}

// A run does not fail because of its exit: it goes on without one.
TEST(GraphWait, AnExitWithAKeyThatIsTooLongIsNone) {
    GraphRun run(
        "name: x\nexit_on: [{event: stop, key: '{{ long }}'}]\nsteps: [{name: a, code: f}]",
        {{"long", std::string(10'000, 'x')}}
    );
    EXPECT_EQ(run.wanted(), "a");
    EXPECT_EQ(run.state.exit_watch->events.at(0).at("key"), "");
}

TEST(GraphWait, AChildIsNotStartedForASubjectThatIsTooLong) {
    const Definition definition =
        parse_definition("name: x\nsteps: [{name: c, call: {workflow: w, subject: '{{ long }}'}}]")
            .value();
    RunState state;
    state.input = json::object{{"long", std::string(10'000, 'x')}};
    const auto rendered = render_config(definition, state, *definition.find("c"));
    ASSERT_FALSE(rendered);
    EXPECT_EQ(rendered.error().code, "too_long");
    EXPECT_EQ(rendered.error().error_class, ErrorClass::permanent);
}

TEST(GraphWait, AChildRunAnswersItsParent) {
    GraphRun run("name: x\nsteps: [{name: c, call: other}, {name: b, code: f}]");
    EXPECT_EQ(run.wanted(), "c");
    // It may close before the parent has noted that it began.
    run.signal("child", {{"token", 0}, {"run", "r1"}, {"status", "completed"}, {"output", 5}});
    EXPECT_EQ(run.wanted(), "c");
    run.pend("c", {{"for", "child"}, {"run", "r1"}});
    EXPECT_EQ(run.wanted(), "b");
}

TEST(GraphWait, AChildThatFailedFailsTheStep) {
    GraphRun run("name: x\nsteps: [{name: c, call: other, retry: {attempts: 1}}]");
    run.pend("c", {{"for", "child"}, {"run", "r1"}});
    run.signal(
        "child", {{"token", 0}, {"run", "r1"}, {"status", "failed"}, {"error", {{"message", "no"}}}}
    );
    EXPECT_EQ(run.status(), "failed child_failed");
}

constexpr std::string_view calling =
    "name: x\nsteps: [{name: c, call: other, timeout: 1h, retry: {attempts: 5, base: 1s}}, "
    "{name: b, code: f}]";

std::int16_t effect_of(const GraphRun& run) {
    const auto steps = wants(run.state, at(run.now)).steps;
    return steps.size() == 1 ? steps[0].since : std::int16_t{0};
}

TEST(GraphWait, AStartOfAChildWhoseOutcomeIsUnknownIsRepeatedAsTheSame) {
    GraphRun run(calling);
    EXPECT_EQ(effect_of(run), 1);
    run.fail("c", "call", ErrorClass::retryable);
    run.now += 60;
    EXPECT_EQ(run.state.tokens[0].attempt, 2);
    EXPECT_EQ(effect_of(run), 1);
    run.fail("c", "call", ErrorClass::retryable);
    run.now += 60;
    EXPECT_EQ(effect_of(run), 1);
}

TEST(GraphWait, AnAnswerEndsWhatLaterAttemptsRepeat) {
    GraphRun run("name: x\nsteps: [{name: c, code: f, retry: {attempts: 5, base: 1s}}]");
    run.pend("c", {{"for", "callback"}});
    run.signal(
        "callback",
        {{"token", 0},
         {"visit", 1},
         {"status", "failed"},
         {"error", {{"class", "retryable"}, {"code", "busy"}, {"message", "no"}}}}
    );
    run.now += 60;
    EXPECT_EQ(effect_of(run), 2);
    run.fail("c", "call", ErrorClass::retryable);
    run.now += 60;
    EXPECT_EQ(run.state.tokens[0].attempt, 3);
    EXPECT_EQ(effect_of(run), 2);
}

TEST(GraphWait, TheAnswerOfAChildIsKeptUntilItsStartIsKnown) {
    GraphRun run(calling);
    // The answer of the start was lost; the child was quick.
    run.signal("child", {{"token", 0}, {"run", "r1"}, {"status", "completed"}, {"output", 5}});
    run.fail("c", "call", ErrorClass::retryable);
    run.now += 60;
    EXPECT_EQ(run.wanted(), "c");
    run.pend("c", {{"for", "child"}, {"run", "r1"}});
    EXPECT_EQ(run.wanted(), "b");
}

TEST(GraphWait, ExitOnEndsTheRunWhereverItStands) {
    GraphRun run(
        "name: x\nexit_on: [{event: gone}]\nsteps: [{name: a, code: f}, {name: w, wait: 30d}]"
    );
    run.complete("a", 1);
    run.signal("event", event_mail("gone", "someone", token_of_run));
    EXPECT_EQ(run.status(), "completed {\"exited_by\":\"gone\"}");
}

}  // namespace
}  // namespace pawl::plan
