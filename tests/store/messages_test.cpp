#include "store/event_waits.hpp"

// Messages to runs, from people and from the children of a run.
namespace pawl::test {
namespace {

template <class T>
class Messages : public Events<T> {};
TYPED_TEST_SUITE(Messages, Stores, StoreNames);

TYPED_TEST(Messages, SignalsReachOpenRunsOnly) {
    auto& db = this->db_;
    const auto worker = db.worker();
    const auto parked = db.parked_run(worker);
    const auto closed = db.run(worker);
    db.commit(closing(worker, closed));
    const auto reached = db.send(
        {{parked, "pause", json::object{{"reason", "x"}}},
         {closed, "pause", json::object{}},
         {new_run_id(), "pause", json::object{}},
         {parked, "resume", json::object{}}}
    );
    EXPECT_EQ(reached, std::vector<RunId>{parked});
    const auto claimed = db.claim(worker);
    ASSERT_EQ(claimed.signals.size(), 2u);
    EXPECT_EQ(claimed.signals[0].kind, "pause");
    EXPECT_EQ(claimed.signals[1].kind, "resume");
}

TYPED_TEST(Messages, AChildThatClosesTellsItsParentInTheSameCommit) {
    auto& db = this->db_;
    const auto worker = db.worker();
    const auto parent = db.parked_run(worker);
    const auto child = db.run(worker);
    auto batch = closing(worker, child);
    const json::object data{{"run", to_string(child)}, {"status", "completed"}, {"token", 3}};
    batch.projections.children.push_back({parent, data});
    db.commit(batch);
    batch.resend = true;
    db.commit(batch);
    EXPECT_EQ(db.status(parent), "queued");
    const auto claimed = db.claim(worker);
    ASSERT_EQ(claimed.signals.size(), 1u);
    EXPECT_EQ(claimed.signals[0].kind, "child");
    EXPECT_EQ(claimed.signals[0].data, data);
}

TYPED_TEST(Messages, AChildWhoseParentIsGoneClosesAllTheSame) {
    auto& db = this->db_;
    const auto worker = db.worker();
    const auto child = db.run(worker);
    auto batch = closing(worker, child);
    batch.projections.children.push_back(
        {new_run_id(), json::object{{"run", to_string(child)}, {"token", 3}}}
    );
    db.commit(batch);
    EXPECT_EQ(db.status(child), "completed");
}

class EventsPg : public Events<PgUnderTest> {
protected:
    std::string value(const std::string& sql) { return session_.value(sql); }
    Session& session_ = db_.database().session();
};

TEST_F(EventsPg, ATransactionThatBeganBeforeTheRunReachesIt) {
    Session sender(db_.database().url());
    sender.script("begin; select now()");
    const auto worker = db_.worker();
    const RunId run = db_.run(worker);
    auto batch = appending(worker, run, {wait_started(1)});
    batch.parks.push_back({run, std::nullopt});
    const auto started = Instant(std::chrono::milliseconds(unix_ms_of(run.uuid)));
    batch.projections.subscribes.push_back({run, 0, 1, "paid", "k1", started});
    db_.commit(batch);
    sender.script("select pawl.emit('paid', key => 'k1'); commit");
    value("select delivered::text from pawl.match_inbox(0::smallint, 100)");
    EXPECT_EQ(received(worker).size(), 1u);
}

// Whatever it is that raises: the event is set aside with its reason, the others go on.
TEST_F(EventsPg, OneThatCannotBeDeliveredStopsNoOther) {
    const auto worker = db_.worker();
    waiting(worker, "bad");
    const RunId good = waiting(worker, "good");
    session_.script(
        "create function refuse() returns trigger language plpgsql as $$ begin raise exception "
        "'not this one'; end $$; create trigger refuse before insert on pawl.signal for each row "
        "when (new.data ->> 'key' = 'bad') execute function refuse()"
    );
    publish({event("1", "bad"), event("2", "good")});
    value("select delivered::text from pawl.match_inbox(0::smallint, 100)");
    value("select delivered::text from pawl.match_inbox(0::smallint, 100)");
    EXPECT_EQ(received(worker), Ids{"2"});
    EXPECT_EQ(db_.status(good), "running");
    EXPECT_EQ(
        value("select problem from pawl.inbox where event_id = '1'"), "not delivered: not this one"
    );
}

}  // namespace
}  // namespace pawl::test
