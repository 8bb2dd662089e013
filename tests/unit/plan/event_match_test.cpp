// Which events end a wait, and what it still waits for.
#include "graph_run.hpp"
#include "plan/awaited_signal.hpp"
#include "plan/waits.hpp"

#include <fmt/core.h>

namespace pawl::plan {
namespace {

json::object event(std::string_view name, json::value data, std::int64_t token = 0) {
    return {{"name", name}, {"key", "k"}, {"token", token}, {"data", std::move(data)}};
}

// "paid:k refused:k"
std::string awaited(const GraphRun& run, TokenId token = 0) {
    const events::EventWait& wait = *event_wait_of(run.state, token);
    std::string text;
    for (const WantedEvent& one : awaited_events(run.state, token, wait)) {
        text += (text.empty() ? "" : " ") + one.name + ":" + one.key;
    }
    return text;
}

constexpr std::string_view big_order = R"(
name: x
steps:
- name: w
  wait:
    event: paid
    key: k
    filter: {path: event.data.total, operator: ">", value: "{{ input.least }}"}
- {name: after, code: f}
)";

TEST(EventMatch, OnlyAnEventThatTheFilterLetsPassEndsTheWait) {
    GraphRun run(big_order, {{"least", 100}});
    run.signal("event", event("paid", {{"total", 99}}));
    EXPECT_EQ(run.wanted(), "");
    EXPECT_EQ(awaited(run), "paid:k") << "it must hear of the next one";
    run.signal("event", event("paid", {{"total", 101}}));
    EXPECT_EQ(run.wanted(), "after");
    ASSERT_EQ(run.state.mailbox.size(), 1U) << "what did not match is not consumed";
    EXPECT_EQ(run.state.mailbox[0].data.at("data").at("total"), 99);
}

TEST(EventMatch, AnEventThatWasPassedOverIsThereForALaterWait) {
    GraphRun run(R"(
name: x
steps:
- {name: one, wait: {event: e, key: k, filter: {path: data.n, operator: "=", value: 2}}}
- {name: two, wait: {event: e, key: k}}
)");
    run.signal("event", event("e", {{"n", 1}}));
    run.signal("event", event("e", {{"n", 2}}));
    ASSERT_EQ(run.status().substr(0, 9), "completed");
    EXPECT_EQ(run.state.output.at("data").at("n"), 1);
}

TEST(EventMatch, ANameThatTheEventDoesNotHaveNeverMatches) {
    for (const char* filter :
         {"{path: event.data.totl, operator: '!=', value: 5}",
          "{not: {path: data.totl, operator: '=', value: 5}}",
          "{path: totl, operator: not in, value: [5]}"}) {
        GraphRun run(fmt::format(
            "name: x\nsteps: [{{name: w, wait: {{event: e, key: k, filter: {}}}}}]", filter
        ));
        run.signal("event", event("e", {{"total", 7}}));
        EXPECT_EQ(run.status(), "running") << filter;
    }
}

TEST(EventMatch, EachOfSeveralHasItsOwnFilter) {
    const std::string_view text = R"(
name: x
nodes:
- id: w
  wait:
    events:
    - {event: e, key: k, handle: big, filter: {path: n, operator: ">", value: 10}}
    - {event: e, key: k, handle: small, filter: {path: n, operator: "<", value: 5}}
- {id: b, code: f}
- {id: s, code: f}
edges: [{from: w, to: b, handle: big}, {from: w, to: s, handle: small}]
)";
    GraphRun run(text);
    EXPECT_EQ(awaited(run), "e:k") << "one subscription for both";
    run.signal("event", event("e", {{"n", 7}}));
    EXPECT_EQ(run.wanted(), "");
    run.signal("event", event("e", {{"n", 3}}));
    EXPECT_EQ(run.wanted(), "s");
}

TEST(EventMatch, AllOfTheSameEventTwiceNeedsTwo) {
    GraphRun run(R"(
name: x
steps:
- {name: w, wait: {events: [{event: e, key: k}, {event: e, key: k}], mode: all}}
- {name: after, code: f}
)");
    run.signal("event", event("e", 1));
    EXPECT_EQ(run.wanted(), "");
    EXPECT_EQ(awaited(run), "e:k");
    run.signal("event", event("e", 2));
    EXPECT_EQ(run.wanted(), "after");
    EXPECT_TRUE(run.state.mailbox.empty());
    EXPECT_EQ(run.state.records[0].result.at(0).at("data"), 1) << "in the order they came";
}

TEST(EventMatch, AnEventGoesWhereAllGetTheirs) {
    GraphRun run(R"(
name: x
steps:
- name: w
  wait:
    mode: all
    events:
    - {event: e, key: k}
    - {event: e, key: k, filter: {path: n, operator: "=", value: 1}}
    - {event: other, key: k}
- {name: after, code: f}
)");
    run.signal("event", event("e", {{"n", 1}}));
    EXPECT_EQ(awaited(run), "e:k other:k");
    run.signal("event", event("e", {{"n", 2}}));
    EXPECT_EQ(awaited(run), "other:k");
    run.signal("event", event("other", 0));
    EXPECT_EQ(run.wanted(), "after");
}

TEST(EventMatch, ExitOnHasAFilterToo) {
    GraphRun run(
        "name: x\nexit_on: [{event: gone, key: k, filter: {path: data.why, operator: '=', "
        "value: '{{ input.why }}'}}]\nsteps: [{name: w, wait: 30d}]",
        {{"why", "moved"}}
    );
    run.signal("event", event("gone", {{"why", "angry"}}, token_of_run));
    EXPECT_EQ(run.status(), "running");
    EXPECT_TRUE(run.state.mailbox.empty()) << "nothing else will ask for it";
    EXPECT_EQ(awaited(run, token_of_run), "gone:k");
    run.signal("event", event("gone", {{"why", "moved"}}, token_of_run));
    EXPECT_EQ(run.status(), "completed {\"exited_by\":\"gone\"}");
}

TEST(EventMatch, AFullMailboxTakesWhatIsWaitedFor) {
    GraphRun run(big_order, {{"least", 100}});
    run.signal("pause", {});  // so that not all of them are looked at for each that comes
    for (int i = 0; i < 10'000; ++i) run.signal("event", event("paid", {{"total", i % 90}}));
    run.signal("resume", {});
    EXPECT_EQ(run.wanted(), "");
    run.signal("event", event("paid", {{"total", 1}}));
    EXPECT_NE(find(run.log.back().data, "dropped"), nullptr);
    run.signal("event", event("paid", {{"total", 500}}));
    EXPECT_EQ(run.wanted(), "after");
}

TEST(EventMatch, FiltersSpeakOfTheEvent) {
    const auto refused = [](std::string_view filter) {
        const auto made = parse_definition(
            fmt::format("name: x\nsteps: [{{name: w, wait: {{event: e, filter: {}}}}}]", filter)
        );
        return made ? std::string() : made.error().message;
    };
    const auto says = [&](std::string_view filter, std::string_view what) {
        EXPECT_NE(refused(filter).find(what), std::string::npos) << refused(filter);
    };
    EXPECT_EQ(refused("{path: event.data.a, operator: '=', value: '{{ input.a }}'}"), "");
    says("{path: event.dta.a, operator: '=', value: 1}", "did you mean 'data'");
    says("{path: input.a, operator: '=', value: 1}", "is of the run");
    says("{query: {table: t, field: f, operator: '=', value: 1}}", "cannot ask the database");
    says("{path: data.a, operator: '~', value: 1}", "operator");
    EXPECT_FALSE(parse_definition(
        "name: x\nsteps: [{name: w, wait: {signal: s, filter: {path: a, operator: exists}}}]"
    ));
}

TEST(AwaitedSignal, ANameThatTheRunHasNoUseForIsNoticed) {
    const std::string_view text =
        "name: x\nsteps: [{name: a, code: f}, {name: w, wait: {signal: approved}}, "
        "{name: v, wait: {signal: shipped}}]";
    const auto why = [](const GraphRun& run, std::string_view name) {
        return check_signal(run.definition, run.state, name).sentence;
    };
    GraphRun run(text);
    EXPECT_EQ(why(run, "approved"), "") << "it comes to it";
    EXPECT_EQ(why(run, "shipped"), "");
    EXPECT_EQ(why(run, "aproved"), "workflow 'x' waits for approved, shipped");
    run.complete("a", 1);
    EXPECT_EQ(why(run, "approved"), "");
    EXPECT_EQ(why(run, "aproved"), "the run waits for approved");
    EXPECT_EQ(why(run, "shipped"), "the run waits for approved") << "that would be early";
    GraphRun none("name: y\nsteps: [{name: a, code: f}]");
    EXPECT_EQ(why(none, "go"), "workflow 'y' waits for no signal");
}

}  // namespace
}  // namespace pawl::plan
