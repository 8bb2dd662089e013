#include "core_fixture.hpp"
#include "plan/repin.hpp"

// A run that is to become one of another version.
namespace pawl::engine {
namespace {

class CoreRepin : public CoreTest {
protected:
    static ProgramPtr numbered(ProgramPtr program, std::int32_t version) {
        Program copy = *program;
        copy.version = version;
        return std::make_shared<const Program>(std::move(copy));
    }
    static store::Signal repin(RunId run, std::int64_t id = 5) {
        return {id, run, "repin", json::object{{"version", 2}, {"map", json::object{{"b", "c"}}}}};
    }

    const ProgramPtr first = one_step();
    const ProgramPtr second = numbered(
        program("{name: w, steps: [{id: a, type: code, function: f}, "
                "{id: c, type: code, function: g}]}"),
        2
    );
    const ProgramPtr other =
        numbered(program("{name: w, steps: [{id: z, type: code, function: f}]}"), 2);
};

TEST_F(CoreRepin, AHeldRunLeavesWhenItsStepIsOverAndBeginsNothingMore) {
    const RunId run = adopt(first);
    ASSERT_EQ(core.take_orders().size(), 1u);
    core.signals({repin(run)}, now);
    EXPECT_FALSE(core.has_pending());  // its step is under way
    finish(run);
    const Flight flight = take_flight();
    ASSERT_EQ(flight.batch.events.size(), 1u);
    ASSERT_EQ(flight.batch.parks.size(), 1u);
    EXPECT_EQ(flight.batch.parks[0].due_at, now);
    EXPECT_TRUE(flight.batch.consumed.empty());  // left to the next claimer
    commit(flight);
    EXPECT_EQ(core.held(), 0u);
    EXPECT_TRUE(core.take_orders().empty());
}

TEST_F(CoreRepin, AnIdleRunLeavesAtOnce) {
    const RunId run = adopt(program("{name: w, steps: [{id: a, type: wait, duration: 500ms}]}"));
    commit_all();
    core.signals({repin(run)}, now);
    EXPECT_EQ(take_flight().batch.parks.size(), 1u);
}

TEST_F(CoreRepin, OfTwoOrdersTheLastOneCounts) {
    const ProgramPtr third = numbered(second, 3);
    const RunId run = new_run();
    const store::Signal again{
        6, run, "repin", json::object{{"version", 3}, {"map", json::object{}}}};
    core.adopt(run, first, log_of(first), now, {repin(run), again}, {first, second, third});
    const Flight flight = take_flight();
    EXPECT_EQ(flight.batch.consumed.size(), 2u);
    ASSERT_EQ(flight.batch.projections.repinned.size(), 1u);
    EXPECT_EQ(flight.batch.projections.repinned[0].version, 3);
}

TEST_F(CoreRepin, TheClaimerPinsItAnewInOneCommitAndGoesOn) {
    const RunId run = new_run();
    Event done;
    done.seq = 1;
    done.type = EventType::step_completed;
    done.node = "a";
    done.attempt = 1;
    const auto log = log_of(first, {done});
    core.adopt(run, first, log, now, {repin(run)}, {first, second});
    const Flight flight = take_flight();
    ASSERT_EQ(flight.batch.events.size(), 1u);
    EXPECT_EQ(flight.batch.events[0].event.type, EventType::run_repinned);
    EXPECT_EQ(flight.batch.events[0].event.seq, 2);
    ASSERT_EQ(flight.batch.consumed.size(), 1u);
    ASSERT_EQ(flight.batch.projections.repinned.size(), 1u);
    EXPECT_EQ(flight.batch.projections.repinned[0].version, 2);
    EXPECT_TRUE(core.take_orders().empty());  // nothing before that is committed
    commit(flight);
    const auto orders = core.take_orders();
    ASSERT_EQ(orders.size(), 1u);
    EXPECT_EQ(orders[0].program->definition.nodes[orders[0].step.node].id, "c");
    finish(run);
    const Flight last = take_flight();
    ASSERT_EQ(last.batch.closes.size(), 1u);
    EXPECT_EQ(last.batch.closes[0].version, 2);
}

TEST_F(CoreRepin, OneThatWouldBreakGoesOnAsItWas) {
    const RunId run = new_run();
    core.adopt(run, first, log_of(first), now, {repin(run)}, {first, other});
    const Flight flight = take_flight();
    ASSERT_EQ(flight.batch.events.size(), 1u);
    EXPECT_TRUE(plan::was_refused(flight.batch.events[0].event));
    EXPECT_TRUE(flight.batch.projections.empty());
    commit(flight);
    ASSERT_EQ(core.take_orders().size(), 1u);
}

TEST_F(CoreRepin, AnUnknownVersionIsRefused) {
    const RunId run = new_run();
    core.adopt(run, first, log_of(first), now, {repin(run)}, {first});
    const Flight flight = take_flight();
    ASSERT_EQ(flight.batch.events.size(), 1u);
    EXPECT_TRUE(plan::was_refused(flight.batch.events[0].event));
    EXPECT_EQ(flight.batch.consumed.size(), 1u);
}

TEST_F(CoreRepin, ALogOfTwoVersionsIsTakenUpWithBoth) {
    const RunId run = new_run();
    plan::RunState state = plan::fold(first->definition, log_of(first));
    const plan::Crossing crossing(first->definition, second->definition, {});
    auto log = log_of(first);
    log.push_back(plan::repin(crossing, state, json::object{{"version", 2}}, {now, 0.5}));
    core.adopt(run, second, log, now, {}, {first, second});
    ASSERT_EQ(core.take_orders().size(), 1u);
    EXPECT_EQ(core.state_of(run)->version, 2);
}

// A copy of a failed run that waits for something: its first worker announces what it waits for,
// also when another worker held it before.
TEST_F(CoreRepin, ACopyThatWasHeldIsStillACopy) {
    const auto waits = program("{name: w, steps: [{id: a, wait: {event: paid, key: k}}]}");
    const RunId original = adopt(waits);
    auto log = log_of(waits);
    for (const auto& row : take_flight().batch.events) {
        EXPECT_EQ(row.run, original);
        log.push_back(row.event);
    }
    log.front().data.as_object()["copied"] = log.size() - 1;
    for (int held = 0; held < 2; ++held) {
        Core taken(CoreOptions{}, rng);
        taken.adopt(new_run(), waits, log, now);
        const auto flight = taken.next_flight(now);
        ASSERT_TRUE(flight);
        EXPECT_EQ(flight->batch.projections.subscribes.size(), 1u) << held;
        Event event;
        event.seq = static_cast<std::int32_t>(log.size());
        event.type = EventType::run_held;
        event.data = json::object{{"version", 1}, {"reason", "not known"}};
        log.push_back(event);
    }
}

}  // namespace
}  // namespace pawl::engine
