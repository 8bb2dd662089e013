#include "store/flow_fixture.hpp"

#include <algorithm>
#include <set>

namespace pawl::test {
namespace {

using namespace std::chrono_literals;

TYPED_TEST_SUITE(Flow, Stores, StoreNames);

TYPED_TEST(Flow, ARunThatFindsTheGateFullWaitsUntilAnotherLeaves) {
    auto& db = this->db_;
    const auto worker = db.worker();
    std::vector<store::NewRun> runs;
    for (int i = 0; i < 4; ++i) runs.push_back(this->limited({{"a", 2}}));
    EXPECT_TRUE(this->start_leased(worker, runs[0]));
    EXPECT_TRUE(this->start_leased(worker, runs[1]));
    EXPECT_FALSE(this->start_leased(worker, runs[2]));
    EXPECT_EQ(db.status(runs[2].id), "queued");
    db.start({runs[3]});
    EXPECT_TRUE(db.claim_ids(worker).empty());
    EXPECT_EQ(db.status(runs[3].id), "queued");
    // Another key is another gate.
    EXPECT_TRUE(this->start_leased(worker, this->limited({{"b", 1}})));
    this->close(worker, runs[0]);
    const auto other = db.worker();
    EXPECT_EQ(db.claim_ids(other), std::vector{runs[2].id});
    EXPECT_TRUE(db.claim_ids(other).empty());
    this->close(other, runs[2]);
    this->close(worker, runs[1]);
    EXPECT_EQ(db.claim_ids(worker), std::vector{runs[3].id});
    this->close(worker, runs[3]);
    // No run is inside any more: the next one does not wait.
    EXPECT_TRUE(this->start_leased(worker, this->limited({{"a", 1}})));
}

TYPED_TEST(Flow, AClaimLetsInAsManyAsThereIsRoomFor) {
    auto& db = this->db_;
    const auto worker = db.worker();
    std::vector<store::NewRun> runs;
    for (int i = 0; i < 30; ++i) {
        runs.push_back(this->limited({{i % 3 == 0 ? "a" : i % 3 == 1 ? "b" : "c", i % 3 + 1}}));
    }
    db.start(runs);
    EXPECT_EQ(db.claim_ids(worker, 20).size(), 6u);
    EXPECT_TRUE(db.claim_ids(worker, 20).empty());
    std::size_t done = 0;
    while (true) {
        const auto held = db.leased(worker, {});
        EXPECT_LE(held.size(), 6u);
        if (held.empty()) break;
        for (const RunId& run : held) db.commit(closing(worker, run));
        done += held.size();
        db.claim_ids(worker, 20);
    }
    EXPECT_EQ(done, 30u);
}

TYPED_TEST(Flow, AllOfItsGatesMustHaveRoom) {
    auto& db = this->db_;
    const auto worker = db.worker();
    const auto own = this->limited({{"own", 1}, {"all", 2}});
    const auto behind = this->limited({{"own", 1}, {"all", 2}});
    const auto elsewhere = this->limited({{"other", 1}, {"all", 2}});
    const auto last = this->limited({{"third", 1}, {"all", 2}});
    EXPECT_TRUE(this->start_leased(worker, own));
    EXPECT_FALSE(this->start_leased(worker, behind));
    // It holds no place of the shared gate while it waits at its own.
    EXPECT_TRUE(this->start_leased(worker, elsewhere));
    EXPECT_FALSE(this->start_leased(worker, last));
    this->close(worker, elsewhere);
    EXPECT_EQ(db.claim_ids(worker), std::vector{last.id});
    this->close(worker, own);
    EXPECT_EQ(db.claim_ids(worker), std::vector{behind.id});
    this->close(worker, behind);
    this->close(worker, last);
    EXPECT_TRUE(this->start_leased(worker, this->limited({{"own", 1}, {"all", 1}})));
}

TYPED_TEST(Flow, ARunThatFindsAnotherOfItsGatesFullWaitsThereInstead) {
    auto& db = this->db_;
    const auto worker = db.worker();
    const auto first = this->limited({{"a", 1}});
    const auto second = this->limited({{"b", 1}});
    const auto both = this->limited({{"a", 1}, {"b", 1}});
    const auto after = this->limited({{"a", 1}});
    EXPECT_TRUE(this->start_leased(worker, first));
    EXPECT_TRUE(this->start_leased(worker, second));
    EXPECT_FALSE(this->start_leased(worker, both));
    EXPECT_FALSE(this->start_leased(worker, after));
    this->close(worker, first);
    // The one that needs both is not in the way of the other.
    std::vector<RunId> got = db.claim_ids(worker);
    for (int i = 0; i < 3 && got.empty(); ++i) got = db.claim_ids(worker);
    EXPECT_EQ(got, std::vector{after.id});
    this->close(worker, after);
    EXPECT_TRUE(db.claim_ids(worker).empty());
    this->close(worker, second);
    EXPECT_EQ(db.claim_ids(worker), std::vector{both.id});
}

TYPED_TEST(Flow, PriorityAndAgeDecideWhichRunIsNext) {
    auto& db = this->db_;
    const auto worker = db.worker();
    const auto inside = this->limited({{"a", 1}});
    EXPECT_TRUE(this->start_leased(worker, inside));
    std::vector<store::NewRun> runs;
    for (int i = 0; i < 3; ++i) runs.push_back(this->limited({{"a", 1}}));
    runs[0].due_at = db.now() - 10s;
    runs[1].due_at = db.now() - 5s;
    runs[2].due_at = db.now() - 5s;
    runs[2].priority = -1;
    db.start(runs);
    EXPECT_TRUE(db.claim_ids(worker).empty());
    this->close(worker, inside);
    for (const std::size_t next : {2u, 0u, 1u}) {
        ASSERT_EQ(db.claim_ids(worker), std::vector{runs[next].id}) << next;
        this->close(worker, runs[next]);
    }
}

TYPED_TEST(Flow, ADeadWorkersRunsKeepTheirPlaces) {
    auto& db = this->db_;
    const auto worker = db.worker();
    const auto run = this->limited({{"a", 1}});
    const auto waits = this->limited({{"a", 1}});
    EXPECT_TRUE(this->start_leased(worker, run));
    EXPECT_FALSE(this->start_leased(worker, waits));
    db.retire(worker);
    const auto other = db.worker();
    EXPECT_EQ(db.claim_ids(other), std::vector{run.id});
    EXPECT_TRUE(db.claim_ids(other).empty());
    this->close(other, run);
    EXPECT_EQ(db.claim_ids(other), std::vector{waits.id});
}

TYPED_TEST(Flow, ACloseThatIsSentAgainGivesOnePlaceBack) {
    auto& db = this->db_;
    const auto worker = db.worker();
    const auto run = this->limited({{"a", 2}});
    const auto stays = this->limited({{"a", 2}});
    EXPECT_TRUE(this->start_leased(worker, run));
    EXPECT_TRUE(this->start_leased(worker, stays));
    auto batch = closing(worker, run.id);
    db.commit(batch);
    batch.resend = true;
    db.commit(batch);
    EXPECT_TRUE(this->start_leased(worker, this->limited({{"a", 2}})));
    EXPECT_FALSE(this->start_leased(worker, this->limited({{"a", 2}})));
}

TYPED_TEST(Flow, AStartThatIsSentAgainSaysWhichRunsWait) {
    auto& db = this->db_;
    const auto worker = db.worker();
    const auto run = this->limited({{"a", 1}});
    const auto waits = this->limited({{"a", 1}});
    EXPECT_TRUE(this->start_leased(worker, run));
    EXPECT_TRUE(this->start_leased(worker, run, true));
    EXPECT_FALSE(this->start_leased(worker, waits));
    EXPECT_FALSE(this->start_leased(worker, waits, true));
    this->close(worker, run);
    EXPECT_EQ(db.claim_ids(worker), std::vector{waits.id});
    EXPECT_TRUE(this->start_leased(worker, waits, true));
    this->close(worker, waits);
    EXPECT_FALSE(this->start_leased(worker, waits, true));
    EXPECT_TRUE(this->start_leased(worker, this->limited({{"a", 1}})));
}

TYPED_TEST(Flow, ARunThatIsCancelledWhileItWaitsNeedsNoPlace) {
    auto& db = this->db_;
    const auto worker = db.worker();
    const auto inside = this->limited({{"a", 1}});
    const auto waits = this->limited({{"a", 1}});
    const auto ready = this->limited({{"a", 1}});
    EXPECT_TRUE(this->start_leased(worker, inside));
    EXPECT_FALSE(this->start_leased(worker, waits));
    db.start({ready});
    EXPECT_TRUE(db.cancel(waits.id));
    EXPECT_TRUE(db.cancel(ready.id));
    auto got = db.claim_ids(worker);
    std::sort(got.begin(), got.end());
    auto expected = std::vector{waits.id, ready.id};
    std::sort(expected.begin(), expected.end());
    EXPECT_EQ(got, expected);
    db.commit(closing(worker, waits.id, RunStatus::cancelled));
    db.commit(closing(worker, ready.id, RunStatus::cancelled));
    EXPECT_FALSE(this->start_leased(worker, this->limited({{"a", 1}})));
    this->close(worker, inside);
    EXPECT_EQ(db.claim_ids(worker).size(), 1u);
}

TYPED_TEST(Flow, MessagesForRunsThatWaitAtAGateAreKept) {
    auto& db = this->db_;
    const auto worker = db.worker();
    const auto inside = this->limited({{"a", 1}});
    const auto waits = this->limited({{"a", 1}});
    EXPECT_TRUE(this->start_leased(worker, inside));
    EXPECT_FALSE(this->start_leased(worker, waits));
    EXPECT_EQ(db.send({{waits.id, "signal", json::object{{"name", "go"}}}}).size(), 1u);
    EXPECT_TRUE(db.claim_ids(worker).empty());
    this->close(worker, inside);
    const auto claimed = db.claim(worker);
    ASSERT_EQ(claimed.signals.size(), 1u);
    EXPECT_EQ(claimed.signals[0].run, waits.id);
}

TYPED_TEST(Flow, AWaitingRunHoldsItsPlaceOrGivesItBack) {
    auto& db = this->db_;
    const auto worker = db.worker();
    const auto holds = this->limited({{"held", 1}});
    const auto frees = this->limited({{"freed", 1}}, true);
    EXPECT_TRUE(this->start_leased(worker, holds));
    EXPECT_TRUE(this->start_leased(worker, frees));
    db.commit(parking(worker, holds.id, db.now() + 1h));
    db.commit(parking(worker, frees.id, db.now() + 1h));
    EXPECT_FALSE(this->start_leased(worker, this->limited({{"held", 1}})));
    const auto next = this->limited({{"freed", 1}});
    EXPECT_TRUE(this->start_leased(worker, next));
    db.elapse(2h);
    // The one that kept its place goes on; the other finds its gate full and queues again.
    EXPECT_EQ(db.claim_ids(worker), std::vector{holds.id});
    EXPECT_EQ(db.status(frees.id), "queued");
    this->close(worker, next);
    EXPECT_EQ(db.claim_ids(worker), std::vector{frees.id});
    this->close(worker, frees);
    EXPECT_TRUE(this->start_leased(worker, this->limited({{"freed", 1}})));
}

TYPED_TEST(Flow, ARunThatIsReleasedKeepsItsPlace) {
    auto& db = this->db_;
    const auto worker = db.worker();
    const auto frees = this->limited({{"a", 1}}, true);
    EXPECT_TRUE(this->start_leased(worker, frees));
    db.commit(parking(worker, frees.id, db.now()));
    EXPECT_FALSE(this->start_leased(worker, this->limited({{"a", 1}})));
    EXPECT_EQ(db.claim_ids(worker), std::vector{frees.id});
}

store::NewRun rated(store::WorkflowId workflow, int burst, bool drop) {
    store::NewRun run = new_run(workflow);
    // One in ten seconds.
    run.flow = json::object{{"rate", json::array{"1/1/r/", 6, 60'000'000, burst, drop}}};
    return run;
}

TYPED_TEST(Flow, ARateHasRunsWaitForTheirTurn) {
    auto& db = this->db_;
    const auto worker = db.worker();
    std::vector<store::NewRun> runs;
    for (int i = 0; i < 5; ++i) runs.push_back(rated(db.workflow(), 2, false));
    db.start(runs);
    EXPECT_EQ(db.claim_ids(worker), (std::vector{runs[0].id, runs[1].id}));
    EXPECT_EQ(db.status(runs[2].id), "waiting");
    EXPECT_TRUE(db.claim_ids(worker).empty());
    for (const std::size_t next : {2u, 3u, 4u}) {
        db.elapse(9s);
        EXPECT_TRUE(db.claim_ids(worker).empty()) << next;
        db.elapse(1100ms);
        EXPECT_EQ(db.claim_ids(worker), std::vector{runs[next].id}) << next;
    }
}

TYPED_TEST(Flow, AThrottleCancelsWhatComesTooSoon) {
    auto& db = this->db_;
    const auto worker = db.worker();
    const auto first = rated(db.workflow(), 1, true);
    const auto second = rated(db.workflow(), 1, true);
    EXPECT_TRUE(this->start_leased(worker, first));
    EXPECT_FALSE(this->start_leased(worker, second));
    const auto claimed = db.claim(worker);
    ASSERT_EQ(claimed.signals.size(), 1u);
    EXPECT_EQ(claimed.signals[0].run, second.id);
    EXPECT_EQ(claimed.signals[0].kind, "cancel");
}

store::NewRun gathered(store::WorkflowId workflow, int number, int size, Duration period) {
    store::NewRun run = new_run(workflow);
    json::value input = json::object{{"n", number}};
    if (size > 0) input = json::object{{"items", json::array{input}}};
    run.data.get_object()["input"] = std::move(input);
    run.flow = json::object{
        {"gather", json::array{"1/1/g/", size, period.count(), Duration(60s).count()}}};
    return run;
}

TYPED_TEST(Flow, ADebounceKeepsTheLastInputAndBeginsAfterAQuietTime) {
    auto& db = this->db_;
    const auto worker = db.worker();
    const auto workflow = db.workflow();
    const auto first = gathered(workflow, 1, 0, 10s);
    const auto second = gathered(workflow, 2, 0, 10s);
    const auto third = gathered(workflow, 3, 0, 10s);
    db.start({first});
    db.elapse(6s);
    auto existing = db.start({second, third});
    ASSERT_EQ(existing.size(), 2u);
    EXPECT_EQ(existing[0].existing, first.id);
    EXPECT_EQ(existing[1].existing, first.id);
    EXPECT_EQ(db.status(second.id), "none");
    db.elapse(6s);
    EXPECT_TRUE(db.claim_ids(worker).empty());
    db.elapse(5s);
    const auto claimed = db.claim(worker);
    ASSERT_EQ(claimed.log.size(), 1u);
    EXPECT_EQ(claimed.log[0].run, first.id);
    ASSERT_EQ(claimed.signals.size(), 2u);
    EXPECT_EQ(claimed.signals[1].data.at("input").at("n"), 3);
    // It has begun: what comes now begins another, and nothing is lost.
    const auto fourth = gathered(workflow, 4, 0, 10s);
    EXPECT_TRUE(db.start({fourth}).empty());
    EXPECT_EQ(db.status(fourth.id), "waiting");
}

TYPED_TEST(Flow, ABatchBeginsWhenItIsFull) {
    auto& db = this->db_;
    const auto worker = db.worker();
    const auto workflow = db.workflow();
    std::vector<store::NewRun> runs;
    for (int i = 0; i < 7; ++i) runs.push_back(gathered(workflow, i, 3, 0s));
    db.start(runs);
    auto claimed = db.claim(worker);
    EXPECT_EQ(claimed.log.size(), 2u);
    EXPECT_EQ(claimed.signals.size(), 4u);
    db.elapse(61s);
    claimed = db.claim(worker);
    ASSERT_EQ(claimed.log.size(), 1u);
    EXPECT_EQ(claimed.log[0].run, runs[6].id);
    for (const auto& signal : claimed.signals) EXPECT_NE(signal.run, runs[6].id);
}

TYPED_TEST(Flow, AStartThatIsSentAgainIsGatheredOnce) {
    auto& db = this->db_;
    const auto worker = db.worker();
    const auto workflow = db.workflow();
    store::StartBatch batch;
    for (int i = 0; i < 2; ++i) batch.runs.push_back(gathered(workflow, i, 5, 0s));
    db.start(batch);
    batch.resend = true;
    db.start(batch);
    db.elapse(61s);
    const auto claimed = db.claim(worker);
    EXPECT_EQ(claimed.log.size(), 1u);
    EXPECT_EQ(claimed.signals.size(), 1u);
    const auto again = db.start(batch);
    EXPECT_TRUE(std::any_of(again.begin(), again.end(), [&](const store::Existing& one) {
        return one.requested == batch.runs[1].id && one.existing == batch.runs[0].id;
    }));
    EXPECT_TRUE(db.claim_ids(worker).empty());
}

}  // namespace
}  // namespace pawl::test
