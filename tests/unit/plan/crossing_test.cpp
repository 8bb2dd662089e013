#include "graph_run.hpp"
#include "plan/repin.hpp"

namespace pawl::plan {
namespace {

constexpr const char* order_flow = R"(
name: order
nodes:
  - {id: reserve, type: code, function: f, compensate: release}
  - {id: charge, type: code, function: f, input: {of: "{{steps.reserve.result}}"}}
  - {id: approve, type: human, title: Fine}
  - {id: send, type: code, function: f}
  - {id: release, type: code, function: f}
edges:
  - {from: reserve, to: charge}
  - {from: charge, to: approve}
  - {from: approve, to: send, handle: approved}
)";

std::string changed(std::string_view from, std::string_view to) {
    std::string text = order_flow;
    const std::size_t at = text.find(from);
    EXPECT_NE(at, text.npos) << from;
    return text.replace(at, from.size(), to);
}

Verdict judge(const GraphRun& run, const std::string& text, NodeMap map = {}) {
    const Definition to = parsed(text);
    return Crossing(run.definition, to, std::move(map)).judge(run.state);
}

TEST(Crossing, OfEqualDefinitionsChangesNothing) {
    GraphRun run(order_flow);
    run.complete("reserve", 1);
    EXPECT_EQ(judge(run, order_flow), Verdict{});
    const Definition same = parsed(order_flow);
    RunState state = run.state;
    EXPECT_FALSE(Crossing(run.definition, same, {}).carry(state));
    EXPECT_EQ(state, run.state);
}

TEST(Crossing, DoesNotMindWhatLiesBehind) {
    GraphRun run(order_flow);
    run.complete("reserve", 1);
    run.complete("charge", 2);
    // The step it has passed is another one, and undoing is not.
    EXPECT_EQ(
        judge(
            run,
            changed("id: charge, type: code, function: f", "id: charge, type: code, function: g")
        )
            .impact,
        Impact::unaffected
    );
    const auto moves = judge(
        run, changed("id: send, type: code, function: f", "id: send, type: code, function: g")
    );
    EXPECT_EQ(moves.impact, Impact::moves_on);
    EXPECT_EQ(moves.node, "approve");
}

TEST(Crossing, NamesTheStepThatIsGone) {
    GraphRun run(order_flow);
    run.complete("reserve", 1);
    std::string text = changed("{id: charge,", "{id: bill,");
    for (std::size_t at; (at = text.find(": charge")) != text.npos;) text.replace(at, 8, ": bill");
    const auto broken = judge(run, text);
    EXPECT_EQ(broken.impact, Impact::would_break);
    EXPECT_EQ(broken.node, "charge");
    EXPECT_EQ(broken.reason, "it stands on 'charge' (code), which the new version does not have");
    const auto mapped = judge(run, text, {{"charge", "bill"}});
    EXPECT_EQ(mapped, (Verdict{Impact::moves_on, "bill", "goes on at 'bill' instead of 'charge'"}));
}

TEST(Crossing, KeepsTheIdempotencyKeyOfAStepThatMayHaveBegun) {
    GraphRun run(order_flow);
    run.complete("reserve", 1);
    std::string text = changed("{id: charge,", "{id: bill,");
    for (std::size_t at; (at = text.find(": charge")) != text.npos;) text.replace(at, 8, ": bill");
    const Definition to = parsed(text);
    const auto before = wants(run.state, at(0)).steps.at(0);
    RunState state = run.state;
    ASSERT_FALSE(Crossing(run.definition, to, {{"charge", "bill"}}).carry(state));
    const auto after = wants(state, at(0)).steps.at(0);
    EXPECT_EQ(to.nodes[after.node].id, "bill");
    EXPECT_EQ(idempotency_key("r", to, after), idempotency_key("r", run.definition, before));
    // And back again.
    ASSERT_FALSE(Crossing(to, run.definition, {{"bill", "charge"}}).carry(state));
    EXPECT_EQ(state, run.state);
}

TEST(Crossing, LeavesAWaitAsItWasBegun) {
    GraphRun run(order_flow);
    run.complete("reserve", 1);
    run.complete("charge", 2);
    EXPECT_EQ(judge(run, changed("title: Fine", "title: Really")).impact, Impact::moves_on);
    std::string text = changed(
        "{id: approve, type: human, title: Fine}",
        "{id: approve, type: wait, event: approved, key: x}"
    );
    text.replace(text.find(", handle: approved"), 18, "");
    const auto other = judge(run, text);
    EXPECT_EQ(other.impact, Impact::would_break);
    EXPECT_EQ(other.node, "approve");
    EXPECT_NE(other.reason.find("it waits at 'approve' (human)"), std::string::npos);
}

TEST(Crossing, FindsOutWhatAStepAheadWouldLack) {
    GraphRun run(order_flow);
    run.complete("reserve", 1);
    run.complete("charge", 2);
    const auto send = [](std::string_view payload) {
        return changed(
            "{id: send, type: code, function: f}",
            "{id: send, type: code, function: f, input: {x: \"{{" + std::string(payload) + "}}\"}}"
        );
    };
    EXPECT_EQ(judge(run, send("steps.charge.result")).impact, Impact::moves_on);
    EXPECT_EQ(judge(run, send("phone | default: 1")).impact, Impact::moves_on);
    const auto lacks = judge(run, send("phone"));
    EXPECT_EQ(lacks.impact, Impact::would_break);
    EXPECT_EQ(lacks.node, "send");
    EXPECT_EQ(
        lacks.reason, "'send', which lies ahead, needs {{phone}}, and this run does not have it"
    );
    const auto undone = judge(run, send("steps.release.result"));
    EXPECT_EQ(undone.impact, Impact::would_break);
    EXPECT_NE(undone.reason.find("has passed the step that gives it"), std::string::npos);
}

TEST(Crossing, DoesNotLoseWhatHasToBeUndone) {
    GraphRun run(order_flow);
    run.complete("reserve", 1);
    std::string text =
        changed("  - {id: reserve, type: code, function: f, compensate: release}\n", "");
    text.replace(text.find("  - {from: reserve, to: charge}\n"), 32, "");
    text.replace(text.find("  - {id: release, type: code, function: f}\n"), 43, "");
    text.replace(text.find("\"{{steps.reserve.result}}\""), 26, "1");
    const auto broken = judge(run, text);
    EXPECT_EQ(broken.impact, Impact::would_break);
    EXPECT_EQ(broken.node, "reserve");
}

TEST(Repin, IsAnEventOfTheLogAndFoldsWithBothVersions) {
    GraphRun run(order_flow);
    run.complete("reserve", 1);
    std::string text = changed("{id: charge,", "{id: bill,");
    for (std::size_t at; (at = text.find(": charge")) != text.npos;) text.replace(at, 8, ": bill");
    const Definition to = parsed(text);
    RunState state = run.state;
    const json::object order{
        {"version", 3}, {"map", json::object{{"charge", "bill"}}}, {"by", "me"}};
    const Crossing crossing(run.definition, to, repin_order(order).map);
    std::vector<Event> log = run.log;
    log.push_back(repin(crossing, state, order, {at(5), 0.5}));
    EXPECT_EQ(log.back().seq, run.state.next_seq);
    EXPECT_EQ(
        json::serialize(log.back().data),
        R"({"version":3,"map":{"charge":"bill"},"by":"me","from":2})"
    );
    EXPECT_EQ(pinned_versions(log), (std::vector<std::int32_t>{2, 3}));
    EXPECT_EQ(pinned_version(log), 3);
    EXPECT_EQ(fold({{2, &run.definition}, {3, &to}}, log), state);
    EXPECT_EQ(renamed(log)[1].node, "reserve");
    EXPECT_EQ(state.version, 3);
    StepFinished finished;
    finished.result = 2;
    const auto events = decide(to, state, finished, {at(6), 0.5});
    ASSERT_FALSE(events.empty());
    EXPECT_EQ(events[0].node, "bill");
}

TEST(Repin, ThatWouldBreakIsRefusedInTheLog) {
    GraphRun run(order_flow);
    const Definition to = parsed("{name: order, steps: [{id: other, type: code, function: f}]}");
    RunState state = run.state;
    const json::object order{{"version", 3}};
    std::vector<Event> log = run.log;
    log.push_back(repin(Crossing(run.definition, to, {}), state, order, {at(5), 0.5}));
    EXPECT_TRUE(was_refused(log.back()));
    EXPECT_EQ(pinned_version(log), 2);
    EXPECT_EQ(state.tokens, run.state.tokens);
    EXPECT_EQ(fold({{2, &run.definition}}, log), state);
}

}  // namespace
}  // namespace pawl::plan
