#include "plan/planner.hpp"

#include "support.hpp"

#include <boost/json/serialize.hpp>

namespace pawl::plan {
namespace {

using namespace std::chrono_literals;

TEST(Planner, ALineOfSteps) {
    TestRun run(parsed("{name: x, steps: [{name: a, code: f}, {name: b, code: f}]}"), {{"k", 1}});
    EXPECT_EQ(run.state.workflow, 1);
    EXPECT_EQ(run.state.version, 2);
    EXPECT_EQ(run.state.subject, "someone");
    EXPECT_EQ(run.state.started_at, at(0));
    EXPECT_EQ(names(run.feed(Resumed{})), "");

    const Wants first = wants(run.state, at(0));
    ASSERT_EQ(first.steps.size(), 1u);
    EXPECT_EQ(first.steps[0].node, 0u);
    EXPECT_EQ(first.steps[0].attempt, 1);
    EXPECT_FALSE(first.wake_at);

    const auto events = run.feed(done({{"n", 5}}), 1);
    EXPECT_EQ(names(events), "step_completed");
    EXPECT_EQ(events[0].seq, 1);
    EXPECT_EQ(events[0].node, "a");
    EXPECT_EQ(events[0].attempt, 1);
    EXPECT_EQ(events[0].at, at(1));
    EXPECT_EQ(wants(run.state, at(1)).steps.at(0).node, 1u);

    const auto last = run.feed(done("bye"), 2);
    EXPECT_EQ(names(last), "step_completed run_completed");
    EXPECT_EQ(last[1].data, "bye");
    EXPECT_EQ(last[1].seq, 3);
    EXPECT_EQ(run.state.status, RunStatus::completed);
    EXPECT_EQ(run.state.output, "bye");
    EXPECT_TRUE(wants(run.state, at(2)).steps.empty());
}

TEST(Planner, RetriesWithBackoffThenGivesUp) {
    TestRun run(parsed("{name: x, steps: [{name: a, code: f, retry: {attempts: 3, jitter: 0}}]}"));
    const auto first = run.feed(failed(ErrorClass::retryable));
    EXPECT_EQ(names(first), "step_failed");
    EXPECT_EQ(first[0].data.at("retry_at").as_int64(), at(1).time_since_epoch().count());
    EXPECT_EQ(first[0].error.at("code"), "boom");

    Wants want = wants(run.state, at(0.5));
    EXPECT_TRUE(want.steps.empty());
    EXPECT_EQ(want.wake_at, at(1));
    EXPECT_EQ(names(run.feed(done(1, 2), 0.5)), "") << "not due yet";
    EXPECT_EQ(names(run.feed(TimerDue{}, 1)), "");
    want = wants(run.state, at(1));
    ASSERT_EQ(want.steps.size(), 1u);
    EXPECT_EQ(want.steps[0].attempt, 2);
    EXPECT_EQ(names(run.feed(failed(ErrorClass::retryable, 1), 1)), "") << "a late result";

    const auto second = run.feed(failed(ErrorClass::retryable, 2), 1);
    EXPECT_EQ(second[0].data.at("retry_at").as_int64(), at(3).time_since_epoch().count());
    const auto third = run.feed(failed(ErrorClass::retryable, 3), 3);
    EXPECT_EQ(names(third), "step_failed run_failed");
    EXPECT_TRUE(third[0].data.is_null());
    EXPECT_EQ(run.state.status, RunStatus::failed);
    EXPECT_EQ(run.state.error.at("code"), "boom");
    EXPECT_TRUE(run.state.records.empty());
}

TEST(Planner, AmbiguousOutcomesAreNotRepeatedUnlessAllowed) {
    TestRun post(parsed("{name: x, steps: [{name: a, http: {method: POST, url: http://u}}]}"));
    EXPECT_EQ(names(post.feed(failed(ErrorClass::ambiguous))), "wait_started");
    EXPECT_TRUE(wants(post.state, at(1e6)).steps.empty());
    TestRun fails(
        parsed("{name: x, steps: [{name: a, http: {method: POST, url: http://u}, retry: "
               "{ambiguous: fail}}]}")
    );
    EXPECT_EQ(names(fails.feed(failed(ErrorClass::ambiguous))), "step_failed run_failed");
    TestRun get(parsed("{name: x, steps: [{name: a, http: {url: http://u}}]}"));
    EXPECT_EQ(names(get.feed(failed(ErrorClass::ambiguous))), "step_failed");
}

TEST(Planner, ContinueGoesOnAlsoAfterTheLastStep) {
    TestRun run(
        parsed("{name: x, steps: [{name: a, function: f, on_failure: continue},"
               " {name: b, function: f, on_failure: continue}]}")
    );
    EXPECT_EQ(names(run.feed(failed(ErrorClass::retryable))), "step_failed");
    ASSERT_EQ(run.state.records.size(), 1u);
    EXPECT_EQ(run.state.records[0].error->message, "it broke");
    EXPECT_EQ(names(run.feed(failed(ErrorClass::permanent))), "step_failed run_completed");
    EXPECT_TRUE(run.state.output.is_null());
    EXPECT_EQ(run.state.status, RunStatus::completed);
}

TEST(Planner, WaitsAtTheStartInTheMiddleAndOfNoTime) {
    TestRun run(
        parsed("{name: x, steps: [{name: w, wait: 10s}, {name: a, code: f},"
               " {name: z, wait: 0}, {name: v, wait: \"{{ pause }}\"}]}"),
        {{"pause", "PT1M"}}
    );
    EXPECT_EQ(wants(run.state, at(0)).wake_at, at(0)) << "asks to be settled";
    EXPECT_TRUE(wants(run.state, at(0)).steps.empty());
    const auto started = run.feed(Resumed{});
    EXPECT_EQ(names(started), "wait_started");
    EXPECT_EQ(started[0].data.at("until").as_int64(), at(10).time_since_epoch().count());
    EXPECT_EQ(wants(run.state, at(0)).wake_at, at(10));
    EXPECT_EQ(names(run.feed(TimerDue{}, 9)), "");
    EXPECT_EQ(names(run.feed(done(1), 9)), "") << "no worker executes a wait";
    EXPECT_EQ(names(run.feed(TimerDue{}, 10)), "step_completed");
    EXPECT_EQ(
        names(run.feed(done(1), 11)), "step_completed wait_started step_completed wait_started"
    );
    EXPECT_EQ(wants(run.state, at(11)).wake_at, at(71));
    EXPECT_EQ(names(run.feed(TimerDue{}, 71)), "step_completed run_completed");
}

TEST(Planner, AWaitThatCannotBeRenderedFailsForGood) {
    TestRun run(parsed("{name: x, steps: [{name: w, wait: \"{{ nope }}\"}]}"));
    const auto events = run.feed(Resumed{});
    EXPECT_EQ(names(events), "step_failed run_failed");
    EXPECT_EQ(events[1].error.at("code"), "template");
    EXPECT_EQ(events[1].error.at("message"), "undefined: nope");
    TestRun odd(
        parsed("{name: x, steps: [{name: w, wait: \"{{ d }}\", on_failure: continue}]}"),
        {{"d", "soon"}}
    );
    EXPECT_EQ(names(odd.feed(Resumed{})), "step_failed run_completed");
    EXPECT_EQ(odd.log[1].error.at("code"), "wait_duration");
}

TEST(Planner, TheRunsDeadline) {
    TestRun run(parsed("{name: x, timeout: 5s, steps: [{name: a, code: f}, {name: w, wait: 1h}]}"));
    EXPECT_EQ(run.state.deadline, at(5));
    EXPECT_EQ(wants(run.state, at(0)).wake_at, at(5));
    EXPECT_EQ(names(run.feed(done(1), 1)), "step_completed wait_started");
    EXPECT_EQ(wants(run.state, at(1)).wake_at, at(5));
    const auto events = run.feed(TimerDue{}, 5);
    EXPECT_EQ(names(events), "run_failed");
    EXPECT_EQ(events[0].error.at("code"), "run_timeout");
    // A result that comes too late is still noted as a fact.
    TestRun late(parsed("{name: x, timeout: 5s, steps: [{name: a, code: f}]}"));
    EXPECT_EQ(names(late.feed(done(1), 6)), "step_completed run_failed");
    EXPECT_EQ(late.state.status, RunStatus::failed);
}

TEST(Planner, ALaterStartDoesNotEatIntoTheTimeout) {
    const auto definition = parsed("{name: x, timeout: 5s, steps: [{name: a, code: f}]}");
    Origin origin{"key", "cron", "parent-id", at(100)};
    Event event = run_started(1, 2, json::object{}, "", definition, origin);
    event.at = at(0);
    EXPECT_EQ(event.data.at("correlation_id"), "key");
    EXPECT_EQ(event.data.at("triggered_by"), "cron");
    EXPECT_EQ(event.data.at("parent"), "parent-id");
    RunState state = fold(definition, {event});
    EXPECT_EQ(state.deadline, at(105));
    // Told to start in the past: it starts now.
    event.at = at(200);
    EXPECT_EQ(fold(definition, {event}).deadline, at(205));
}

TEST(Planner, TheContextKeepsWhatStepsLeftUnderTheirNumber) {
    TestRun run(
        parsed("{name: x, steps: [{name: a, code: f}, {name: b, code: f, on_failure: continue}]}"),
        json::object{{"n", 1}, {"step_1_error", "from the input"}}
    );
    run.feed(done(json::object{{"n", 2}, {"step_0_result", "forged"}}));
    run.feed(failed(ErrorClass::permanent));
    const json::object expected{
        {"n", 2},
        {"step_0_result", {{"n", 2}, {"step_0_result", "forged"}}},
        {"step_1_error", "it broke"}};
    EXPECT_EQ(context_of(run.definition, run.state), expected);
}

TEST(Planner, Cancel) {
    TestRun run(parsed("{name: x, steps: [{name: a, code: f}]}"));
    run.feed(CancelRequested{"changed my mind"});
    const auto events = run.feed(done(1));
    EXPECT_EQ(names(events), "step_completed run_cancelled");
    EXPECT_EQ(events[1].data.at("reason"), "changed my mind");
    EXPECT_EQ(run.state.status, RunStatus::cancelled);
    EXPECT_EQ(names(run.feed(done(1))), "");
}

TEST(Planner, GraphsFollowTheirEdges) {
    TestRun run(
        parsed("{name: x, nodes: [{id: a, code: f}, {id: c, code: f}, {id: b, code: f}],"
               " edges: [{from: a, to: b}, {from: b, to: c}]}")
    );
    run.feed(done(1));
    EXPECT_EQ(wants(run.state, at(0)).steps.at(0).node, 2u);
    run.feed(done(2));
    EXPECT_EQ(wants(run.state, at(0)).steps.at(0).node, 1u);
    EXPECT_EQ(names(run.feed(done(3))), "step_completed run_completed");
}

TEST(RenderConfig, SeesInputResultsAndErrors) {
    TestRun run(
        parsed(R"(
name: x
steps:
  - {name: a, code: f}
  - {name: b, function: f, on_failure: continue}
  - name: c
    code: f
    input:
      input: "{{ input.who }}"
      key: "{{ who }}"
      spread: "{{ id }}"
      indexed: "{{ step_0_result.id }}"
      named: "{{ steps.a.result.list[1] }}"
      broke: "{{ step_1_error }} / {{ steps.b.error }}"
      absent: "{{ step_1_result | default: 'none' }}"
      subject: "{{ run.subject }}"
      both: "{{ steps.a }}"
      all: "{{ steps }}"
)"),
        {{"who", "Ada"}, {"id", "from input"}}
    );
    run.feed(done({{"id", 7}, {"list", {1, 2}}}));
    run.feed(failed(ErrorClass::permanent));
    const auto config = render_config(run.definition, run.state, 2);
    ASSERT_TRUE(config) << config.error().message;
    const json::value& input = (*config)->at("input");
    EXPECT_EQ(input.at("input"), "Ada");
    EXPECT_EQ(input.at("key"), "Ada");
    EXPECT_EQ(input.at("spread"), 7) << "step results hide the input";
    EXPECT_EQ(input.at("indexed"), 7);
    EXPECT_EQ(input.at("named"), 2);
    EXPECT_EQ(input.at("broke"), "it broke / it broke");
    EXPECT_EQ(input.at("absent"), "none");
    EXPECT_EQ(input.at("subject"), "someone");
    EXPECT_EQ(input.at("both").at("result").at("id"), 7);
    EXPECT_TRUE(input.at("all").at("b").at("result").is_null());
}

TEST(RenderConfig, BorrowsWhenThereIsNothingToRender) {
    TestRun run(parsed("{name: x, steps: [{name: a, code: f, input: {k: v}}]}"));
    const auto config = render_config(run.definition, run.state, 0);
    ASSERT_TRUE(config);
    EXPECT_EQ(&**config, &run.definition.nodes[0].config);
}

TEST(RenderConfig, Errors) {
    // As a version that was published before such names were refused.
    const auto stored = definition_from_json(json::object{
        {"name", "x"},
        {"steps", {{{"name", "a"}, {"code", "f"}, {"input", "{{ p }} {{ steps.a.result }}"}}}}});
    ASSERT_TRUE(stored);
    TestRun run(*stored);
    const auto config = render_config(run.definition, run.state, 0);
    ASSERT_FALSE(config);
    EXPECT_EQ(config.error().code, "template");
    EXPECT_EQ(config.error().error_class, ErrorClass::permanent);
    EXPECT_EQ(config.error().message, "undefined: p, steps.a.result");
    EXPECT_FALSE(render_config(run.definition, run.state, 99));
}

TEST(IdempotencyKey, IsStableOverAttempts) {
    const Definition d = parsed("{name: x, steps: [{name: a, code: f}]}");
    EXPECT_EQ(idempotency_key("r1", d, {0, 0, 1, 1}), "r1:0:a:1");
    EXPECT_EQ(idempotency_key("r1", d, {0, 0, 3, 1}), "r1:0:a:1");
    EXPECT_NE(idempotency_key("r1", d, {0, 0, 1, 2}), "r1:0:a:1");
    EXPECT_EQ(idempotency_key("r1", d, {0, 9, 1, 1}), "r1:0::1");
}

TEST(Evolve, EventsThatMakeNoSenseOnlyCount) {
    const Definition d = parsed("{name: x, steps: [{name: a, code: f}, {name: w, wait: 1s}]}");
    TestRun run(d);
    const RunState before = run.state;
    std::int32_t seq = 1;
    const auto push = [&](EventType type, std::string node, std::int16_t attempt) {
        Event event;
        event.seq = seq++;
        event.type = type;
        event.node = std::move(node);
        event.attempt = attempt;
        evolve(d, run.state, event);
    };
    push(EventType::run_started, "", 0);
    push(EventType::step_completed, "nope", 1);
    push(EventType::step_completed, "a", 2);
    push(EventType::step_failed, "w", 1);
    push(EventType::wait_started, "a", 1);
    EXPECT_EQ(run.state.next_seq, 6);
    run.state.next_seq = before.next_seq;
    EXPECT_EQ(run.state, before);
}

TEST(Planner, DataInAUrlStaysOnePieceOfIt) {
    const auto rendered = [](std::string_view url, json::value id) {
        const std::string text =
            "name: w\nsteps:\n- {name: a, http: {url: '" + std::string(url) + "'}}\n";
        const TestRun run(parsed(text), json::object{{"id", std::move(id)}});
        const auto config = render_config(run.definition, run.state, 0);
        if (!config) return config.error().code + ": " + config.error().message;
        return std::string((*config)->at("url").as_string());
    };
    EXPECT_EQ(
        rendered("https://h/orders/{{ id }}?x={{ id }}", "../admin/delete-all?"),
        "https://h/orders/..%2Fadmin%2Fdelete-all%3F?x=..%2Fadmin%2Fdelete-all%3F"
    );
    EXPECT_EQ(rendered("{{ id }}", "https://h/a/b?c=d"), "https://h/a/b?c=d");
    EXPECT_TRUE(rendered("https://h/{{ id }}/x", "..").starts_with("template: url: {{id}}"));
}

}  // namespace
}  // namespace pawl::plan
