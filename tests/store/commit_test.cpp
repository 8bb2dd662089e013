#include "store/under_test.hpp"

namespace pawl::test {
namespace {

using namespace std::chrono_literals;

template <class T>
class CommitRuns : public Conformance<T> {};
TYPED_TEST_SUITE(CommitRuns, Stores, StoreNames);

TYPED_TEST(CommitRuns, AppendsEventsOfSeveralRunsAtOnce) {
    auto& db = this->db_;
    const auto worker = db.worker();
    const auto first = db.run(worker);
    const auto second = db.run(worker);
    auto batch = appending(worker, first, {step_completed(1, "a"), step_completed(2, "b")});
    Event failed = step_completed(1, "c");
    failed.type = EventType::step_failed;
    failed.attempt = 3;
    failed.data = nullptr;
    failed.error = json::object{{"code", "timeout"}};
    batch.events.push_back({second, failed});
    const auto at = db.commit(batch);

    const auto log = db.log(first);
    ASSERT_EQ(log.size(), 3u);
    EXPECT_EQ(log[2].seq, 2);
    EXPECT_EQ(log[2].node, "b");
    EXPECT_EQ(log[2].attempt, 1);
    EXPECT_EQ(log[2].at, at);
    const auto other = db.log(second);
    ASSERT_EQ(other.size(), 2u);
    EXPECT_EQ(other[1].type, EventType::step_failed);
    EXPECT_EQ(other[1].attempt, 3);
    EXPECT_TRUE(other[1].data.is_null());
    EXPECT_EQ(other[1].error, failed.error);
    EXPECT_EQ(db.status(first), "running");
}

TYPED_TEST(CommitRuns, WhatIsPutOffWaitsWhateverMessagesItHas) {
    auto& db = this->db_;
    const auto worker = db.worker();
    const auto first = db.run(worker);
    const auto second = db.run(worker);
    ASSERT_TRUE(db.cancel(first));
    ASSERT_TRUE(db.cancel(second));
    const auto park = [&](RunId run, bool put_off) {
        auto batch = appending(worker, run, {});
        batch.parks.push_back({run, db.now() + 1h});
        batch.put_off = put_off;
        db.commit(batch);
    };
    park(first, true);
    park(second, false);
    EXPECT_EQ(db.claim_ids(worker), std::vector{second});
    db.elapse(2h);
    EXPECT_EQ(db.claim_ids(worker), std::vector{first});
}

TYPED_TEST(CommitRuns, ASequenceNumberIsWrittenOnce) {
    auto& db = this->db_;
    const auto worker = db.worker();
    const auto run = db.run(worker);
    db.commit(appending(worker, run, {step_completed(1, "first")}));
    auto again = appending(worker, run, {step_completed(2), step_completed(1, "second")});
    again.parks.push_back({run, std::nullopt});
    EXPECT_EQ(failure_of([&] { db.commit(again); }), Errc::conflict);
    const auto log = db.log(run);
    ASSERT_EQ(log.size(), 2u);
    EXPECT_EQ(log[1].node, "first");
    EXPECT_EQ(db.status(run), "running");
}

TYPED_TEST(CommitRuns, ParksUntilATimeOrUntilASignal) {
    auto& db = this->db_;
    const auto worker = db.worker();
    const auto due = db.now() + 1h;
    const auto sleeping = db.parked_run(worker, due);
    const auto waiting = db.parked_run(worker);
    EXPECT_EQ(db.status(sleeping), "waiting");
    EXPECT_EQ(db.find(sleeping)->due_at, due);
    EXPECT_EQ(db.status(waiting), "waiting");
    EXPECT_TRUE(db.claim_ids(worker).empty());
    EXPECT_TRUE(db.leased(worker, {}).empty());
    db.elapse(2h);
    EXPECT_EQ(db.claim_ids(worker), std::vector{sleeping});
}

TYPED_TEST(CommitRuns, ReleasingIsParkingUntilNow) {
    auto& db = this->db_;
    const auto worker = db.worker();
    const auto run = db.run(worker);
    db.commit(parking(worker, run, db.now()));
    EXPECT_EQ(db.claim_ids(db.worker()), std::vector{run});
}

TYPED_TEST(CommitRuns, OnlyTheHolderParks) {
    auto& db = this->db_;
    const auto worker = db.worker();
    const auto run = db.run(worker);
    const auto other = db.worker();
    EXPECT_EQ(failure_of([&] { db.commit(parking(other, run, std::nullopt)); }), Errc::not_held);
    EXPECT_EQ(db.status(run), "running");
    EXPECT_EQ(db.leased(worker, {}), std::vector{run});
}

TYPED_TEST(CommitRuns, CloseMovesTheRunFromOpenToClosed) {
    auto& db = this->db_;
    const auto worker = db.worker();
    const auto run = db.run(worker);
    const auto batch = closing(worker, run);
    const auto at = db.commit(batch);
    const auto summary = db.find(run);
    ASSERT_TRUE(summary);
    EXPECT_EQ(summary->status, "completed");
    EXPECT_EQ(summary->workflow, "hello");
    EXPECT_EQ(summary->subject, "order 7");
    EXPECT_EQ(summary->started_at, batch.closes[0].started_at);
    EXPECT_EQ(summary->closed_at, at);
    EXPECT_FALSE(summary->due_at);
    EXPECT_EQ(summary->output, batch.closes[0].output);
    EXPECT_TRUE(summary->error.is_null());
    EXPECT_EQ(db.log(run).size(), 2u);
    EXPECT_TRUE(db.leased(worker, {}).empty());
}

TYPED_TEST(CommitRuns, ClosesEveryWayARunCanEnd) {
    auto& db = this->db_;
    const auto worker = db.worker();
    for (const auto status : {RunStatus::completed, RunStatus::failed, RunStatus::cancelled}) {
        const auto run = db.run(worker);
        const auto batch = closing(worker, run, status);
        db.commit(batch);
        EXPECT_EQ(db.status(run), name(status));
        EXPECT_EQ(db.find(run)->error, batch.closes[0].error);
    }
    const auto open = db.run(worker);
    const auto batch = closing(worker, open, RunStatus::running);
    EXPECT_EQ(failure_of([&] { db.commit(batch); }), Errc::conflict);
    EXPECT_EQ(db.status(open), "running");
    EXPECT_EQ(db.log(open).size(), 1u);
}

TYPED_TEST(CommitRuns, ManyThingsInOneBatch) {
    auto& db = this->db_;
    const auto worker = db.worker();
    const auto going_on = db.run(worker);
    const auto parked = db.run(worker);
    const auto closed = db.run(worker);
    auto batch = closing(worker, closed);
    batch.events.push_back({going_on, step_completed(1)});
    batch.events.push_back({parked, step_completed(1)});
    batch.parks.push_back({parked, std::nullopt});
    db.commit(batch);
    EXPECT_EQ(db.status(going_on), "running");
    EXPECT_EQ(db.status(parked), "waiting");
    EXPECT_EQ(db.status(closed), "completed");
    EXPECT_EQ(db.log(going_on).size(), 2u);
    EXPECT_EQ(db.log(parked).size(), 2u);
}

TYPED_TEST(CommitRuns, AnEmptyBatchTellsTheTime) {
    auto& db = this->db_;
    store::CommitBatch batch;
    batch.worker = db.worker();
    const auto before = db.now();
    EXPECT_GE(db.commit(batch), before);
}

// --- Resending: the outcome of a batch was lost -------------------------------------------------

TYPED_TEST(CommitRuns, ResendOfAnAppend) {
    auto& db = this->db_;
    const auto worker = db.worker();
    const auto run = db.run(worker);
    auto batch = appending(worker, run, {step_completed(1, "original"), step_completed(2)});
    db.commit(batch);
    batch.resend = true;
    db.commit(batch);
    EXPECT_EQ(db.log(run).size(), 3u);
    // Not what stands there: it was another writer's.
    batch.events[0].event.node = "other";
    EXPECT_EQ(failure_of([&] { db.commit(batch); }), Errc::not_held);
    const auto log = db.log(run);
    ASSERT_EQ(log.size(), 3u);
    EXPECT_EQ(log[1].node, "original");

    auto lost = appending(worker, run, {step_completed(3)});
    lost.resend = true;
    db.commit(lost);
    EXPECT_EQ(db.log(run).size(), 4u);
}

TYPED_TEST(CommitRuns, ResendOfAPark) {
    auto& db = this->db_;
    const auto worker = db.worker();
    const auto run = db.run(worker);
    auto batch = appending(worker, run, {step_completed(1)});
    batch.parks.push_back({run, db.now() + 1h});
    db.commit(batch);
    batch.resend = true;
    db.commit(batch);
    EXPECT_EQ(db.status(run), "waiting");
    EXPECT_EQ(db.find(run)->due_at, batch.parks[0].due_at);
    EXPECT_EQ(db.log(run).size(), 2u);

    const auto other = db.run(worker);
    auto lost = parking(worker, other, std::nullopt);
    lost.resend = true;
    db.commit(lost);
    EXPECT_EQ(db.status(other), "waiting");
}

TYPED_TEST(CommitRuns, ResendOfAParkDoesNotTakeTheRunFromItsNextHolder) {
    auto& db = this->db_;
    const auto worker = db.worker();
    const auto next = db.worker();
    const auto run = db.run(worker);
    auto batch = parking(worker, run, db.now());
    db.commit(batch);
    EXPECT_EQ(db.claim_ids(next), std::vector{run});
    batch.resend = true;
    db.commit(batch);
    EXPECT_EQ(db.leased(next, {}), std::vector{run});
}

TYPED_TEST(CommitRuns, ResendOfAClose) {
    auto& db = this->db_;
    const auto worker = db.worker();
    const auto run = db.run(worker);
    auto batch = closing(worker, run);
    const auto closed_at = db.commit(batch);
    db.elapse(1h);
    batch.resend = true;
    db.commit(batch);
    EXPECT_EQ(db.status(run), "completed");
    EXPECT_EQ(db.find(run)->closed_at, closed_at);
    EXPECT_EQ(db.log(run).size(), 2u);
    EXPECT_EQ(db.list({}).size(), 1u);

    const auto other = db.run(worker);
    auto lost = closing(worker, other, RunStatus::failed);
    lost.resend = true;
    db.commit(lost);
    EXPECT_EQ(db.status(other), "failed");
}

// --- Dead letters -------------------------------------------------------------------------------

TEST(CommitRunsPg, FailedRunsLeaveADeadLetterWithAFingerprint) {
    PgUnderTest db;
    const auto worker = db.worker();
    std::vector<RunId> runs;
    const auto fail = [&](const char* message, const char* node) {
        runs.push_back(db.run(worker));
        auto batch = closing(worker, runs.back(), RunStatus::failed);
        batch.closes[0].node = node;
        batch.closes[0].error = json::object{{"code", "http_503"}, {"message", message}};
        db.commit(batch);
        // A resend leaves one letter, not two.
        batch.resend = true;
        db.commit(batch);
    };
    fail("order 17 at 0190a1b2-c3d4-7e5f-8899-aabbccddeeff failed", "step_1");
    fail("order 4711 at 0190ffff-c3d4-7e5f-8899-000000000001 failed", "step_1");
    fail("order 17 refused", "step_1");
    fail("order 17 refused", "step_2");
    db.commit(closing(worker, db.run(worker), RunStatus::cancelled));
    db.commit(closing(worker, db.run(worker), RunStatus::completed));

    auto& session = db.database().session();
    const auto prints = session.column("select fingerprint from pawl.dead_letter order by run_id");
    ASSERT_EQ(prints.size(), 4u);
    EXPECT_EQ(prints[0], prints[1]);  // numbers and ids do not matter
    EXPECT_NE(prints[0], prints[2]);
    EXPECT_NE(prints[2], prints[3]);  // the place does
    EXPECT_EQ(
        session.value("select node || ' ' || (error ->> 'code') from pawl.dead_letter limit 1"),
        "step_1 http_503"
    );
}

TYPED_TEST(CommitRuns, ARepinIsSeenInTheRunAndMayBeSentAgain) {
    auto& db = this->db_;
    const auto worker = db.worker();
    const auto run = db.run(worker);
    Event event;
    event.seq = 1;
    event.type = EventType::run_repinned;
    event.data = json::object{{"version", 2}, {"from", 1}};
    auto batch = appending(worker, run, {event});
    batch.projections.repinned.push_back({run, 2});
    db.commit(batch);
    EXPECT_EQ(db.find(run)->version, 2);
    batch.resend = true;
    db.commit(batch);
    EXPECT_EQ(db.find(run)->version, 2);
    EXPECT_EQ(db.log(run).size(), 2u);
}

TEST(CommitRunsPg, AFailureWithoutAnErrorStillLeavesALetter) {
    PgUnderTest db;
    const auto worker = db.worker();
    auto batch = closing(worker, db.run(worker), RunStatus::failed);
    batch.closes[0].error = nullptr;
    batch.closes[0].node = "";
    db.commit(batch);
    EXPECT_EQ(db.database().session().value("select count(*)::text from pawl.dead_letter"), "1");
}

}  // namespace
}  // namespace pawl::test
