#include "store/under_test.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <set>

// A claim with room matches events with waiting runs, and takes the runs that got one.
namespace pawl::test {
namespace {

store::OutsideEvent event(std::string key) {
    store::OutsideEvent made;
    made.id = "e-" + key;
    made.name = "paid";
    made.key = std::move(key);
    return made;
}

store::CommitBatch waiting_for(WorkerId worker, RunId run, std::string key) {
    Event waits;
    waits.seq = 1;
    waits.type = EventType::wait_started;
    auto batch = appending(worker, run, {waits});
    batch.projections.subscribes.push_back({run, 0, 1, "paid", std::move(key), Instant{}});
    return batch;
}

template <class T>
class ClaimsMatch : public Conformance<T> {
protected:
    RunId waiting(const std::string& key) {
        const RunId run = this->db_.run(worker_);
        auto batch = waiting_for(worker_, run, key);
        batch.parks.push_back({run, std::nullopt});
        this->db_.commit(batch);
        return run;
    }
    // The runs that a claim takes; those with an event have just the one.
    std::set<RunId> claim(int limit = 100) {
        const auto claimed = this->db_.claim(worker_, limit);
        std::set<RunId> runs, told;
        for (const auto& row : claimed.log) runs.insert(row.run);
        for (const auto& signal : claimed.signals) {
            EXPECT_EQ(signal.kind, "event");
            EXPECT_TRUE(told.insert(signal.run).second) << "an event twice";
        }
        return runs;
    }
    WorkerId worker_ = this->db_.worker();
};
TYPED_TEST_SUITE(ClaimsMatch, Stores, StoreNames);

TYPED_TEST(ClaimsMatch, ARunThatGotAnEventIsTakenWithIt) {
    const RunId run = this->waiting("k1");
    const RunId other = this->waiting("k2");
    this->db_.publish({event("k1")});
    const auto claimed = this->db_.claim(this->worker_);
    ASSERT_EQ(claimed.signals.size(), 1u);
    EXPECT_EQ(claimed.signals[0].run, run);
    EXPECT_EQ(claimed.signals[0].data.at("id").as_string(), "e-k1");
    EXPECT_EQ(claimed.log.size(), 2u) << "its whole log";
    EXPECT_EQ(this->db_.status(run), "running");
    EXPECT_EQ(this->db_.status(other), "waiting");
    EXPECT_EQ(this->db_.match().delivered, 0);
}

TYPED_TEST(ClaimsMatch, AnEventThatCameBeforeIsFound) {
    this->db_.publish({event("k1")});
    EXPECT_TRUE(this->claim().empty());
    const RunId run = this->waiting("k1");
    EXPECT_EQ(this->claim(), std::set{run});
    EXPECT_EQ(this->db_.match().delivered, 0);
}

TYPED_TEST(ClaimsMatch, DueRunsComeFirst) {
    const RunId late = this->waiting("k1");
    this->db_.publish({event("k1")});
    const RunId due = this->db_.run();
    EXPECT_EQ(this->claim(1), std::set{due});
    EXPECT_EQ(this->db_.status(late), "waiting");
    EXPECT_EQ(this->claim(1), std::set{late});
}

TYPED_TEST(ClaimsMatch, OneThatIsHeldGetsItsEventFromAnothersClaim) {
    const WorkerId holder = this->db_.worker();
    const RunId run = this->db_.run(holder);
    this->db_.commit(waiting_for(holder, run, "k1"));
    this->db_.publish({event("k1")});
    EXPECT_TRUE(this->claim().empty());
    const auto signals = this->db_.signals(holder);
    ASSERT_EQ(signals.size(), 1u);
    EXPECT_EQ(signals[0].run, run);
}

// More than what is kept in one row of the lists.
TYPED_TEST(ClaimsMatch, ManyAtOnceGetTheirsOnceEach) {
    constexpr int many = 250;
    std::set<RunId> waiting;
    store::CommitBatch batch;
    std::vector<store::OutsideEvent> events;
    for (int i = 0; i < many; ++i) {
        const std::string key = fmt::format("k{}", i);
        const RunId run = this->db_.run(this->worker_);
        auto one = waiting_for(this->worker_, run, key);
        one.parks.push_back({run, std::nullopt});
        if (i == 0) {
            batch = std::move(one);
        } else {
            batch.events.push_back(std::move(one.events[0]));
            batch.parks.push_back(one.parks[0]);
            batch.projections.subscribes.push_back(one.projections.subscribes[0]);
        }
        waiting.insert(run);
        events.push_back(event(key));
    }
    // Some before the wait, some after it, some twice.
    const auto middle = events.begin() + many / 2;
    this->db_.publish({events.begin(), middle});
    this->db_.commit(batch);
    const auto fresh = this->db_.publish(events);
    EXPECT_EQ(std::count(fresh.begin(), fresh.end(), true), many - many / 2);
    std::set<RunId> taken;
    for (int turn = 0; turn < 10 && taken.size() < waiting.size(); ++turn) {
        const auto some = this->claim(60);
        EXPECT_LE(some.size(), 60u);
        for (const RunId& run : some) EXPECT_TRUE(taken.insert(run).second);
    }
    EXPECT_EQ(taken, waiting);
    EXPECT_EQ(this->db_.match().delivered, 0);
}

// A full claim stops in the middle of the runs that wait for one event.
TYPED_TEST(ClaimsMatch, ManyRunsThatWaitForOneEventAndThoseBehindThemGetTheirsOnce) {
    std::multiset<std::string> wanted;
    for (const auto& [key, count] : {std::pair{"k1", 5}, {"k2", 30}, {"k3", 5}, {"k4", 1}}) {
        for (int i = 0; i < count; ++i) {
            this->waiting(key);
            wanted.insert(std::string("e-") + key);
        }
    }
    EXPECT_TRUE(this->claim().empty());
    this->db_.publish({event("k1"), event("k2"), event("unwanted"), event("k3"), event("k4")});
    std::multiset<std::string> got;
    std::set<RunId> told;
    for (int turn = 0; turn < 12; ++turn) {
        const auto claimed = this->db_.claim(this->worker_, 7);
        for (const auto& signal : claimed.signals) {
            if (told.insert(signal.run).second) got.emplace(signal.data.at("id").as_string());
        }
    }
    EXPECT_EQ(got, wanted);
    EXPECT_FALSE(this->db_.match().more);
}

TYPED_TEST(ClaimsMatch, EventsThatNoRunWaitsForHoldNoneUp) {
    const RunId run = this->waiting("last");
    std::vector<store::OutsideEvent> events;
    for (int i = 0; i < 600; ++i) events.push_back(event(fmt::format("k{}", i)));
    events.push_back(event("last"));
    this->db_.publish(events);
    EXPECT_EQ(this->claim(5), std::set{run});
}

TYPED_TEST(ClaimsMatch, NoMoreAreTakenThanAskedForWhenTheirEventsCameBefore) {
    std::set<RunId> waiting;
    std::vector<store::OutsideEvent> events;
    for (int i = 0; i < 10; ++i) events.push_back(event(fmt::format("k{}", i)));
    this->db_.publish(events);
    EXPECT_EQ(this->db_.match().delivered, 0);
    for (int i = 0; i < 10; ++i) waiting.insert(this->waiting(fmt::format("k{}", i)));
    std::set<RunId> taken;
    for (int turn = 0; turn < 10; ++turn) {
        const auto some = this->claim(3);
        EXPECT_LE(some.size(), 3u);
        taken.insert(some.begin(), some.end());
    }
    EXPECT_EQ(taken, waiting);
}

TYPED_TEST(ClaimsMatch, OneThatGotItsEventIsDueWhenItsWorkerDies) {
    const RunId run = this->db_.run(this->worker_);
    auto batch = waiting_for(this->worker_, run, "k1");
    batch.parks.push_back({run, this->db_.now() + std::chrono::hours(72)});
    this->db_.commit(batch);
    this->db_.publish({event("k1")});
    EXPECT_EQ(this->claim(), std::set{run});
    this->db_.elapse(std::chrono::minutes(1));
    const WorkerId other = this->db_.worker();
    EXPECT_EQ(this->db_.sweep(std::chrono::seconds(30)).size(), 1u);
    const auto claimed = this->db_.claim(other);
    EXPECT_EQ(claimed.log.size(), 2u);
    ASSERT_EQ(claimed.signals.size(), 2u);
    EXPECT_EQ(claimed.signals[0].kind, "event");
    EXPECT_EQ(claimed.signals[1].kind, "interrupted");
}

class ClaimRace : public ClaimsMatch<PgUnderTest> {
protected:
    // Whether a claim in a session of its own tells the workers to look.
    bool claim_tells() {
        const auto output = output_of(
            "psql -X -q -t -d '" + db_.database().url() +
            "' -c 'listen pawl_wake' -c \"select count(*) from pawl.claim_runs(0::smallint, '" +
            to_string(worker_) + "', 10)\""
        );
        return output.find("notification \"pawl_wake\"") != std::string::npos;
    }
};

TEST_F(ClaimRace, OthersAreToldOfWhatIsTheirs) {
    waiting("k1");
    db_.publish({event("k1")});
    EXPECT_FALSE(claim_tells()) << "it took that one itself";
    const WorkerId holder = db_.worker();
    const RunId run = db_.run(holder);
    db_.commit(waiting_for(holder, run, "k2"));
    db_.publish({event("k2")});
    EXPECT_TRUE(claim_tells());
}

TEST_F(ClaimRace, ARunThatIsBeingChangedIsTakenLater) {
    const RunId run = waiting("k1");
    db_.publish({event("k1")});
    Session other(db_.database().url());
    other.script(
        "begin; select from pawl.live_run where run_id = '" + to_string(run) + "' for no key update"
    );
    EXPECT_TRUE(claim().empty());
    other.script("rollback");
    EXPECT_FALSE(db_.match().more);
    EXPECT_EQ(claim(), std::set{run});
}

TEST_F(ClaimRace, AnEventWhoseSubscriptionIsLockedStaysPending) {
    const RunId run = waiting("k1");
    EXPECT_TRUE(claim().empty());
    db_.publish({event("k1"), event("k2")});
    Session other(db_.database().url());
    other.script("begin; select from pawl.subscription for update");
    EXPECT_TRUE(claim().empty());
    other.script("rollback");
    EXPECT_EQ(claim(), std::set{run});
    EXPECT_EQ(db_.database().session().value("select count(*)::text from pawl.inbox_pending"), "0");
}

// Lost with a crash, it would leave the run parked; other claims leave theirs ready.
TEST_F(ClaimRace, AClaimThatDeliversWaitsForTheDisk) {
    waiting("k1");
    db_.match();
    const std::string claim_it =
        "begin; set local synchronous_commit = off; "
        "select count(*) from pawl.claim_runs(0::smallint, '" +
        to_string(worker_) + "', 10)";
    auto& session = db_.database().session();
    const auto waits = [&] {
        session.script(claim_it);
        auto setting = session.value("select current_setting('synchronous_commit')");
        session.script("rollback");
        return setting;
    };
    EXPECT_EQ(waits(), "off");
    db_.publish({event("k1")});
    EXPECT_EQ(waits(), "on");
}

TEST_F(ClaimRace, TwoClaimsShareWhatIsPending) {
    constexpr int many = 300;  // three lists
    for (int i = 0; i < many; ++i) waiting(fmt::format("k{}", i));
    while (db_.match().more) {
    }
    std::vector<store::OutsideEvent> events;
    for (int i = 0; i < many; ++i) events.push_back(event(fmt::format("k{}", i)));
    db_.publish(events);
    Session other(db_.database().url());
    other.script(
        "begin; select * from pawl.claim_runs(0::smallint, '" + to_string(db_.worker()) + "', 100)"
    );
    EXPECT_EQ(claim(100).size(), 100u) << "the first claim holds its list alone";
    other.script("commit");
    EXPECT_EQ(claim(500).size(), 100u);
}

TEST_F(ClaimRace, AnErrorWhileMatchingStopsNoClaim) {
    waiting("k1");
    db_.match();
    db_.publish({event("k1")});
    const RunId due = db_.run();
    auto& session = db_.database().session();
    session.script("alter function pawl.deliver_events rename to deliver_nothing");
    EXPECT_EQ(claim(), std::set{due});
    session.script("alter function pawl.deliver_nothing rename to deliver_events");
    EXPECT_EQ(claim().size(), 1u);
}

TEST_F(ClaimRace, WhatIsPendingInAListIsShownAndKept) {
    db_.publish({event("k1"), event("k2"), event("k3")});
    auto& session = db_.database().session();
    EXPECT_EQ(
        session.value("select string_agg(event_id, ',' order by id) from "
                      "pawl.list_inbox(0::smallint, 1, null, null, null, 50, 99) where pending"),
        "e-k1,e-k2,e-k3"
    );
    session.script("select pawl.purge_inbox(0::smallint, interval '-1 hour', 100)");
    EXPECT_EQ(session.value("select count(*)::text from pawl.inbox"), "3");
    EXPECT_EQ(
        session.value("select value::text from pawl.figures_of_waiting(0::smallint) "
                      "where metric = 'pawl_unmatched_events'"),
        "3"
    );
    db_.match();
    session.script("select pawl.purge_inbox(0::smallint, interval '-1 hour', 100)");
    EXPECT_EQ(session.value("select count(*)::text from pawl.inbox"), "0");
}

// Numbers of events that were published at once by two are not in order.
// Publishers at once may number their events in turns.
TEST_F(ClaimRace, OfTwoEventsTheOlderOneCountsInWhateverListItIs) {
    waiting("k");
    db_.match();
    auto older = event("k");
    auto younger = event("k");
    older.id = "older";
    younger.id = "younger";
    db_.publish({event("k1"), event("k2"), older, younger});
    db_.database().session().script(
        "update pawl.inbox_pending q set more = array[q.id + 3]; "
        "insert into pawl.inbox_pending (bucket, id, more) "
        "select 0, q.id + 1, array[q.id + 2] from pawl.inbox_pending q"
    );
    const auto claimed = db_.claim(worker_);
    ASSERT_EQ(claimed.signals.size(), 1u);
    EXPECT_EQ(claimed.signals[0].data.at("id").as_string(), "older");
}

TEST_F(ClaimRace, WhatIsLeftIsKeptInOrder) {
    for (const auto* key : {"k1", "k2", "k3", "k4", "k5", "k6"}) waiting(key);
    db_.match();
    db_.publish({event("k1"), event("k2"), event("k3"), event("k4"), event("k5"), event("k6")});
    auto& session = db_.database().session();
    session.script(
        "update pawl.inbox_pending q set more = array[q.id + 2, q.id + 4]; "
        "insert into pawl.inbox_pending (bucket, id, more) "
        "select 0, q.id + 1, array[q.id + 3, q.id + 5] from pawl.inbox_pending q"
    );
    EXPECT_EQ(claim(2).size(), 2u);
    EXPECT_EQ(
        session.value("select string_agg(event_id, ',' order by id) from "
                      "pawl.list_inbox(0::smallint, 1, null, null, null, 50, 99) where pending"),
        "e-k2,e-k4,e-k5,e-k6"
    );
    EXPECT_EQ(claim().size(), 4u);
}

}  // namespace
}  // namespace pawl::test
