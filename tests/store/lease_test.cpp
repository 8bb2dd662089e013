#include "engine/worker/commit_refusal.hpp"
#include "store/under_test.hpp"

#include <algorithm>

// A commit writes for the runs that the database has with its worker, and for no other.
namespace pawl::test {
namespace {

using namespace std::chrono_literals;

template <class T>
class Leases : public Conformance<T> {
protected:
    // The runs that a refused commit names.
    std::vector<RunId> refused(const store::CommitBatch& batch) {
        try {
            this->db_.commit(batch);
        } catch (const Failure& failure) {
            EXPECT_EQ(failure.error().code, Errc::not_held) << failure.what();
            return engine::named_runs(failure.error());
        }
        ADD_FAILURE() << "the commit went through";
        return {};
    }
};
TYPED_TEST_SUITE(Leases, Stores, StoreNames);

TYPED_TEST(Leases, WhatAnotherWorkerHoldsIsNotWritten) {
    auto& db = this->db_;
    const auto holder = db.worker();
    const auto other = db.worker();
    const auto run = db.run(holder);
    const auto own = db.run(other);
    for (auto batch :
         {appending(other, run, {step_completed(1)}),
          closing(other, run),
          parking(other, run, std::nullopt)}) {
        batch.events.push_back({own, step_completed(1)});
        EXPECT_EQ(this->refused(batch), std::vector{run});
    }
    EXPECT_EQ(db.log(run).size(), 1u);
    EXPECT_EQ(db.log(own).size(), 1u) << "all of it or nothing";
    db.commit(closing(holder, run));
    EXPECT_EQ(db.status(run), "completed");
}

TYPED_TEST(Leases, WhatNoWorkerHoldsIsNotWritten) {
    auto& db = this->db_;
    const auto worker = db.worker();
    const auto run = db.run();
    EXPECT_EQ(this->refused(closing(worker, run)), std::vector{run});
    EXPECT_EQ(db.status(run), "queued");
    EXPECT_EQ(db.claim_ids(worker), std::vector{run});
    db.commit(closing(worker, run));
    EXPECT_EQ(this->refused(appending(worker, run, {step_completed(2)})), std::vector{run});
}

TYPED_TEST(Leases, AResendThatWentThroughDisturbsTheNextHolderInNothing) {
    auto& db = this->db_;
    const auto first = db.worker();
    const auto second = db.worker();
    const auto run = db.run(first);
    auto batch = appending(first, run, {step_completed(1)});
    batch.parks.push_back({run, db.now()});
    db.commit(batch);
    EXPECT_EQ(db.claim_ids(second), std::vector{run});
    batch.resend = true;
    db.commit(batch);
    EXPECT_EQ(db.leased(second, {}), std::vector{run});
    EXPECT_EQ(db.log(run).size(), 2u);
}

TYPED_TEST(Leases, AResendThatDidNotGoThroughIsRefusedWhenAnotherWorkerHasTheRun) {
    auto& db = this->db_;
    const auto first = db.worker();
    const auto second = db.worker();
    const auto run = db.run(second);
    auto batch = closing(first, run);
    batch.resend = true;
    EXPECT_EQ(this->refused(batch), std::vector{run});
    // Also when that worker has written something else in its place.
    db.commit(appending(second, run, {step_completed(1, "other")}));
    EXPECT_EQ(this->refused(batch), std::vector{run});
    EXPECT_EQ(db.status(run), "running");
}

TYPED_TEST(Leases, AResendConsumesNothingOfARunThatIsGone) {
    auto& db = this->db_;
    const auto first = db.worker();
    const auto second = db.worker();
    const auto run = db.run(second);
    db.cancel(run);
    auto batch = appending(first, run, {});
    batch.consumed = db.signals(second);
    ASSERT_EQ(batch.consumed.size(), 1u);
    batch.resend = true;
    db.commit(batch);
    EXPECT_EQ(db.signals(second).size(), 1u);
}

TYPED_TEST(Leases, AMessageIsConsumedOnce) {
    auto& db = this->db_;
    const auto worker = db.worker();
    const auto run = db.run(worker);
    db.cancel(run);
    auto batch = appending(worker, run, {step_completed(1)});
    batch.consumed = db.signals(worker);
    db.commit(batch);
    batch.events[0].event.seq = 2;
    EXPECT_EQ(failure_of([&] { db.commit(batch); }), Errc::not_held);
    EXPECT_EQ(db.log(run).size(), 2u);
}

// What a crash of the database does to a claim, which does not wait for the disk.
TEST(LeasesPg, AClaimThatACrashTookBack) {
    PgUnderTest db;
    auto& session = db.database().session();
    const auto first = db.worker();
    const auto second = db.worker();
    const auto run = db.run();
    ASSERT_EQ(db.claim_ids(first), std::vector{run});
    session.script("update pawl.live_run set state = 0, worker = null");
    EXPECT_EQ(failure_of([&] { db.commit(closing(first, run)); }), Errc::not_held);
    ASSERT_EQ(db.claim_ids(second), std::vector{run});
    EXPECT_EQ(failure_of([&] { db.commit(closing(first, run)); }), Errc::not_held);
    db.commit(closing(second, run));
    EXPECT_EQ(session.value("select count(*)::text from pawl.live_run"), "0");
    EXPECT_EQ(session.value("select count(*)::text from pawl.run"), "1");
}

// A state that earlier releases could make.
TEST(LeasesPg, WhatIsOpenOfAClosedRunIsRemoved) {
    PgUnderTest db;
    auto& session = db.database().session();
    const auto worker = db.worker();
    const auto closed = db.run(worker);
    const auto open = db.run(worker);
    session.script("create table kept as select * from pawl.live_run");
    db.commit(closing(worker, closed));
    session.script("truncate pawl.live_run; insert into pawl.live_run select * from kept");
    EXPECT_EQ(session.value("select count(*)::text from pawl.mend_runs(0::smallint)"), "1");
    EXPECT_EQ(db.leased(worker, {}), std::vector{open});
    EXPECT_EQ(session.value("select count(*)::text from pawl.mend_runs(0::smallint)"), "0");
}

// One whose subscription another session held is put on a list again; by then the run may wait
// anew.
TEST(LeasesPg, AWaitThatStandsInTwoListsGetsItsEventOnce) {
    PgUnderTest db;
    auto& session = db.database().session();
    const auto worker = db.worker();
    const auto run = db.run(worker);
    for (const char* id : {"e1", "e2"}) {
        store::OutsideEvent event;
        event.id = id;
        event.name = "paid";
        event.key = "k1";
        db.publish({event});
    }
    EXPECT_EQ(db.match().delivered, 0);
    auto batch = appending(worker, run, {step_completed(1)});
    batch.parks.push_back({run, std::nullopt});
    const Instant since = Instant(std::chrono::milliseconds(unix_ms_of(run.uuid))) - 1s;
    batch.projections.subscribes.push_back({run, 0, 1, "paid", "k1", since});
    db.commit(batch);
    session.script(
        "insert into pawl.subscription_check (bucket, runs, tokens, ordinals) "
        "select bucket, runs, tokens, ordinals from pawl.subscription_check"
    );
    EXPECT_EQ(db.match().delivered, 1);
    EXPECT_EQ(session.value("select count(*)::text from pawl.signal"), "1");
}

class LeaseRows : public Leases<PgUnderTest> {
protected:
    Session& session_ = db_.database().session();
};

// The first commit of a run that its starter keeps reads the row there.
TEST_F(LeaseRows, AStartTellsWhereTheRowsStand) {
    const auto worker = db_.worker();
    db_.run(worker);
    session_.script("begin");
    session_.script(
        "select from pawl.start_runs(0::smallint, '" + to_string(worker.uuid) +
        "', false, array['00000000-0000-7000-8000-000000000001', "
        "'00000000-0000-7000-8000-000000000002']::uuid[], array[1, 1], array[1, 1], array[1, 1], "
        "null, array[0, 0]::smallint[], null, array['{}', '{}']::jsonb[], null, "
        "array[true, true], '{}')"
    );
    const auto told = session_.value("select current_setting('pawl.rows')");
    EXPECT_EQ(
        told,
        session_.value("select array_agg(ctid order by run_id)::text from pawl.live_run where "
                       "run_id < '00000000-0000-7000-8000-000000000003'")
    );
    EXPECT_NE(told, "");
    session_.script("rollback");
}

// What a worker knows of the rows from its last commit is a hint: the rows may have moved since, be
// with another worker, or others may stand in their places.
TEST_F(LeaseRows, WhereARowStoodIsNoProofOfHoldingIt) {
    const auto worker = db_.worker();
    const auto other = db_.worker();
    const auto moved = db_.run(worker);
    const auto lost = db_.run(worker);
    const auto stays = db_.run(worker);
    auto batch = appending(worker, moved, {step_completed(1)});
    batch.events.push_back({lost, step_completed(1)});
    batch.events.push_back({stays, step_completed(1)});
    db_.commit(batch);
    // The other takes the place that the first one had.
    session_.script(
        "update pawl.live_run set priority = priority where run_id = '" + to_string(moved) + "'"
    );
    session_.script("vacuum full pawl.live_run");
    batch = appending(worker, moved, {step_completed(2)});
    batch.events.push_back({stays, step_completed(2)});
    db_.commit(batch);
    session_.script(
        "update pawl.live_run set worker = '" + to_string(other.uuid) + "' where run_id = '" +
        to_string(lost) + "'"
    );
    batch = appending(worker, stays, {step_completed(3)});
    batch.events.push_back({lost, step_completed(2)});
    EXPECT_EQ(refused(batch), std::vector{lost});
    EXPECT_EQ(db_.log(stays).size(), 3u);
    db_.commit(closing(worker, moved, RunStatus::completed, 3));
    db_.commit(appending(worker, stays, {step_completed(3)}));
    EXPECT_EQ(db_.log(stays).size(), 4u);
    EXPECT_EQ(db_.status(moved), "completed");
    EXPECT_EQ(db_.status(stays), "running");
}

}  // namespace
}  // namespace pawl::test
