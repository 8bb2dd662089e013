#include "store/under_test.hpp"
#include "store/working.hpp"

namespace pawl::test {
namespace {

using namespace std::chrono_literals;

template <class T>
class Workers : public Conformance<T> {};
TYPED_TEST_SUITE(Workers, Stores, StoreNames);

TYPED_TEST(Workers, RegisterAndHeartbeatTellTheTime) {
    auto& db = this->db_;
    const auto before = db.now();
    const store::WorkerInfo info{new_worker_id(), "host", 1, "v"};
    EXPECT_GE(db.register_worker(info), before);
    EXPECT_GE(db.heartbeat(info.id), before);
    EXPECT_EQ(failure_of([&] { db.register_worker(info); }), Errc::conflict);
    EXPECT_EQ(db.health().workers, 1);
}

TYPED_TEST(Workers, SweepTakesTheSilentOnesAndFreesTheirRuns) {
    auto& db = this->db_;
    const auto silent = db.worker();
    const auto first = db.run(silent);
    const auto second = db.run(silent);
    const auto waiting = db.parked_run(silent);
    db.elapse(1min);
    const auto alive = db.worker();
    const auto held = db.run(alive);
    EXPECT_TRUE(db.sweep(2min).empty());

    const auto swept = db.sweep(30s);
    ASSERT_EQ(swept.size(), 1u);
    EXPECT_EQ(swept[0].worker, silent);
    EXPECT_EQ(swept[0].runs, 2);
    EXPECT_EQ(db.status(first), "queued");
    EXPECT_EQ(db.status(waiting), "waiting");
    EXPECT_EQ(db.status(held), "running");
    EXPECT_EQ(db.claim_ids(alive), (std::vector{first, second}));
    EXPECT_TRUE(db.sweep(30s).empty());
}

TYPED_TEST(Workers, AHeartbeatKeepsAWorkerAlive) {
    auto& db = this->db_;
    const auto worker = db.worker();
    db.elapse(1min);
    db.heartbeat(worker);
    EXPECT_TRUE(db.sweep(30s).empty());
}

TYPED_TEST(Workers, ASweptWorkerCanDoNothingAndChangesNothing) {
    auto& db = this->db_;
    const auto worker = db.worker();
    const auto run = db.run(worker);
    db.elapse(1min);
    db.sweep(30s);

    EXPECT_EQ(failure_of([&] { db.heartbeat(worker); }), Errc::fenced);
    EXPECT_EQ(failure_of([&] { db.claim(worker); }), Errc::fenced);
    EXPECT_EQ(failure_of([&] { db.commit(closing(worker, run)); }), Errc::fenced);
    auto resent = closing(worker, run);
    resent.resend = true;
    EXPECT_EQ(failure_of([&] { db.commit(resent); }), Errc::fenced);
    EXPECT_EQ(failure_of([&] { db.commit(parking(worker, run, std::nullopt)); }), Errc::fenced);
    store::StartBatch batch;
    batch.worker = worker;
    batch.runs = {new_run(db.workflow())};
    batch.runs[0].lease = true;
    EXPECT_EQ(failure_of([&] { db.start(batch); }), Errc::fenced);

    EXPECT_EQ(db.status(run), "queued");
    EXPECT_EQ(db.log(run).size(), 1u);
    EXPECT_EQ(db.list({}).size(), 1u);
}

TYPED_TEST(Workers, RetireLeavesNoRunBehind) {
    auto& db = this->db_;
    const auto worker = db.worker();
    const auto run = db.run(worker);
    db.retire(worker);
    EXPECT_EQ(db.status(run), "queued");
    EXPECT_EQ(failure_of([&] { db.heartbeat(worker); }), Errc::fenced);
    EXPECT_EQ(db.claim_ids(db.worker()), std::vector{run});
    db.retire(worker);  // twice is fine
}

TYPED_TEST(Workers, HealthShowsTheBacklogOfAllPriorities) {
    auto& db = this->db_;
    EXPECT_EQ(db.health().ready, 0);
    EXPECT_EQ(db.health().oldest_ready_age_s, 0);
    std::vector<store::NewRun> runs;
    for (std::int16_t i = 0; i < 4; ++i) {
        runs.push_back(new_run(db.workflow()));
        runs.back().priority = i;
        runs.back().due_at = db.now() - 10min * i;
    }
    runs[1].due_at = db.now() + 1h;
    db.start(runs);
    db.run(db.worker());
    const auto health = db.health();
    EXPECT_EQ(health.ready, 3);
    EXPECT_NEAR(health.oldest_ready_age_s, 1800, 30);
    EXPECT_EQ(health.workers, 1);
}

TEST(WorkersPg, SweepWaitsForNoLockButComesBack) {
    PgUnderTest db;
    const auto worker = db.worker();
    const auto run = db.run(worker);
    db.elapse(1min);
    // The worker is in the middle of a batch: its row is locked, as assert_worker does it.
    auto& session = db.database().session();
    session.script("begin; select pawl.assert_worker('" + to_string(worker) + "')");
    EXPECT_TRUE(db.sweep(30s).empty());
    EXPECT_EQ(db.status(run), "running");
    session.script("commit");
    EXPECT_EQ(db.sweep(30s).size(), 1u);
    EXPECT_EQ(db.status(run), "queued");
}

TEST(WorkersPg, HealthSeesWhoHoldsASnapshot) {
    PgUnderTest db;
    auto& session = db.database().session();
    session.script(
        "begin isolation level repeatable read; select count(*) from pawl.event; "
        "select pg_sleep(0.05)"
    );
    EXPECT_GE(db.health().xmin_age_s, 0.05);
    session.script("rollback");
}

// A callback that throws ends the loop that called it; the worker goes on with new ones.
TEST(WorkersPg, LoopsGoOnAfterUnexpectedExceptions) {
    PgUnderTest db;
    db.apply(parse_definition("{name: w, steps: [{name: a, code: work}]}").value());
    Working working(db);
    working.throws = 1;
    Session& session = db.database().session();
    const auto start = [&] { session.value("select pawl.start('w')::text"); };
    start();
    bool thrown = false;
    working.until([&] {
        // The same worker, after it has met it.
        if (!thrown && working.throws == 0) {
            thrown = true;
            for (int i = 0; i < 3; ++i) start();
        }
        return thrown && session.value("select count(*)::text from pawl.run") == "4";
    });
    EXPECT_TRUE(thrown);
}

}  // namespace
}  // namespace pawl::test
