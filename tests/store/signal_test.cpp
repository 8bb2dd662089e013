#include "store/under_test.hpp"

#include <fmt/core.h>

#include <algorithm>

namespace pawl::test {
namespace {

using namespace std::chrono_literals;

template <class T>
class Signals : public Conformance<T> {};
TYPED_TEST_SUITE(Signals, Stores, StoreNames);

TYPED_TEST(Signals, CancelOfAReadyRunComesWithTheClaim) {
    auto& db = this->db_;
    const auto worker = db.worker();
    auto asleep = new_run(db.workflow());
    asleep.due_at = db.now() + 1h;
    db.start({asleep});
    EXPECT_TRUE(db.cancel(asleep.id, "changed my mind"));
    const auto claimed = db.claim(worker);
    ASSERT_EQ(claimed.log.size(), 1u);
    ASSERT_EQ(claimed.signals.size(), 1u);
    EXPECT_EQ(claimed.signals[0].run, asleep.id);
    EXPECT_EQ(claimed.signals[0].kind, "cancel");
    const json::value expected{{"reason", "changed my mind"}};
    EXPECT_EQ(claimed.signals[0].data, expected);
}

TYPED_TEST(Signals, CancelDoesNotDelayARunThatIsDue) {
    auto& db = this->db_;
    auto run = new_run(db.workflow());
    run.due_at = db.now() - 1h;
    db.start({run});
    db.cancel(run.id);
    EXPECT_EQ(db.find(run.id)->due_at, run.due_at);
}

TYPED_TEST(Signals, CancelWakesAParkedRun) {
    auto& db = this->db_;
    const auto worker = db.worker();
    const auto run = db.parked_run(worker);
    EXPECT_TRUE(db.cancel(run));
    EXPECT_EQ(db.status(run), "queued");
    EXPECT_EQ(db.claim(worker).signals.size(), 1u);
}

TYPED_TEST(Signals, CancelOfALeasedRunWaitsForItsHolder) {
    auto& db = this->db_;
    const auto worker = db.worker();
    const auto other = db.worker();
    const auto run = db.run(worker);
    EXPECT_TRUE(db.cancel(run));
    EXPECT_EQ(db.status(run), "running");
    EXPECT_TRUE(db.signals(other).empty());
    const auto signals = db.signals(worker);
    ASSERT_EQ(signals.size(), 1u);

    auto batch = closing(worker, run, RunStatus::cancelled);
    batch.consumed = signals;
    db.commit(batch);
    EXPECT_TRUE(db.signals(worker).empty());
    EXPECT_EQ(db.status(run), "cancelled");
}

TYPED_TEST(Signals, ConsumedOnceAlsoWhenResent) {
    auto& db = this->db_;
    const auto worker = db.worker();
    const auto run = db.run(worker);
    db.cancel(run, "first");
    auto batch = appending(worker, run, {step_completed(1)});
    batch.consumed = db.signals(worker);
    db.commit(batch);
    db.cancel(run, "second");
    batch.resend = true;
    db.commit(batch);
    const auto left = db.signals(worker);
    ASSERT_EQ(left.size(), 1u);
    const json::value expected{{"reason", "second"}};
    EXPECT_EQ(left[0].data, expected);
}

TYPED_TEST(Signals, NothingToCancelInAClosedOrUnknownRun) {
    auto& db = this->db_;
    const auto worker = db.worker();
    const auto run = db.run(worker);
    db.commit(closing(worker, run));
    EXPECT_FALSE(db.cancel(run));
    EXPECT_FALSE(db.cancel(new_run_id()));
    EXPECT_EQ(db.status(run), "completed");
}

TYPED_TEST(Signals, ASignalThatCameBeforeTheParkMakesTheRunReadyAgain) {
    auto& db = this->db_;
    const auto worker = db.worker();
    for (const std::optional<Instant> due :
         {std::optional<Instant>(), std::optional(db.now() + 1h)}) {
        const auto run = db.run(worker);
        db.cancel(run);
        db.commit(parking(worker, run, due));
        EXPECT_EQ(db.status(run), "queued");
        const auto claimed = db.claim(worker);
        EXPECT_EQ(claimed.log.size(), 1u);
        ASSERT_EQ(claimed.signals.size(), 1u);
        auto close = closing(worker, run, RunStatus::cancelled);
        close.consumed = claimed.signals;
        db.commit(close);
    }
}

TYPED_TEST(Signals, AParkThatConsumesTheSignalStaysParked) {
    auto& db = this->db_;
    const auto worker = db.worker();
    const auto run = db.run(worker);
    db.cancel(run);
    auto batch = parking(worker, run, std::nullopt);
    batch.consumed = db.signals(worker);
    db.commit(batch);
    EXPECT_EQ(db.status(run), "waiting");
}

TYPED_TEST(Signals, CloseTakesWhatNoWorkerWillRead) {
    auto& db = this->db_;
    const auto worker = db.worker();
    const auto run = db.run(worker);
    db.cancel(run);
    db.commit(closing(worker, run));
    EXPECT_TRUE(db.signals(worker).empty());
    EXPECT_TRUE(db.claim(worker).signals.empty());
}

// The two orders of a park and a cancel that meet at the row lock. One session is held open in the
// middle; the other must wait for it and then see what it did.
class ParkMeetsCancel : public ::testing::Test {
protected:
    // Runs `action` while the session's transaction is open, and commits that one once `action`
    // waits for it.
    template <class T>
    T meet(asio::awaitable<T> action) {
        bool committed = false;
        const auto commit_when_waited_for = [&] {
            if (committed || watcher_.value(waiting_) == "0") return;
            session_.script("commit");
            committed = true;
        };
        const auto result = db_.loop().run_beside(std::move(action), commit_when_waited_for);
        EXPECT_TRUE(committed) << "the action did not wait: the two did not meet";
        return result;
    }

    PgUnderTest db_;
    Session& session_ = db_.database().session();
    Session watcher_{db_.database().url()};
    const std::string waiting_ =
        "select count(*)::text from pg_locks where not granted and pid <> pg_backend_pid()";
    WorkerId worker_ = db_.worker();
    RunId run_ = db_.run(worker_);
};

TEST_F(ParkMeetsCancel, CancelFirst) {
    session_.script(
        "begin; select pawl.request_cancel(0::smallint, '" + to_string(run_) + "', 'test')"
    );
    const auto batch = parking(worker_, run_, std::nullopt);
    meet(db_.store().commit_runs(batch));
    EXPECT_EQ(db_.status(run_), "queued");
    EXPECT_EQ(db_.claim(worker_).signals.size(), 1u);
}

TEST_F(ParkMeetsCancel, ParkFirst) {
    session_.script(
        "begin; update pawl.live_run set state = 2, worker = null where run_id = '" +
        to_string(run_) + "'"
    );
    EXPECT_TRUE(meet(db_.store().request_cancel(0, run_, {"test"})));
    EXPECT_EQ(db_.status(run_), "queued");
    EXPECT_EQ(db_.claim(worker_).signals.size(), 1u);
}

TEST_F(ParkMeetsCancel, CloseFirst) {
    session_.script("begin; delete from pawl.live_run where run_id = '" + to_string(run_) + "'");
    EXPECT_FALSE(meet(db_.store().request_cancel(0, run_, {"test"})));
    EXPECT_EQ(session_.value("select count(*)::text from pawl.signal"), "0");
}

// A message from SQL is settled, which rewrites its row, while its run's holder takes it in.
TEST_F(ParkMeetsCancel, AMessageThatIsRewrittenIsTakenInOnce) {
    session_.value("select pawl.signal('" + to_string(run_) + "', 'go')::text");
    auto batch = appending(worker_, run_, {step_completed(1)});
    batch.consumed = db_.signals(worker_);
    ASSERT_EQ(batch.consumed.size(), 1u);
    session_.script("begin; select pawl.settle_signals(0::smallint, 100)");
    meet(db_.store().commit_runs(batch));
    EXPECT_TRUE(db_.signals(worker_).empty());
    EXPECT_EQ(session_.value("select count(*)::text from pawl.signal"), "0");
}

// The first is not settled yet, the second came by the other door: they were acknowledged in turn.
TEST_F(ParkMeetsCancel, AMessageFromSqlIsNotOvertaken) {
    session_.value("select pawl.signal('" + to_string(run_) + "', 'first')::text");
    db_.loop().run(db_.store().send_signals(0, {{run_, "signal", json::object{{"name", "second"}}}})
    );
    std::vector<std::string> names;
    for (const auto& signal : db_.claim(worker_).signals) {
        names.emplace_back(signal.data.at("name").as_string());
    }
    EXPECT_EQ(names, (std::vector<std::string>{"first", "second"}));
}

TEST_F(ParkMeetsCancel, AMessageThatIsRewrittenGoesWithItsRun) {
    session_.value("select pawl.signal('" + to_string(run_) + "', 'go')::text");
    session_.script("begin; select pawl.settle_signals(0::smallint, 100)");
    const auto batch = closing(worker_, run_);
    meet(db_.store().commit_runs(batch));
    EXPECT_EQ(session_.value("select count(*)::text from pawl.signal"), "0");
}

TEST_F(ParkMeetsCancel, CancelFirstThenClose) {
    session_.script(
        "begin; select pawl.request_cancel(0::smallint, '" + to_string(run_) + "', 'test')"
    );
    const auto batch = closing(worker_, run_);
    meet(db_.store().commit_runs(batch));
    EXPECT_EQ(db_.status(run_), "completed");
    EXPECT_EQ(session_.value("select count(*)::text from pawl.signal"), "0");
}

class Portions : public ParkMeetsCancel {
protected:
    // One that takes little room in the database, and one that takes what it says.
    void send(int count, const std::string& text) {
        session_.script(fmt::format(
            "insert into pawl.signal (bucket, run_id, kind, data, worker) "
            "select 0, '{}', 'signal', jsonb_build_object('name', 'go', 'data', {}), '{}' "
            "from generate_series(1, {})",
            to_string(run_),
            text,
            to_string(worker_),
            count
        ));
    }
    const std::string packed_ = "repeat('a', 900000)";
    const std::string loose_ =
        "(select string_agg(md5(i::text), '') from generate_series(1, 28000) i)";
};

TEST_F(Portions, LargeMessagesComeInTheirOrderAFewAtATime) {
    send(30, packed_);
    send(30, loose_);
    std::vector<std::int64_t> seen;
    for (int looks = 0; seen.size() < 60 && looks < 60; ++looks) {
        auto batch = appending(worker_, run_, {step_completed(looks + 1)});
        batch.consumed = looks % 2 == 0 ? db_.signals(worker_) : db_.claim(worker_).signals;
        ASSERT_GE(batch.consumed.size(), 1u);
        ASSERT_LE(batch.consumed.size(), 20u) << "each may have 900 kB";
        for (const auto& signal : batch.consumed) seen.push_back(signal.id);
        db_.commit(batch);
    }
    EXPECT_EQ(seen.size(), 60u);
    EXPECT_TRUE(std::is_sorted(seen.begin(), seen.end()));
}

TEST_F(Portions, WhatSaysHowARunIsTakenUpIsNotLeftBehind) {
    send(60, packed_);
    session_.script(fmt::format(
        "insert into pawl.signal (bucket, run_id, kind, data, worker) "
        "values (0, '{}', 'interrupted', '{{}}', '{}')",
        to_string(run_),
        to_string(worker_)
    ));
    const auto told = db_.claim(worker_).signals;
    EXPECT_LT(told.size(), 60u);
    EXPECT_EQ(told.back().kind, "interrupted");
}

TEST_F(Portions, SmallMessagesComeAllTogether) {
    send(900, "repeat('a', 1500)");
    EXPECT_EQ(db_.signals(worker_).size(), 900u);
}

}  // namespace
}  // namespace pawl::test
