#include "store/under_test.hpp"

#include <algorithm>
#include <set>

namespace pawl::test {
namespace {

using namespace std::chrono_literals;

template <class T>
class StartRuns : public Conformance<T> {};
TYPED_TEST_SUITE(StartRuns, Stores, StoreNames);

TYPED_TEST(StartRuns, WritesEventZeroAndAReadyRun) {
    auto& db = this->db_;
    auto run = new_run(db.workflow());
    run.subject = "order 7";
    EXPECT_TRUE(db.start({run}).empty());

    const auto log = db.log(run.id);
    ASSERT_EQ(log.size(), 1u);
    EXPECT_EQ(log[0].seq, 0);
    EXPECT_EQ(log[0].type, EventType::run_started);
    EXPECT_EQ(log[0].attempt, 0);
    EXPECT_EQ(log[0].node, "");
    EXPECT_EQ(log[0].data, run.data);
    EXPECT_TRUE(log[0].error.is_null());
    const auto summary = db.find(run.id);
    ASSERT_TRUE(summary);
    EXPECT_EQ(summary->status, "queued");
    EXPECT_EQ(summary->workflow, "hello");
    EXPECT_EQ(summary->subject, "order 7");
    EXPECT_EQ(summary->due_at, log[0].at);
    EXPECT_FALSE(summary->closed_at);
    EXPECT_EQ(summary->started_at, Instant(std::chrono::milliseconds(unix_ms_of(run.id.uuid))));
}

TYPED_TEST(StartRuns, WithLeaseBelongsToTheWorkerAtOnce) {
    auto& db = this->db_;
    const auto worker = db.worker();
    const auto other = db.worker();
    store::StartBatch batch;
    batch.worker = worker;
    batch.runs = {new_run(db.workflow()), new_run(db.workflow())};
    batch.runs[0].lease = true;
    db.start(batch);

    EXPECT_EQ(db.status(batch.runs[0].id), "running");
    EXPECT_EQ(db.status(batch.runs[1].id), "queued");
    EXPECT_EQ(db.leased(worker, {}), std::vector{batch.runs[0].id});
    EXPECT_EQ(db.claim_ids(other), std::vector{batch.runs[1].id});
    db.commit(closing(worker, batch.runs[0].id));
    EXPECT_EQ(db.status(batch.runs[0].id), "completed");
}

TYPED_TEST(StartRuns, LeaseWithoutWorkerIsJustReady) {
    auto& db = this->db_;
    auto run = new_run(db.workflow());
    run.lease = true;
    db.start({run});
    EXPECT_EQ(db.status(run.id), "queued");
}

TYPED_TEST(StartRuns, WaitsForItsDueTime) {
    auto& db = this->db_;
    const auto worker = db.worker();
    auto run = new_run(db.workflow());
    run.due_at = db.now() + 1h;
    db.start({run});
    EXPECT_TRUE(db.claim_ids(worker).empty());
    db.elapse(2h);
    EXPECT_EQ(db.claim_ids(worker), std::vector{run.id});
}

TYPED_TEST(StartRuns, SecondRunWithTheSameCorrelationIsNotStarted) {
    auto& db = this->db_;
    auto first = new_run(db.workflow());
    first.correlation = "order-7";
    auto second = new_run(db.workflow());
    second.correlation = "order-7";
    const auto third = new_run(db.workflow());
    EXPECT_TRUE(db.start({first}).empty());

    const auto existing = db.start({second, third});
    ASSERT_EQ(existing.size(), 1u);
    EXPECT_EQ(existing[0].requested, second.id);
    EXPECT_EQ(existing[0].existing, first.id);
    EXPECT_EQ(db.status(second.id), "none");
    EXPECT_TRUE(db.log(second.id).empty());
    EXPECT_EQ(db.status(third.id), "queued");
}

TYPED_TEST(StartRuns, CorrelationOutlivesTheRunAndIsPerWorkflow) {
    auto& db = this->db_;
    const auto worker = db.worker();
    auto first = new_run(db.workflow());
    first.correlation = "k";
    db.start({first});
    db.claim(worker);
    db.commit(closing(worker, first.id));
    auto again = new_run(first.workflow);
    again.correlation = "k";
    auto elsewhere = new_run(db.workflow("other"));
    elsewhere.correlation = "k";
    EXPECT_EQ(db.start({again}).size(), 1u);
    EXPECT_TRUE(db.start({elsewhere}).empty());
}

TYPED_TEST(StartRuns, TwiceTheSameKeyInOneBatchStartsTheLowerId) {
    auto& db = this->db_;
    auto first = new_run(db.workflow());
    auto second = new_run(db.workflow());
    first.correlation = second.correlation = "k";
    const auto existing = db.start({second, first});
    ASSERT_EQ(existing.size(), 1u);
    EXPECT_EQ(existing[0].requested, second.id);
    EXPECT_EQ(existing[0].existing, first.id);
    EXPECT_EQ(db.list({}), std::vector{first.id});
}

TYPED_TEST(StartRuns, TheSameIdTwiceIsAConflictAndChangesNothing) {
    auto& db = this->db_;
    const auto run = new_run(db.workflow());
    db.start({run});
    const auto innocent = new_run(db.workflow());
    EXPECT_EQ(failure_of([&] { db.start({innocent, run}); }), Errc::conflict);
    EXPECT_EQ(db.status(innocent.id), "none");
    EXPECT_TRUE(db.log(innocent.id).empty());
}

TYPED_TEST(StartRuns, AFailedStartTakesNoCorrelation) {
    auto& db = this->db_;
    const auto taken = new_run(db.workflow());
    db.start({taken});
    auto keyed = new_run(db.workflow());
    keyed.correlation = "k";
    EXPECT_EQ(failure_of([&] { db.start({keyed, taken}); }), Errc::conflict);
    auto later = new_run(db.workflow());
    later.correlation = "k";
    EXPECT_TRUE(db.start({later}).empty());
}

TYPED_TEST(StartRuns, ResendAfterItCommittedChangesNothing) {
    auto& db = this->db_;
    const auto worker = db.worker();
    store::StartBatch batch;
    batch.worker = worker;
    batch.runs = {new_run(db.workflow()), new_run(db.workflow())};
    batch.runs[0].lease = true;
    batch.runs[1].correlation = "k";
    db.start(batch);
    // Meanwhile one is at work and the other has moved on.
    db.commit(appending(worker, batch.runs[0].id, {step_completed(1)}));
    const auto other = db.worker();
    db.claim(other);
    batch.resend = true;
    EXPECT_TRUE(db.start(batch).empty());
    EXPECT_EQ(db.log(batch.runs[0].id).size(), 2u);
    EXPECT_EQ(db.status(batch.runs[0].id), "running");
    EXPECT_EQ(db.leased(other, {}), std::vector{batch.runs[1].id});
}

TYPED_TEST(StartRuns, ResendAfterTheRunClosedDoesNotReopenIt) {
    auto& db = this->db_;
    const auto worker = db.worker();
    store::StartBatch batch;
    batch.runs = {new_run(db.workflow())};
    db.start(batch);
    db.claim(worker);
    db.commit(closing(worker, batch.runs[0].id));
    batch.resend = true;
    db.start(batch);
    EXPECT_EQ(db.status(batch.runs[0].id), "completed");
    EXPECT_EQ(db.list({}).size(), 1u);
}

TYPED_TEST(StartRuns, ResendOfWhatNeverCommittedStartsIt) {
    auto& db = this->db_;
    store::StartBatch batch;
    batch.resend = true;
    batch.runs = {new_run(db.workflow()), new_run(db.workflow())};
    batch.runs[1].correlation = "k";
    EXPECT_TRUE(db.start(batch).empty());
    EXPECT_EQ(db.list({}).size(), 2u);
}

TYPED_TEST(StartRuns, AnEmptyBatchIsFine) {
    EXPECT_TRUE(this->db_.start(store::StartBatch{}).empty());
}

TYPED_TEST(StartRuns, BucketsDoNotSeeEachOther) {
    auto& db = this->db_;
    store::StartBatch batch;
    batch.bucket = 3;
    batch.runs = {new_run(db.workflow())};
    batch.runs[0].correlation = "k";
    db.start(batch);
    EXPECT_EQ(db.status(batch.runs[0].id), "none");
    EXPECT_TRUE(db.claim_ids(db.worker()).empty());
    auto same_key = new_run(batch.runs[0].workflow);
    same_key.correlation = "k";
    EXPECT_TRUE(db.start({same_key}).empty());
}

TEST(StartRunsPg, AHundredStartsWithOneKeyAtOnceStartOneRun) {
    PgUnderTest db;
    const auto workflow = db.workflow();
    std::vector<store::StartBatch> batches(100);
    std::vector<asio::awaitable<std::vector<store::Existing>>> calls;
    for (auto& batch : batches) {
        batch.runs = {new_run(workflow), new_run(workflow)};
        batch.runs[0].correlation = "a";
        batch.runs[1].correlation = "b";
        // Half of them name the keys in the other order: no deadlock either.
        if (calls.size() % 2 == 1) std::swap(batch.runs[0], batch.runs[1]);
        calls.push_back(db.store().start_runs(batch));
    }
    const auto answers = db.loop().run_all(std::move(calls));
    const auto started = db.list({});
    ASSERT_EQ(started.size(), 2u);
    std::size_t existing = 0;
    for (const auto& answer : answers) {
        existing += answer.size();
        for (const auto& one : answer) {
            EXPECT_NE(std::find(started.begin(), started.end(), one.existing), started.end());
        }
    }
    EXPECT_EQ(existing, 198u);
}

TEST(StartRunsPg, SqlStartsARunInTheCallersTransaction) {
    PgUnderTest db;
    db.workflow();
    auto& session = db.database().session();
    const auto id = session.value("select pawl.start('hello', '{\"a\": 1}', 'k')::text");
    EXPECT_EQ(session.value("select pawl.start('hello', '{\"a\": 2}', 'k')::text"), id);
    const auto log = db.log(RunId{parse_uuid(id).value()});
    ASSERT_EQ(log.size(), 1u);
    const json::value expected{
        {"workflow", 1},
        {"version", 1},
        {"correlation_id", "k"},
        {"triggered_by", "sql"},
        {"uncounted", true},
        {"input", {{"a", 1}}}};
    EXPECT_EQ(log[0].data, expected);
    EXPECT_EQ(db.claim_ids(db.worker()).size(), 1u);
    EXPECT_THROW(session.value("select pawl.start('unknown')::text"), Failure);
}

}  // namespace
}  // namespace pawl::test
