#include "store/event_waits.hpp"

#include <algorithm>

// Events from outside, and the runs that wait for them.
namespace pawl::test {
namespace {

TYPED_TEST_SUITE(Events, Stores, StoreNames);

TYPED_TEST(Events, ReachARunThatWaits) {
    auto& db = this->db_;
    const auto worker = db.worker();
    const auto run = this->waiting(worker);
    const auto other = this->waiting(worker, "k2");
    this->publish({event("e1")});
    const auto matched = db.match();
    EXPECT_EQ(matched.delivered, 1);
    EXPECT_FALSE(matched.more);
    EXPECT_EQ(db.status(run), "queued");
    EXPECT_EQ(db.status(other), "waiting");
    const auto claimed = db.claim(worker);
    ASSERT_EQ(claimed.signals.size(), 1u);
    EXPECT_EQ(claimed.signals[0].run, run);
    const json::value expected{
        {"id", "e1"}, {"key", "k1"}, {"name", "paid"}, {"data", {{"of", "e1"}}}, {"token", 0}};
    EXPECT_EQ(claimed.signals[0].data, expected);
    // It waits no more.
    this->publish({event("e2")});
    EXPECT_EQ(db.match().delivered, 0);
}

TYPED_TEST(Events, AreTakenOnceById) {
    auto& db = this->db_;
    EXPECT_EQ(this->publish({event("e1"), event("e2")}), (std::vector<bool>{true, true}));
    EXPECT_EQ(this->publish({event("e1"), event("e3")}), (std::vector<bool>{false, true}));
    EXPECT_EQ(this->publish({event("e4"), event("e4")}), (std::vector<bool>{true, false}));
    auto foreign = event("e1");
    foreign.tenant = 2;
    EXPECT_EQ(this->publish({foreign}), std::vector<bool>{true});
    const auto worker = db.worker();
    this->waiting(worker);
    EXPECT_EQ(db.match().delivered, 1);
}

TYPED_TEST(Events, OfAnotherNameKeyOrTenantDoNot) {
    auto& db = this->db_;
    const auto worker = db.worker();
    this->waiting(worker);
    auto foreign = event("e3");
    foreign.tenant = 2;
    this->publish({event("e1", "k1", "sent"), event("e2", "K1"), foreign, event("e4", "")});
    EXPECT_EQ(db.match().delivered, 0);
}

TYPED_TEST(Events, OneEventReachesAllThatWait) {
    auto& db = this->db_;
    const auto worker = db.worker();
    for (int i = 0; i < 5; ++i) this->waiting(worker);
    this->publish({event("e1")});
    // In parts, when there are too many for one call.
    int delivered = 0;
    for (int i = 0; i < 10; ++i) delivered += db.match(2).delivered;
    EXPECT_EQ(delivered, 5);
    EXPECT_FALSE(db.match(2).more);
    EXPECT_EQ(this->received(worker), (Ids{"e1", "e1", "e1", "e1", "e1"}));
}

TYPED_TEST(Events, ThatCameBeforeTheWaitAreNotLost) {
    auto& db = this->db_;
    const auto worker = db.worker();
    const auto run = db.run(worker);
    this->publish({event("e1"), event("e2")});
    EXPECT_EQ(db.match().delivered, 0);
    this->subscribe(worker, run, 1, "k1");
    EXPECT_EQ(db.match().delivered, 1);
    // The oldest first.
    EXPECT_EQ(this->received(worker), Ids{"e1"});
}

TYPED_TEST(Events, ThatCameBeforeTheRunDoNotCount) {
    auto& db = this->db_;
    const auto worker = db.worker();
    this->publish({event("e1")});
    const auto run = db.run(worker);
    auto batch = this->subscribing(worker, run, 1, "k1");
    batch.projections.subscribes[0].since = db.now();
    db.commit(batch);
    EXPECT_EQ(db.match().delivered, 0);
    db.elapse(10ms);
    this->publish({event("e2")});
    EXPECT_EQ(db.match().delivered, 1);
    EXPECT_EQ(this->received(worker), Ids{"e2"});
}

TYPED_TEST(Events, ThatComeAfterTheStartCountEvenIfTheClockOfTheWorkerIsAhead) {
    auto& db = this->db_;
    for (const char* id : {"e1", "e2"}) {
        const auto worker = db.worker();  // its own: it has received nothing yet
        const auto run = db.run(worker);
        auto batch = this->subscribing(worker, run, 1, id);
        batch.projections.subscribes[0].since = db.now() + 1min;
        db.elapse(1ms);
        const bool early = std::string_view(id) == "e1";
        if (early) this->publish({event(id, id)});
        db.commit(batch);
        if (!early) this->publish({event(id, id)});
        EXPECT_EQ(db.match().delivered, 1) << id;
        EXPECT_EQ(this->received(worker), Ids{id});
    }
}

TYPED_TEST(Events, ASecondWaitGetsTheNextEventNotTheSame) {
    auto& db = this->db_;
    const auto worker = db.worker();
    const auto run = this->waiting(worker);
    this->publish({event("e1"), event("e2")});
    EXPECT_EQ(db.match().delivered, 1);
    EXPECT_EQ(this->received(worker), Ids{"e1"});
    // While the first one has not been taken in yet, and after.
    this->subscribe(worker, run, 2, "k1");
    EXPECT_EQ(db.match().delivered, 1);
    EXPECT_EQ(this->received(worker), (Ids{"e1", "e2"}));
    this->take_in(worker, run, 3);
    this->subscribe(worker, run, 5, "k1");
    EXPECT_EQ(db.match().delivered, 0);
    this->publish({event("e3")});
    EXPECT_EQ(db.match().delivered, 1);
    EXPECT_EQ(this->received(worker), Ids{"e3"});
}

// It has been busy while events came, and the newest is found by the other side of the matching.
TYPED_TEST(Events, ARunThatIsBehindGetsTheOldestFirst) {
    auto& db = this->db_;
    const auto worker = db.worker();
    const auto run = this->waiting(worker);
    std::int32_t seq = 2;
    this->publish({event("e1")});
    db.match();
    std::vector<std::string> all;
    for (int i = 2; all.size() < 7; ++i) {
        for (const auto& id : this->received(worker)) all.push_back(id);
        this->take_in(worker, run, seq++);
        // While it does not wait: two for each one that it takes.
        if (i <= 4) this->publish({event("e" + std::to_string(2 * i - 2))});
        db.match();
        db.commit(this->subscribing(worker, run, seq++, "k1"));
        if (i <= 4) this->publish({event("e" + std::to_string(2 * i - 1))});
        db.match();
        ASSERT_LT(i, 20);
    }
    EXPECT_EQ(all, (std::vector<std::string>{"e1", "e2", "e3", "e4", "e5", "e6", "e7"}));
    EXPECT_TRUE(this->received(worker).empty());
}

TYPED_TEST(Events, TwoBranchesGetTheSameEvent) {
    auto& db = this->db_;
    const auto worker = db.worker();
    const auto run = this->waiting(worker, "k1", 0);
    this->publish({event("e1")});
    EXPECT_EQ(db.match().delivered, 1);
    db.claim(worker);
    this->take_in(worker, run, 2);
    this->subscribe(worker, run, 3, "k1", 7);
    EXPECT_EQ(db.match().delivered, 1);
    const auto claimed = db.claim(worker);
    ASSERT_EQ(claimed.signals.size(), 1u);
    EXPECT_EQ(claimed.signals[0].data.at("token"), 7);
}

TYPED_TEST(Events, AWaitForOneOfSeveralIsTwoSubscriptions) {
    auto& db = this->db_;
    const auto worker = db.worker();
    const auto run = db.run(worker);
    auto batch = this->subscribing(worker, run, 1, "k1");
    batch.projections.subscribes.push_back({run, 0, 1, "refused", "k1", this->started_at(run)});
    db.commit(batch);
    this->publish({event("e1", "k1", "refused")});
    EXPECT_EQ(db.match().delivered, 1);
    // The wait ends as a whole.
    db.claim(worker);
    auto over = appending(worker, run, {step_completed(2)});
    over.projections.unsubscribes.push_back({run, 0});
    over.consumed = db.signals(worker);
    db.commit(over);
    this->publish({event("e2")});
    EXPECT_EQ(db.match().delivered, 0);
}

TYPED_TEST(Events, DoNotReachAClosedRun) {
    auto& db = this->db_;
    const auto worker = db.worker();
    const auto run = this->waiting(worker);
    db.cancel(run);
    db.claim(worker);
    auto batch = closing(worker, run, RunStatus::cancelled, 2);
    batch.projections.ended.push_back(run);
    db.commit(batch);
    this->publish({event("e1")});
    EXPECT_EQ(db.match().delivered, 0);
}

TYPED_TEST(Events, AResentCommitWaitsOnce) {
    auto& db = this->db_;
    const auto worker = db.worker();
    const auto run = db.run(worker);
    auto batch = this->subscribing(worker, run, 1, "k1");
    db.commit(batch);
    this->publish({event("e1")});
    EXPECT_EQ(db.match().delivered, 1);
    // The first try came through, and the event has been delivered since.
    batch.resend = true;
    db.commit(batch);
    this->publish({event("e2")});
    EXPECT_EQ(db.match().delivered, 0);
}

TYPED_TEST(Events, AResentCommitThatDidNotComeThroughWaits) {
    auto& db = this->db_;
    const auto worker = db.worker();
    const auto run = db.run(worker);
    auto batch = this->subscribing(worker, run, 1, "k1");
    batch.resend = true;
    db.commit(batch);
    this->publish({event("e1")});
    EXPECT_EQ(db.match().delivered, 1);
}

TYPED_TEST(Events, OfRunsArePublishedWithTheirCommitAndOnce) {
    auto& db = this->db_;
    const auto worker = db.worker();
    const auto listener = this->waiting(worker);
    const auto run = db.run(worker);
    auto batch = appending(worker, run, {step_completed(1)});
    batch.projections.published.push_back({run, 1, "made", "paid", "k1", json::object{}});
    db.commit(batch);
    batch.resend = true;
    db.commit(batch);
    EXPECT_EQ(db.match().delivered, 1);
    EXPECT_EQ(db.status(listener), "queued");
    EXPECT_EQ(this->received(worker), Ids{"made"});
}

TYPED_TEST(Events, AFencedWorkerProjectsNothing) {
    auto& db = this->db_;
    const auto worker = db.worker();
    const auto run = db.run(worker);
    db.retire(worker);
    EXPECT_EQ(
        failure_of([&] { db.commit(this->subscribing(worker, run, 1, "k1")); }), Errc::fenced
    );
    this->publish({event("e1")});
    EXPECT_EQ(db.match().delivered, 0);
}

TYPED_TEST(Events, AHeldRunGetsThemToo) {
    auto& db = this->db_;
    const auto worker = db.worker();
    const auto other = db.worker();
    const auto run = db.run(worker);
    auto batch = this->subscribing(worker, run, 1, "k1");
    batch.parks.clear();
    db.commit(batch);
    this->publish({event("e1")});
    EXPECT_EQ(db.match().delivered, 1);
    EXPECT_EQ(db.status(run), "running");
    EXPECT_TRUE(db.claim(other).signals.empty());
    EXPECT_EQ(this->received(worker), Ids{"e1"});
    EXPECT_EQ(db.signals(worker).size(), 1u);
    EXPECT_TRUE(db.signals(other).empty());
}

}  // namespace
}  // namespace pawl::test
