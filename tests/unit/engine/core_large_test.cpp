#include "unit/engine/core_fixture.hpp"

#include <algorithm>

// What a run leaves and is given may be large: it is held and committed in portions.
namespace pawl::engine {
namespace {

constexpr std::size_t mega = 1 << 20;

class LargeTest : public CoreTest {
protected:
    RunId run_with(std::size_t items, std::size_t input) {
        json::array list(items);
        const auto listed = program(R"(
name: w
nodes:
- {id: each, foreach: {items: "{{ input.list }}", concurrency: 500}}
- {id: a, code: {function: f, input: "{{ input.text }}"}}
edges: [{from: each, to: a, handle: each}]
)");
        Event first = plan::run_started(
            7,
            1,
            json::object{{"list", std::move(list)}, {"text", std::string(input, 'x')}},
            "",
            listed->definition
        );
        const RunId run = new_run();
        core.adopt(run, listed, {first}, now);
        commit_all();
        return run;
    }
    void finish_order(const StepOrder& order, std::size_t result) {
        plan::StepFinished finished;
        finished.token = order.step.token;
        finished.attempt = order.step.attempt;
        finished.result = std::string(result, 'y');
        core.step_finished(order.run, std::move(finished), now);
    }
    static std::size_t bytes_of(const Flight& flight) {
        std::size_t bytes = 0;
        for (const auto& row : flight.batch.events) bytes += json::serialize(row.event.data).size();
        return bytes;
    }
    std::size_t largest_ = 0;
};

TEST_F(LargeTest, StepsThatAreGivenMuchAreOrderedInPortions) {
    run_with(100, mega / 2);
    EXPECT_LE(core.take_orders().size(), 16U);
    EXPECT_TRUE(core.take_orders().empty());
}

TEST_F(LargeTest, OnesThatAreGivenLittleAreAllOrdered) {
    run_with(100, 10);
    std::size_t orders = 0;
    for (auto some = core.take_orders(); !some.empty(); some = core.take_orders()) {
        orders += some.size();
    }
    EXPECT_EQ(orders, 100U);
}

// A call that the run does not want any more, and waits for, leaves the next step its place.
TEST_F(LargeTest, AStepThatWasSkippedHoldsNoOtherBack) {
    const RunId run = adopt(one_step());
    const auto first = core.take_orders();
    ASSERT_EQ(first.size(), 1U);
    core.begun(first[0]);
    core.signals({{1, run, "skip", json::object{{"node", "a"}, {"by", "ann"}}}}, now);
    commit_all();
    const auto next = core.take_orders();
    ASSERT_EQ(next.size(), 1U);
    EXPECT_EQ(next[0].step.node, 1U);
}

TEST_F(LargeTest, WhatStepsLeaveIsCommittedInPortionsAndNothingIsLost) {
    const RunId run = run_with(50, 10);
    std::size_t done = 0;
    std::size_t events = 0;
    while (core.state_of(run) != nullptr) {
        for (auto orders = core.take_orders(); !orders.empty(); orders = core.take_orders()) {
            for (const StepOrder& order : orders) {
                finish_order(order, mega / 4);
                ++done;
            }
        }
        auto flight = core.next_flight(now);
        ASSERT_TRUE(flight) << done;
        largest_ = std::max(largest_, bytes_of(*flight));
        events += flight->batch.events.size();
        commit(std::move(*flight));
    }
    EXPECT_EQ(done, 50U);
    // Each step, the list's result, the end of the run.
    EXPECT_EQ(events, 52U);
    // The list of results is one value, and the output of the run is that list.
    EXPECT_LE(largest_, (8 + 2 * 13) * mega);
}

TEST_F(LargeTest, ManyThatCameMeanwhileWaitForTheirTurn) {
    const RunId run = run_with(60, 10);
    std::vector<StepOrder> orders;
    for (auto some = core.take_orders(); !some.empty(); some = core.take_orders()) {
        orders.insert(orders.end(), some.begin(), some.end());
    }
    ASSERT_EQ(orders.size(), 60U);
    finish_order(orders[0], 10);
    Flight first = take_flight();
    for (std::size_t i = 1; i < orders.size(); ++i) finish_order(orders[i], mega / 2);
    commit(std::move(first));
    std::size_t flights = 0;
    while (core.state_of(run) != nullptr && flights < 50) {
        Flight flight = take_flight();
        if (++flights < 4) EXPECT_LE(bytes_of(flight), 9 * mega);
        commit(std::move(flight));
    }
    EXPECT_GE(flights, 3U);
    EXPECT_EQ(core.state_of(run), nullptr);
}

// A message is gone with the commit that says what it led to, not before.
TEST_F(LargeTest, MessagesThatHaveToWaitAreNotLost) {
    const auto waits = program(R"(
name: w
nodes:
- {id: loop, loop: {times: 20}}
- {id: next, wait: {signal: go}}
edges:
- {from: loop, to: next, handle: each}
- {from: next, to: loop}
)");
    const RunId run = adopt(waits);
    std::vector<store::Signal> signals;
    for (std::int64_t id = 1; id <= 20; ++id) {
        const json::object data{{"name", "go"}, {"data", std::string(mega / 2, 'x')}};
        signals.push_back({id, run, "signal", data});
    }
    core.signals(signals, now);
    std::size_t received = 0;
    std::size_t consumed = 0;
    while (auto flight = core.next_flight(now)) {
        for (const auto& row : flight->batch.events) {
            received += row.event.type == EventType::signal_received ? 1 : 0;
        }
        consumed += flight->batch.consumed.size();
        EXPECT_EQ(received, consumed);
        commit(std::move(*flight));
    }
    EXPECT_EQ(received, 20U);
    EXPECT_EQ(core.held(), 0U);
}

TEST_F(LargeTest, ACommitTakesFewLargeRuns) {
    for (int i = 0; i < 30; ++i) {
        adopt(one_step());
        commit_all();
        for (const StepOrder& order : core.take_orders()) finish_order(order, mega);
    }
    EXPECT_LE(take_flight().runs.size(), 9U);
}

TEST_F(LargeTest, ALogThatGrowsWithoutEndEndsItsRun) {
    const RunId run = run_with(400, 10);
    std::string code;
    while (core.state_of(run) != nullptr) {
        for (auto orders = core.take_orders(); !orders.empty(); orders = core.take_orders()) {
            for (const StepOrder& order : orders) finish_order(order, mega);
        }
        auto flight = core.next_flight(now);
        ASSERT_TRUE(flight);
        for (const auto& row : flight->batch.events) {
            if (row.event.type == EventType::run_failed) code = text_in(row.event.error, "code");
        }
        commit(std::move(*flight));
    }
    EXPECT_EQ(code, "log_full");
}

}  // namespace
}  // namespace pawl::engine
