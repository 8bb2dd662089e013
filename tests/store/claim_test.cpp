#include "store/under_test.hpp"

#include <algorithm>
#include <map>
#include <set>

namespace pawl::test {
namespace {

using namespace std::chrono_literals;

template <class T>
class ClaimRuns : public Conformance<T> {};
TYPED_TEST_SUITE(ClaimRuns, Stores, StoreNames);

std::vector<RunId> sorted(std::vector<RunId> ids) {
    std::sort(ids.begin(), ids.end());
    return ids;
}

TYPED_TEST(ClaimRuns, ReturnsTheLogsOfWhatItLeased) {
    auto& db = this->db_;
    const auto worker = db.worker();
    const auto first = db.run();
    const auto second = db.parked_run(worker, db.now());
    const auto claimed = db.claim(worker);
    ASSERT_EQ(claimed.log.size(), 2u);
    EXPECT_EQ(claimed.log[0].run, first);
    EXPECT_EQ(claimed.log[1].run, second);
    EXPECT_EQ(claimed.log[0].event.type, EventType::run_started);
    EXPECT_FALSE(claimed.log[0].event.data.is_null());
    EXPECT_TRUE(claimed.signals.empty());
    EXPECT_EQ(db.status(first), "running");
}

TYPED_TEST(ClaimRuns, LogsAreOrderedByRunAndSequence) {
    auto& db = this->db_;
    const auto worker = db.worker();
    const auto run = db.run(worker);
    db.run();
    db.commit(appending(worker, run, {step_completed(1), step_completed(2)}));
    db.commit(appending(worker, run, {step_completed(3)}));
    db.commit(parking(worker, run, db.now()));
    const auto claimed = db.claim(worker);
    ASSERT_EQ(claimed.log.size(), 5u);
    for (std::int32_t seq = 0; seq < 4; ++seq) {
        EXPECT_EQ(claimed.log[static_cast<std::size_t>(seq)].run, run);
        EXPECT_EQ(claimed.log[static_cast<std::size_t>(seq)].event.seq, seq);
    }
}

// As a worker asks that has no room left.
TYPED_TEST(ClaimRuns, BesideTenantsThatHaveMuchAFewOfEachOtherAreTaken) {
    auto& db = this->db_;
    const auto worker = db.worker();
    const auto workflow = db.workflow();
    const auto other = db.other_tenant();
    std::vector<store::NewRun> runs;
    for (int i = 0; i < 10; ++i) runs.push_back(new_run(workflow));
    for (std::size_t i = 5; i < 10; ++i) runs[i].tenant = other;
    db.start(runs);
    const auto beside = [&](std::vector<store::TenantId> tenants, std::uint32_t turn) {
        std::vector<RunId> ids;
        const auto claimed =
            db.loop().run(db.store().claim_runs({0, worker, 100, turn, std::move(tenants)}));
        for (const auto& row : claimed.log) ids.push_back(row.run);
        return sorted(ids);
    };
    EXPECT_TRUE(beside({1, other}, 0).empty());
    const auto taken = beside({1}, 0);
    ASSERT_EQ(taken.size(), 2U);
    for (const RunId& run : taken) {
        EXPECT_TRUE(std::any_of(runs.begin() + 5, runs.end(), [&](const auto& one) {
            return one.id == run;
        }));
    }
    EXPECT_EQ(beside({}, 2).size(), 4U) << "two of each";
    EXPECT_EQ(db.claim_ids(worker).size(), 4U) << "the rest";
}

TYPED_TEST(ClaimRuns, ALevelOfPriorityIsWorthAMinuteOfWaiting) {
    auto& db = this->db_;
    const auto worker = db.worker();
    std::vector<store::NewRun> runs(6, new_run(db.workflow()));
    for (auto& run : runs) run.id = new_run_id();
    const auto now = db.now();
    runs[0].priority = 10;
    runs[0].due_at = now - 5min;
    runs[1].due_at = now - 1min;
    runs[2].due_at = now - 2min;
    runs[3].due_at = now - 2min;
    runs[4].priority = -1;
    runs[4].due_at = now - 90s;
    runs[5].priority = 10;
    runs[5].due_at = now - 9h;
    db.start(runs);
    for (const std::size_t expected : {5u, 4u, 2u, 3u, 1u, 0u}) {
        EXPECT_EQ(db.claim_ids(worker, 1), std::vector{runs[expected].id}) << expected;
    }
    EXPECT_TRUE(db.claim_ids(worker, 1).empty());
}

// Whose runs they are, by the tenant that each was started for.
template <class Db>
std::map<std::int32_t, int> claim_by_tenant(
    Db& db, WorkerId worker, const std::map<RunId, std::int32_t>& tenants, std::uint32_t turn
) {
    std::map<std::int32_t, int> counts;
    for (const auto& row : db.loop().run(db.store().claim_runs({0, worker, 20, turn})).log) {
        ++counts[tenants.at(row.run)];
    }
    return counts;
}

TYPED_TEST(ClaimRuns, ATenantWithManyRunsDoesNotHoldUpTheOthers) {
    auto& db = this->db_;
    const auto worker = db.worker();
    std::vector<store::NewRun> runs;
    std::map<RunId, std::int32_t> tenants;
    const auto add = [&](std::int32_t tenant, int count, Duration age) {
        for (int i = 0; i < count; ++i) {
            runs.push_back(new_run(db.workflow()));
            runs.back().tenant = tenant;
            runs.back().due_at = db.now() - age;
            tenants[runs.back().id] = tenant;
        }
    };
    add(7, 200, 1h);
    add(3, 1, 1s);
    add(9, 100, 1s);
    add(8, 1, -1h);
    db.start(runs);
    auto counts = claim_by_tenant(db, worker, tenants, 0);
    EXPECT_EQ(counts[3], 1);
    EXPECT_GE(counts[9], 3);
    EXPECT_GE(counts[7], 10);
    EXPECT_EQ(counts[3] + counts[7] + counts[9], 20);
    // Whatever the turn is, a claim is filled, and both get their share.
    for (std::uint32_t turn : {1u, 2u, 3u, 4'000'000'000u}) {
        counts = claim_by_tenant(db, worker, tenants, turn);
        EXPECT_GE(counts[9], 5) << turn;
        EXPECT_EQ(counts[7] + counts[9], 20) << turn;
    }
}

TYPED_TEST(ClaimRuns, WithoutABacklogTheTurnMakesNoDifference) {
    auto& db = this->db_;
    const auto worker = db.worker();
    std::vector<store::NewRun> runs;
    for (std::int32_t tenant = 1; tenant <= 5; ++tenant) {
        runs.push_back(new_run(db.workflow()));
        runs.back().tenant = tenant;
    }
    db.start(runs);
    EXPECT_EQ(db.claim_ids(worker, 6).size(), 5u);
}

TYPED_TEST(ClaimRuns, APriorityThatOnlySleepsDoesNotHideTheNext) {
    auto& db = this->db_;
    auto asleep = new_run(db.workflow());
    asleep.priority = -5;
    asleep.due_at = db.now() + 1h;
    auto awake = new_run(db.workflow());
    awake.priority = 5;
    db.start({asleep, awake});
    EXPECT_EQ(db.claim_ids(db.worker()), std::vector{awake.id});
}

TYPED_TEST(ClaimRuns, OneThatIsDueAloneIsTaken) {
    auto& db = this->db_;
    const auto worker = db.worker();
    const auto alone = db.run();
    EXPECT_EQ(db.claim_ids(worker), std::vector{alone});
    db.parked_run(worker, db.now() + 1h);
    EXPECT_TRUE(db.claim_ids(worker).empty()) << "it sleeps";
    const auto among_sleepers = db.run();
    EXPECT_EQ(db.claim_ids(worker), std::vector{among_sleepers});
}

TYPED_TEST(ClaimRuns, AClaimOfNoneGetsNone) {
    auto& db = this->db_;
    const auto run = db.run();
    EXPECT_TRUE(db.claim_ids(db.worker(), 0).empty());
    EXPECT_EQ(db.status(run), "queued");
}

TYPED_TEST(ClaimRuns, OneOfAnotherPriorityIsTakenAlongBehindASleeper) {
    auto& db = this->db_;
    const auto worker = db.worker();
    const auto workflow = db.workflow();
    db.parked_run(worker, db.now() + 1h);
    std::vector<RunId> due;
    for (const auto priority : {std::int16_t{0}, std::int16_t{3}}) {
        auto run = new_run(workflow);
        run.priority = priority;
        due.push_back(run.id);
        db.start({run});
    }
    EXPECT_EQ(sorted(db.claim_ids(worker)), sorted(due));
}

TYPED_TEST(ClaimRuns, TakesAtMostTheLimitOverPriorities) {
    auto& db = this->db_;
    const auto worker = db.worker();
    std::vector<store::NewRun> runs;
    for (std::int16_t i = 0; i < 10; ++i) {
        runs.push_back(new_run(db.workflow()));
        runs.back().priority = static_cast<std::int16_t>(i % 3);
    }
    db.start(runs);
    EXPECT_TRUE(db.claim_ids(worker, 0).empty());
    EXPECT_EQ(db.claim_ids(worker, 6).size(), 6u);
    EXPECT_EQ(db.claim_ids(worker, 6).size(), 4u);
    EXPECT_TRUE(db.claim_ids(worker, 6).empty());
}

TYPED_TEST(ClaimRuns, LeasedAndParkedRunsAreNotClaimed) {
    auto& db = this->db_;
    const auto worker = db.worker();
    db.run(worker);
    db.parked_run(worker);
    EXPECT_TRUE(db.claim_ids(db.worker()).empty());
}

TYPED_TEST(ClaimRuns, AnUnknownWorkerGetsNothing) {
    auto& db = this->db_;
    const auto run = db.run();
    EXPECT_EQ(failure_of([&] { db.claim(new_worker_id()); }), Errc::fenced);
    EXPECT_EQ(db.status(run), "queued");
}

TYPED_TEST(ClaimRuns, LeasedRunsFindsWhatALostAnswerHid) {
    auto& db = this->db_;
    const auto worker = db.worker();
    const auto first = db.run();
    const auto second = db.run();
    db.claim(worker);
    db.run(db.worker());
    EXPECT_EQ(db.leased(worker, {}), sorted({first, second}));
    EXPECT_EQ(db.leased(worker, {first}), std::vector{second});
    EXPECT_TRUE(db.leased(worker, {first, second}).empty());
}

TEST(ClaimRunsPg, TwoClaimersAtOnceGetDifferentRuns) {
    PgUnderTest db;
    const auto workflow = db.workflow();
    std::vector<store::NewRun> runs;
    runs.reserve(200);
    for (int i = 0; i < 200; ++i) runs.push_back(new_run(workflow));
    db.start(runs);
    const std::vector<WorkerId> workers{db.worker(), db.worker(), db.worker(), db.worker()};
    std::vector<asio::awaitable<store::Claimed>> calls;
    calls.reserve(8);
    for (int i = 0; i < 8; ++i) {
        calls.push_back(db.store().claim_runs({0, workers[static_cast<std::size_t>(i) % 4], 30}));
    }
    std::set<RunId> seen;
    std::size_t total = 0;
    for (const auto& claimed : db.loop().run_all(std::move(calls))) {
        total += claimed.log.size();
        for (const auto& row : claimed.log) seen.insert(row.run);
    }
    EXPECT_EQ(seen.size(), total);
    EXPECT_LE(total, 200u);
    EXPECT_GE(total, 30u);
}

TEST(ClaimRunsPg, ALockedRunIsSkippedNotWaitedFor) {
    PgUnderTest db;
    const auto worker = db.worker();
    const auto first = db.run();
    const auto second = db.run();
    auto& session = db.database().session();
    session.script(
        "begin; select 1 from pawl.live_run where run_id = '" + to_string(first) + "' for update"
    );
    EXPECT_EQ(db.claim_ids(worker, 1), std::vector{second});
    session.script("rollback");
    EXPECT_EQ(db.claim_ids(worker, 1), std::vector{first});
}

TEST(ClaimRunsPg, TheNextClaimTakesASingleRunBehindAnotherTenantsBacklog) {
    PgUnderTest db;
    const auto worker = db.worker();
    db.database().session().script(
        "insert into pawl.live_run (run_id, due_at, tenant, workflow, version, bucket, state, "
        "priority) select pawl.uuid7(), now() - interval '1 hour', 1, 1, 1, 0, 0, 0 "
        "from generate_series(1, 50000)"
    );
    auto single = new_run(db.workflow());
    single.tenant = 2;
    db.start({single});
    const auto begun = Steady::now();
    const auto claimed = db.claim(worker, 100);
    EXPECT_LT(Steady::now() - begun, 1s);
    EXPECT_TRUE(std::any_of(claimed.log.begin(), claimed.log.end(), [&](const auto& row) {
        return row.run == single.id;
    }));
}

}  // namespace
}  // namespace pawl::test
