#include "unit/engine/core_fixture.hpp"

namespace pawl::engine {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

// What a step was given is known again from its definition: with the names that the holder knows.
TEST_F(CoreTest, ARunThatIsTakenUpKnowsItsId) {
    const auto undoable = program(R"(
name: w
nodes:
- {id: a, code: {function: f, input: "{{ run.id }} {{ run.started_at }}"}, compensate: undo}
- {id: b, code: f}
- {id: undo, code: f}
edges: [{from: a, to: b}]
)");
    RunId run = new_run();
    run.uuid.bytes[0] = 1;
    Event done;
    done.type = EventType::step_completed;
    done.seq = 1;
    done.attempt = 1;
    done.node = "a";
    core.adopt(run, undoable, log_of(undoable, {done}), now);
    ASSERT_NE(core.state_of(run), nullptr);
    const plan::RunState& state = *core.state_of(run);
    ASSERT_EQ(state.records.size(), 1U);
    const json::value given(to_string(run) + " " + to_rfc3339(state.started_at));
    EXPECT_EQ(state.records[0].input, given);
    EXPECT_NE(state.started_at, start);
}

TEST_F(CoreTest, ParkingRidesInTheCommitOfItsEvent) {
    const RunId run = adopt(one_step());
    ASSERT_EQ(core.take_orders().size(), 1U);
    finish(run, ErrorClass::retryable);
    const Flight flight = take_flight();
    ASSERT_EQ(flight.batch.events.size(), 1U);
    EXPECT_EQ(flight.batch.events[0].event.type, EventType::step_failed);
    ASSERT_EQ(flight.batch.parks.size(), 1U);
    EXPECT_EQ(flight.batch.parks[0].run, run);
    EXPECT_GE(*flight.batch.parks[0].due_at, now + seconds(10));
    commit(flight);
    EXPECT_EQ(core.held(), 0U);
}

TEST_F(CoreTest, ShortWaitsAreHeld) {
    const RunId run = adopt(one_step("{attempts: 3, base: 100ms}"));
    core.take_orders();
    finish(run, ErrorClass::retryable);
    const Flight flight = take_flight();
    EXPECT_TRUE(flight.batch.parks.empty());
    commit(flight);
    EXPECT_EQ(core.held(), 1U);
    EXPECT_TRUE(core.take_orders().empty());
    ASSERT_TRUE(core.next_timer());
    now = *core.next_timer();
    core.timers_due(now);
    const auto orders = core.take_orders();
    ASSERT_EQ(orders.size(), 1U);
    EXPECT_EQ(orders[0].step.attempt, 2);
}

TEST_F(CoreTest, NothingIsOrderedBeforeTheCommit) {
    const RunId run = adopt(one_step());
    core.take_orders();
    finish(run);
    EXPECT_TRUE(core.take_orders().empty());
    const Flight flight = take_flight();
    EXPECT_TRUE(core.take_orders().empty());
    commit(flight);
    EXPECT_EQ(core.take_orders().size(), 1U);
}

TEST_F(CoreTest, ARunHasOneCommitUnderWay) {
    const RunId run = adopt(one_step("{attempts: 3, base: 1ms}"));
    core.take_orders();
    finish(run, ErrorClass::retryable);
    const Flight flight = take_flight();
    core.signals({cancel(run)}, now);
    EXPECT_FALSE(core.next_flight(now)) << "the cancel waits for the commit before it";
    commit(flight);
    const Flight second = take_flight();
    ASSERT_EQ(second.batch.events.size(), 1U);
    EXPECT_EQ(second.batch.events[0].event.seq, 2);
    EXPECT_EQ(second.batch.events[0].event.type, EventType::run_cancelled);
}

TEST_F(CoreTest, ABatchEndsAtItsLimit) {
    CoreOptions options;
    options.batch_events_max = 2;
    Core small(options, rng);
    const auto line = one_step();
    for (int i = 0; i < 3; ++i) small.adopt(new_run(), line, log_of(line), now);
    for (const RunId run : small.held_runs()) small.step_finished(run, {}, now);
    EXPECT_EQ(small.next_flight(now)->runs.size(), 2U);
    EXPECT_EQ(small.next_flight(now)->runs.size(), 1U);
    EXPECT_FALSE(small.next_flight(now));
}

TEST_F(CoreTest, ClosingLeavesNothingBehind) {
    const RunId run =
        adopt(program("{name: w, timeout: 1m, steps: [{id: a, type: code, function: f}]}"));
    ASSERT_EQ(core.take_orders().size(), 1U);
    EXPECT_EQ(core.next_timer(), start + seconds(60));
    finish(run);
    const Flight flight = take_flight();
    ASSERT_EQ(flight.batch.closes.size(), 1U);
    EXPECT_EQ(flight.batch.closes[0].status, RunStatus::completed);
    commit(flight);
    EXPECT_FALSE(core.next_timer());
    EXPECT_EQ(core.held(), 0U);
    EXPECT_EQ(core.executing(), 0U);
    const auto closed = core.take_closed();
    ASSERT_EQ(closed.size(), 1U);
    EXPECT_EQ(closed[0].run, run);
}

TEST_F(CoreTest, ATimeoutClosesWhatIsExecuting) {
    const RunId run =
        adopt(program("{name: w, timeout: 1m, steps: [{id: a, type: code, function: f}]}"));
    core.take_orders();
    now += seconds(60);
    core.timers_due(now);
    const Flight flight = take_flight();
    ASSERT_EQ(flight.batch.closes.size(), 1U);
    EXPECT_EQ(flight.batch.closes[0].status, RunStatus::failed);
    commit(flight);
    EXPECT_EQ(core.executing(), 0U);
    finish(run);
    EXPECT_FALSE(core.has_pending()) << "a late result is ignored";
}

TEST_F(CoreTest, RoomCountsWhatIsHeldAndReserved) {
    CoreOptions options;
    options.runs_max = 3;
    Core small(options, rng);
    EXPECT_EQ(small.room(), 3U);
    small.reserve(2);
    EXPECT_EQ(small.room(), 1U);
    const auto line = one_step();
    small.adopt(new_run(), line, log_of(line), now);
    EXPECT_EQ(small.room(), 0U);
    small.adopt(new_run(), line, log_of(line), now);
    EXPECT_EQ(small.room(), 0U) << "more than asked for does not wrap around";
    small.unreserve(2);
    EXPECT_EQ(small.room(), 1U);
    small.begin_drain(now);
    EXPECT_EQ(small.room(), 0U);
}

TEST_F(CoreTest, OfLargeRunsFewerAreHeld) {
    CoreOptions options;
    options.bytes_max = 1'000'000;
    Core small(options, rng);
    const auto line = one_step();
    auto log = log_of(line);
    small.adopt(new_run(), line, log, now);
    EXPECT_GT(small.room(), 500U) << "small ones";
    log.front().data.as_object()["input"] = std::string(200'000, 'x');
    small.adopt(new_run(), line, log, now);
    EXPECT_LT(small.room(), 10U) << "the next ones may be as large";
    for (int i = 0; i < 5; ++i) small.adopt(new_run(), line, log, now);
    EXPECT_EQ(small.room(), 0U);
    small.release_all(now);
    auto flight = small.next_flight(now);
    ASSERT_TRUE(flight);
    small.committed(std::move(*flight), now);
    EXPECT_EQ(small.held(), 0U);
}

TEST_F(CoreTest, OneRunIsHeldHoweverLargeItIs) {
    CoreOptions options;
    options.bytes_max = 1000;
    Core small(options, rng);
    EXPECT_GE(small.room(), 1U);
    const auto line = one_step();
    auto log = log_of(line);
    log.front().data.as_object()["input"] = std::string(200'000, 'x');
    const RunId run = new_run();
    small.adopt(run, line, log, now);
    EXPECT_EQ(small.room(), 0U);
    small.signals({cancel(run)}, now);
    small.committed(*small.next_flight(now), now);
    EXPECT_EQ(small.held(), 0U);
    EXPECT_GE(small.room(), 1U);
}

TEST_F(CoreTest, WithoutRoomThereIsSomeForTenantsThatHaveLittle) {
    CoreOptions options;
    options.bytes_max = 100'000;
    Core small(options, rng);
    const auto heavy = of_tenant(2);
    auto log = log_of(heavy);
    log.front().data.as_object()["input"] = std::string(200'000, 'x');
    const RunId run = new_run();
    small.adopt(run, heavy, log, now);
    ASSERT_EQ(small.room(), 0U);
    EXPECT_EQ(small.beside().tenants, std::vector<store::TenantId>{2});
    EXPECT_EQ(small.beside().room, 250U);
    const auto light = of_tenant(3);
    small.adopt(new_run(), light, log_of(light), now);
    EXPECT_EQ(small.beside().tenants.size(), 1U) << "it still has little";
    EXPECT_EQ(small.beside().room, 249U);
    small.drop(run, now);
    EXPECT_TRUE(small.beside().tenants.empty());
    small.begin_drain(now);
    EXPECT_EQ(small.beside().room, 0U);
}

TEST_F(CoreTest, AClaimedRunThatHasToWaitGoesBack) {
    const auto line = one_step();
    Event failed;
    failed.seq = 1;
    failed.type = EventType::step_failed;
    failed.attempt = 1;
    failed.node = "a";
    const Instant retry_at = now + seconds(30);
    failed.data = json::object{{"retry_at", retry_at.time_since_epoch().count()}};
    adopt(line, {failed});
    const Flight flight = take_flight();
    EXPECT_TRUE(flight.batch.events.empty());
    ASSERT_EQ(flight.batch.parks.size(), 1U);
    EXPECT_EQ(flight.batch.parks[0].due_at, retry_at);
    commit(flight);
    EXPECT_EQ(core.held(), 0U);
}

// --- Draining -----------------------------------------------------------------------------------

TEST_F(CoreTest, DrainReleasesWhatIsIdleAndLetsTheRestFinish) {
    const RunId executing = adopt(one_step());
    core.take_orders();
    const RunId idle = adopt(one_step());  // ordered, but not begun
    const RunId waiting =
        adopt(program("{name: w, steps: [{id: a, type: wait, duration: 500ms}]}"));
    commit_all();
    ASSERT_EQ(core.held(), 3U);
    core.begin_drain(now);
    EXPECT_TRUE(core.take_orders().empty());
    const Flight flight = take_flight();
    EXPECT_EQ(flight.batch.parks.size(), 2U);
    for (const store::Park& park : flight.batch.parks) {
        EXPECT_TRUE(park.run == idle || park.run == waiting);
        EXPECT_EQ(park.due_at, now);
    }
    commit(flight);
    EXPECT_EQ(core.held(), 1U);
    EXPECT_EQ(core.executing(), 1U);
    finish(executing);
    const Flight last = take_flight();
    EXPECT_EQ(last.batch.events.size(), 1U);
    EXPECT_EQ(last.batch.parks.size(), 1U) << "it goes away with its result";
    commit(last);
    EXPECT_EQ(core.held(), 0U);
    EXPECT_TRUE(core.take_orders().empty());
}

TEST_F(CoreTest, ThereIsRoomAgainAfterADrain) {
    core.begin_drain(now);
    EXPECT_EQ(core.room(), 0U);
    core.end_drain();
    EXPECT_GT(core.room(), 0U);
    adopt(one_step());
    EXPECT_EQ(core.take_orders().size(), 1U);
    EXPECT_EQ(core.held(), 1U);
}

TEST_F(CoreTest, ReleaseAllLetsGoOfWhatIsExecuting) {
    const RunId run = adopt(one_step());
    core.take_orders();
    core.begin_drain(now);
    EXPECT_FALSE(core.has_pending());
    core.release_all(now);
    EXPECT_EQ(core.executing(), 0U);
    const Flight flight = take_flight();
    ASSERT_EQ(flight.batch.parks.size(), 1U);
    EXPECT_EQ(flight.batch.parks[0].run, run);
    finish(run);
    commit(flight);
    EXPECT_EQ(core.held(), 0U);
    EXPECT_FALSE(core.has_pending());
}

TEST_F(CoreTest, ReleaseAllReachesARunInACommit) {
    const RunId run = adopt(one_step());
    core.take_orders();
    finish(run);
    const Flight flight = take_flight();
    core.release_all(now);
    commit(flight);
    EXPECT_TRUE(core.take_orders().empty());
    EXPECT_EQ(take_flight().batch.parks.size(), 1U);
}

// --- Claimed back -------------------------------------------------------------------------------

TEST_F(CoreTest, ARunClaimedBackWhileItIsReleasedIsKept) {
    const auto line = one_step("{attempts: 3, base: 2s}");
    const RunId run = adopt(line);
    core.take_orders();
    finish(run, ErrorClass::retryable);
    const Flight flight = take_flight();
    ASSERT_EQ(flight.batch.parks.size(), 1U);
    now += seconds(3);
    // The release is through and the wait over, but the answer to the commit is still on its way.
    core.adopt(run, line, log_of(line, {flight.batch.events[0].event}), now);
    EXPECT_EQ(core.held(), 1U);
    EXPECT_TRUE(core.take_orders().empty());
    commit(flight);
    EXPECT_EQ(core.held(), 1U);
    const auto orders = core.take_orders();
    ASSERT_EQ(orders.size(), 1U);
    EXPECT_EQ(orders[0].step.attempt, 2);
}

TEST_F(CoreTest, ARunClaimedBackIsNotReleasedAgain) {
    const auto line = one_step("{attempts: 3, base: 2s}");
    const RunId run = adopt(line);
    const RunId other = adopt(line);
    core.take_orders();
    finish(run, ErrorClass::retryable);
    finish(other, ErrorClass::retryable);
    Flight flight = take_flight();
    ASSERT_EQ(flight.batch.parks.size(), 2U);
    core.adopt(run, line, log_of(line, {flight.batch.events[0].event}), now);
    core.prepare_resend(flight);
    EXPECT_TRUE(flight.batch.resend);
    EXPECT_EQ(flight.batch.events.size(), 2U);
    ASSERT_EQ(flight.batch.parks.size(), 1U);
    EXPECT_EQ(flight.batch.parks[0].run, other);
}

TEST_F(CoreTest, ALateAnswerAboutARunThatIsHeldIsIgnored) {
    const auto line = one_step();
    const RunId run = adopt(line);
    core.take_orders();
    core.adopt(run, line, log_of(line), now);
    EXPECT_TRUE(core.take_orders().empty());
    core.signals({cancel(run)}, now);
    commit_all();
    EXPECT_EQ(core.held(), 0U) << "it does not come back when it is over";
}

}  // namespace
}  // namespace pawl::engine
