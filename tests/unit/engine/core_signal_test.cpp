#include "unit/engine/core_fixture.hpp"

namespace pawl::engine {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

TEST_F(CoreTest, ASignalSeenTwiceIsConsumedOnce) {
    const RunId run = adopt(one_step());
    core.take_orders();
    core.signals({cancel(run)}, now);
    core.signals({cancel(run)}, now);
    const Flight flight = take_flight();
    EXPECT_EQ(flight.batch.consumed.size(), 1U);
    EXPECT_EQ(flight.batch.events.size(), 1U);
    ASSERT_EQ(flight.batch.closes.size(), 1U);
    EXPECT_EQ(flight.batch.closes[0].status, RunStatus::cancelled);
}

TEST_F(CoreTest, ASignalSeenDuringACommitIsConsumedOnce) {
    const RunId run = adopt(one_step());
    core.take_orders();
    finish(run);
    const Flight flight = take_flight();
    core.signals({cancel(run)}, now);
    commit(flight);
    core.signals({cancel(run)}, now);
    EXPECT_EQ(take_flight().batch.consumed.size(), 1U);
}

// A statement that read it before the commit which consumed it may be answered after that.
TEST_F(CoreTest, AnOldAnswerDoesNotBringAMessageAgain) {
    const RunId run =
        adopt(program("{name: w, steps: [{id: a, wait: {signal: go}, timeout: 1h}, "
                      "{id: b, wait: {signal: go}}]}"));
    core.take_orders();
    const store::Signal go{9, run, "signal", json::object{{"name", "go"}}};
    const auto message_read = core.begin_message_read();
    core.signals({go}, now);
    Flight flight = take_flight();
    EXPECT_EQ(flight.batch.consumed.size(), 1U);
    commit(std::move(flight));
    EXPECT_TRUE(fresh({go}, *message_read).empty());
    EXPECT_EQ(fresh({go}, *core.begin_message_read()).size(), 1U)
        << "a later read sees what is there";
    const store::Signal other{10, run, "signal", json::object{{"name", "go"}}};
    EXPECT_EQ(fresh({go, other}, *message_read).size(), 1U);
}

TEST_F(CoreTest, ACancelThatComesWithTheClaimBeginsNothing) {
    const RunId run = adopt(one_step());
    core.signals({cancel(run)}, now);
    EXPECT_TRUE(core.take_orders().empty());
    commit_all();
    EXPECT_EQ(core.executing(), 0U);
    EXPECT_EQ(core.held(), 0U);
}

TEST_F(CoreTest, ACancelWaitsForWhatWasBegun) {
    const RunId run = adopt(one_step());
    for (const StepOrder& order : core.take_orders()) core.begun(order);
    core.signals({cancel(run)}, now);
    const Flight flight = take_flight();
    ASSERT_EQ(flight.batch.events.size(), 1U);
    EXPECT_EQ(flight.batch.events[0].event.type, EventType::run_stopping);
    EXPECT_TRUE(flight.batch.parks.empty());
    // It ends while that is being committed.
    finish(run);
    commit(flight);
    commit_all();
    EXPECT_EQ(core.held(), 0U);
}

TEST_F(CoreTest, WhatALostWorkerMayHaveBegunIsNoted) {
    const auto line = one_step();
    const RunId run = new_run();
    core.adopt(run, line, log_of(line), now, {{99, run, "interrupted", {}}, cancel(run)});
    const Flight flight = take_flight();
    ASSERT_EQ(flight.batch.events.size(), 3U);
    EXPECT_EQ(text_in(flight.batch.events[1].event.error, "code"), "outcome_unknown");
    EXPECT_EQ(flight.batch.consumed.size(), 2U);
    EXPECT_EQ(flight.batch.closes.size(), 1U);
}

TEST_F(CoreTest, SignalsForOthersAreLeftAlone) {
    core.signals({cancel(new_run())}, now);
    EXPECT_FALSE(core.has_pending());
}

// What is delivered uses its subscription up: a wait that goes on asks again.
TEST_F(CoreTest, AWaitThatAnEventDidNotEndListensOn) {
    const auto waits = program(
        "{name: w, steps: [{id: a, wait: {event: paid, key: k, filter: {path: data.n, operator: "
        "'>', "
        "value: 5}}}]}"
    );
    adopt(waits);
    Flight begun = take_flight();
    ASSERT_EQ(begun.batch.projections.subscribes.size(), 1U);
    std::vector<Event> log;
    for (const store::LogRow& row : begun.batch.events) log.push_back(row.event);
    commit(std::move(begun));
    const RunId run = adopt(waits, log);
    const auto event = [&](std::int64_t id, int n) {
        json::object data{{"name", "paid"}, {"key", "k"}, {"token", 0}, {"data", {{"n", n}}}};
        return store::Signal{id, run, "event", std::move(data)};
    };
    core.signals({event(1, 3)}, now);
    const Flight passed = take_flight();
    EXPECT_EQ(passed.batch.projections.unsubscribes.size(), 1U);
    ASSERT_EQ(passed.batch.projections.subscribes.size(), 1U);
    EXPECT_EQ(passed.batch.projections.subscribes[0].event, "paid");
    const RunId other = adopt(waits, log);
    store::Signal fits = event(2, 7);
    fits.run = other;
    core.signals({fits}, now);
    const Flight ended = take_flight();
    EXPECT_TRUE(ended.batch.projections.subscribes.empty());
    EXPECT_EQ(ended.batch.closes.size(), 1U);
}

}  // namespace
}  // namespace pawl::engine
