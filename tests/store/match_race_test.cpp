#include "store/under_test.hpp"

// What happens between transactions that touch the same run at once: nothing waits for ever,
// nothing gets lost. A second session holds locks as a commit under way does.
namespace pawl::test {
namespace {

class MatchRace : public ::testing::Test {
protected:
    RunId waiting() {
        const RunId run = db_.run(worker_);
        Event waits;
        waits.seq = 1;
        waits.type = EventType::wait_started;
        auto batch = appending(worker_, run, {waits});
        batch.parks.push_back({run, std::nullopt});
        batch.projections.subscribes.push_back({run, 0, 1, "paid", "k1", Instant{}});
        db_.commit(batch);
        return run;
    }
    void publish(const std::string& id) {
        store::OutsideEvent event;
        event.id = id;
        event.name = "paid";
        event.key = "k1";
        db_.publish({event});
    }
    std::string text(RunId run) { return "'" + to_string(run) + "'"; }

    PgUnderTest db_;
    WorkerId worker_ = db_.worker();
    Session other_{db_.database().url()};
};

TEST_F(MatchRace, ARunThatIsBeingChangedGetsItsMessageAndIsWokenAfterwards) {
    const RunId run = waiting();
    publish("e1");
    other_.script(
        "begin; select from pawl.live_run where run_id = " + text(run) + " for no key update"
    );
    const auto matched = db_.match();
    EXPECT_EQ(matched.delivered, 1);
    EXPECT_TRUE(matched.more) << "a matcher must look again";
    EXPECT_EQ(db_.status(run), "waiting");
    EXPECT_TRUE(db_.match().more);
    other_.script("rollback");
    EXPECT_FALSE(db_.match().more);
    EXPECT_EQ(db_.status(run), "queued");
    EXPECT_EQ(db_.claim(worker_).signals.size(), 1u);
}

TEST_F(MatchRace, ARunThatWasClosedMeanwhileLeavesNothingBehind) {
    const RunId run = waiting();
    publish("e1");
    other_.script("begin; delete from pawl.live_run where run_id = " + text(run));
    EXPECT_EQ(db_.match().delivered, 1);
    other_.script("commit");
    EXPECT_FALSE(db_.match().more);
    EXPECT_EQ(db_.database().session().value("select count(*)::text from pawl.signal"), "0");
}

TEST_F(MatchRace, ASubscriptionThatIsBeingTakenAwayMayStayAfterAll) {
    const RunId run = waiting();
    EXPECT_EQ(db_.match().delivered, 0);
    publish("e1");
    // A commit that ends the wait, and whose worker dies before it comes through.
    other_.script("begin; delete from pawl.subscription where run_id = " + text(run));
    const auto matched = db_.match();
    EXPECT_EQ(matched.delivered, 0);
    EXPECT_TRUE(matched.more);
    other_.script("rollback");
    EXPECT_EQ(db_.match().delivered, 1);
    EXPECT_EQ(db_.status(run), "queued");
}

TEST_F(MatchRace, ALockedOneHoldsNoOtherUp) {
    const RunId held = waiting();
    const RunId other = waiting();
    EXPECT_EQ(db_.match().delivered, 0);
    publish("e1");
    other_.script(
        "begin; select from pawl.subscription where run_id = " + text(held) + " for update"
    );
    const auto matched = db_.match();
    EXPECT_EQ(matched.delivered, 1);
    EXPECT_TRUE(matched.more);
    EXPECT_EQ(db_.status(other), "queued");
    EXPECT_EQ(db_.status(held), "waiting");
    other_.script("rollback");
    EXPECT_EQ(db_.match().delivered, 1);
    EXPECT_EQ(db_.status(held), "queued");
    EXPECT_EQ(db_.claim(worker_).signals.size(), 2u);
}

TEST_F(MatchRace, SubscriberAndPublisherDoNotMissEachOther) {
    // The event is committed while the subscription is being written, and the other way round:
    // the second one looks at what the first has left.
    const RunId run = waiting();
    publish("e1");
    other_.script("begin; select from pawl.inbox_pending for update");
    const auto first = db_.match();
    EXPECT_EQ(first.delivered, 1) << "the subscription was new too, and found the event";
    other_.script("rollback");
    EXPECT_EQ(db_.match().delivered, 0);
    EXPECT_EQ(db_.status(run), "queued");
    EXPECT_EQ(db_.claim(worker_).signals.size(), 1u);
}

TEST_F(MatchRace, TwoMatchersDeliverOnce) {
    for (int i = 0; i < 20; ++i) waiting();
    publish("e1");
    other_.script("begin; select * from pawl.match_inbox(0::smallint, 7)");
    int delivered = db_.match().delivered;
    other_.script("commit");
    for (int i = 0; i < 5; ++i) delivered += db_.match().delivered;
    EXPECT_EQ(delivered, 13);
    EXPECT_EQ(db_.database().session().value("select count(*)::text from pawl.signal"), "20");
}

TEST_F(MatchRace, AParentThatIsBeingChangedHearsOfItsChildLater) {
    const RunId parent = db_.parked_run(worker_);
    const RunId child = db_.run(worker_);
    auto batch = closing(worker_, child);
    batch.projections.children.push_back(
        {parent, json::object{{"run", to_string(child)}, {"token", 1}}}
    );
    other_.script(
        "begin; select from pawl.live_run where run_id = " + text(parent) + " for no key update"
    );
    db_.commit(batch);
    EXPECT_EQ(db_.status(parent), "waiting");
    other_.script("rollback");
    db_.match();
    EXPECT_EQ(db_.status(parent), "queued");
}

}  // namespace
}  // namespace pawl::test
