#include "store/repos/outbox.hpp"

#include "store/repos/outbox_targets.hpp"
#include "store/under_test.hpp"

#include <boost/json/parse.hpp>

#include <map>

// Messages for those outside: written with the log, taken by one at a time, in the order of a run.
namespace pawl::test {
namespace {

using namespace std::chrono_literals;
using store::OutboxState;

class Outbox : public ::testing::Test {
protected:
    PgUnderTest db_;
    Session& session_ = db_.database().session();
    Vault vault_ = Vault::from_keys(std::string(64, 'a')).value();
    store::Outbox outbox_{db_.pool(), vault_};
    store::OutboxTargets targets_{db_.pool(), vault_};
    WorkerId sender_ = new_worker_id();

    std::int32_t target(std::vector<std::string> events = {"*"}, std::string kind = "webhook") {
        store::NewOutboxTarget target;
        target.events = std::move(events);
        target.kind = kind;
        target.address = kind == "webhook" ? "http://hook.test/" : "told";
        return db_.loop().run(targets_.create({}, target)).id;
    }
    store::TakenMessages take(int limit = 50) {
        return db_.loop().run(outbox_.take(0, sender_, limit, 30s));
    }
    void settle(
        const store::TakenMessages& taken, OutboxState state, std::optional<Duration> wait = {}
    ) {
        store::SettledMessages settled;
        settled.target = taken.target;
        settled.shard = taken.shard;
        for (const auto& message : taken.messages) {
            settled.messages.push_back({message.run, message.seq, state, true, 200, "", "", wait});
        }
        db_.loop().run(outbox_.settle(0, sender_, settled));
        let_go();
    }
    // As if the one who took them had died.
    void let_go() { session_.script("update pawl.outbox_lease set leased_until = '-infinity'"); }
    void pass_time() { session_.script("update pawl.outbox set due_at = due_at - interval '1 h'"); }

    static std::string told(const store::TakenMessages& taken) {
        std::string all;
        for (const auto& message : taken.messages) {
            all += message.type + ":" + std::to_string(message.seq) + " ";
        }
        return all;
    }
    // Sent to channels and queues; those that could not be are negative.
    int publish_inside() {
        int sent = 0;
        for (const auto& one : db_.loop().run(outbox_.publish_inside(0, 100))) {
            sent += one.sent - one.failed;
        }
        return sent;
    }
    std::string figure(const std::string& metric, const std::string& kind) {
        return value(
            "select round(value) from pawl.figures_of_outbox(0::smallint) where metric = '" +
            metric + "' and labels @> '" + kind + "'"
        );
    }
    std::string value(const std::string& sql) {
        return session_.value("select (" + sql + ")::text");
    }
    // Steps 1 to n of a run, in a commit each.
    RunId stepped(WorkerId worker, int steps, RunId run) {
        for (int seq = 1; seq <= steps; ++seq) {
            store::CommitBatch batch;
            batch.worker = worker;
            Event event = step_completed(seq);
            event.data = json::object{{"n", seq}};
            batch.events.push_back({run, event});
            db_.commit(batch);
        }
        return run;
    }
};

TEST_F(Outbox, NothingIsWrittenWithoutATarget) {
    const auto worker = db_.worker();
    stepped(worker, 2, db_.run(worker));
    EXPECT_EQ(value("select count(*) from pawl.outbox"), "0");
    EXPECT_TRUE(take().messages.empty());
}

TEST_F(Outbox, WhatHappensIsToldAsItWasWritten) {
    target();
    const auto worker = db_.worker();
    const RunId run = stepped(worker, 1, db_.run(worker));
    db_.commit(closing(worker, run, RunStatus::completed, 2));
    const auto taken = take();
    EXPECT_EQ(told(taken), "run.started:0 step.completed:1 run.completed:2 ");
    EXPECT_EQ(taken.url, "http://hook.test/");
    ASSERT_EQ(taken.secrets.size(), 1u);
    EXPECT_TRUE(taken.secrets[0].starts_with("whsec_"));
    const json::value message = json::parse(taken.messages.at(1).body);
    EXPECT_EQ(message.at("type").as_string(), "step.completed");
    EXPECT_EQ(message.at("data").at("run_id").as_string(), to_string(run));
    EXPECT_EQ(message.at("data").at("result").at("n").as_int64(), 1);
    EXPECT_EQ(message.at("data").at("workflow").as_string(), "hello");
    settle(taken, OutboxState::published);
    EXPECT_TRUE(take().messages.empty());
    EXPECT_EQ(value("select count(*) from pawl.outbox where state = 2 and attempts = 1"), "3");
}

TEST_F(Outbox, OnlyWhatWasAskedFor) {
    const auto ends = target({"run.completed"});
    const auto runs = target({"run.*"});
    session_.script(
        "update pawl.outbox_target set workflows = '{other}' where id = " + std::to_string(target())
    );
    const auto worker = db_.worker();
    const RunId run = stepped(worker, 1, db_.run(worker));
    db_.commit(closing(worker, run, RunStatus::completed, 2));
    std::map<std::int32_t, std::string> heard;
    for (auto taken = take(); !taken.messages.empty(); taken = take()) {
        heard[taken.target] = told(taken);
    }
    EXPECT_EQ(heard[ends], "run.completed:2 ");
    EXPECT_EQ(heard[runs], "run.started:0 run.completed:2 ");
    EXPECT_EQ(heard.size(), 2u);
}

TEST_F(Outbox, ACommitThatIsSentAgainTellsNothingTwice) {
    target();
    const auto worker = db_.worker();
    const RunId run = db_.run(worker);
    store::CommitBatch batch;
    batch.worker = worker;
    batch.events.push_back({run, step_completed(1)});
    db_.commit(batch);
    settle(take(), OutboxState::published);
    batch.resend = true;
    db_.commit(batch);
    EXPECT_TRUE(take().messages.empty());
    EXPECT_EQ(value("select count(*) from pawl.outbox"), "2");
}

TEST_F(Outbox, OneAtATimeAndTheDeadAreReplaced) {
    target();
    const auto worker = db_.worker();
    stepped(worker, 3, db_.run(worker));
    EXPECT_EQ(take().messages.size(), 4u);
    EXPECT_TRUE(take().messages.empty());
    EXPECT_EQ(value("select count(*) from pawl.outbox where state = 1"), "4");
    let_go();
    const auto again = take();
    EXPECT_EQ(told(again), "run.started:0 step.completed:1 step.completed:2 step.completed:3 ");
    EXPECT_EQ(again.messages.at(0).attempts, 0);
}

TEST_F(Outbox, OneThatHasToWaitHoldsThoseBehindItBack) {
    target();
    const auto worker = db_.worker();
    const RunId slow = stepped(worker, 2, db_.run(worker));
    const auto first = take(1);
    EXPECT_EQ(told(first), "run.started:0 ");
    settle(first, OutboxState::pending, Duration(10s));
    EXPECT_TRUE(take().messages.empty()) << "all of them are of the same run";
    stepped(worker, 1, db_.run(worker));
    const auto other = take();
    EXPECT_EQ(told(other), "run.started:0 step.completed:1 ") << "another run goes on";
    settle(other, OutboxState::published);
    // What comes now comes after what waits, also when it was due before.
    store::CommitBatch batch;
    batch.worker = worker;
    batch.events.push_back({slow, step_completed(3)});
    db_.commit(batch);
    session_.script("update pawl.outbox set due_at = now() - interval '1 s' where seq = 3");
    EXPECT_TRUE(take().messages.empty());
    pass_time();
    const auto rest = take();
    EXPECT_EQ(told(rest), "run.started:0 step.completed:1 step.completed:2 step.completed:3 ");
    EXPECT_EQ(rest.messages.at(0).attempts, 1);
}

TEST_F(Outbox, AQueueGetsItInTheTransactionThatNotesIt) {
    const auto id = target({"run.started"}, "queue");
    EXPECT_EQ(value("select pawl.queue_exists('told')"), "true") << "it is made with its target";
    session_.script("select pgmq.drop_queue('told')");
    const auto worker = db_.worker();
    db_.run(worker);
    EXPECT_EQ(publish_inside(), -1) << "there is no such queue any more";
    EXPECT_EQ(value("select max(failures) from pawl.outbox_lease"), "1");
    session_.script("select pgmq.create('told')");
    EXPECT_TRUE(db_.loop().run(targets_.enable({}, id)));
    EXPECT_EQ(publish_inside(), 1);
    EXPECT_EQ(publish_inside(), 0);
    EXPECT_EQ(value("select message ->> 'type' from pgmq.read('told', 30, 10)"), "run.started");
    EXPECT_EQ(value("select count(*) from pawl.outbox where state = 2"), "1");
}

TEST_F(Outbox, AChannelHearsIt) {
    target({"run.started"}, "notify");
    session_.script("listen told");
    db_.run(db_.worker());
    EXPECT_EQ(publish_inside(), 1);
    EXPECT_EQ(value("select state from pawl.outbox"), "2");
    const auto heard =
        session_.loop().run(session_.connection().notifications(std::chrono::seconds(10)));
    ASSERT_EQ(heard.size(), 1u);
    // Every role of the database may listen: ids, and nothing of the run.
    const auto message = parse_json(heard[0].payload).value();
    EXPECT_EQ(message.at("type"), "run.started");
    EXPECT_EQ(message.at("data").as_object().size(), 2u) << heard[0].payload;
    EXPECT_TRUE(message.at("data").as_object().contains("run_id"));
    EXPECT_TRUE(message.at("data").as_object().contains("seq"));
}

TEST_F(Outbox, FiguresSayWhatWaitsAndWhatWasGivenUp) {
    const std::string webhook = R"({"kind": "webhook"})";
    EXPECT_EQ(figure("pawl_outbox_pending", webhook), "0");
    EXPECT_EQ(figure("pawl_oldest_outbox_age_seconds", webhook), "0");
    const auto id = target({"run.started"});
    target({"run.started"}, "queue");
    session_.script("select pgmq.drop_queue('told')");
    const auto worker = db_.worker();
    for (int i = 0; i < 3; ++i) db_.run(worker);
    session_.script(
        "update pawl.outbox set created_at = now() - interval '90 s' where ctid = "
        "(select min(ctid) from pawl.outbox where target = " +
        std::to_string(id) + ")"
    );
    EXPECT_EQ(figure("pawl_outbox_pending", webhook), "3");
    EXPECT_EQ(figure("pawl_outbox_pending", R"({"kind": "queue"})"), "3");
    EXPECT_EQ(figure("pawl_oldest_outbox_age_seconds", webhook), "90");
    EXPECT_LE(publish_inside(), -3);
    EXPECT_EQ(figure("pawl_outbox_targets", R"({"kind": "queue", "state": "failing"})"), "1");
    EXPECT_EQ(figure("pawl_outbox_targets", R"({"kind": "webhook", "state": "working"})"), "1");

    store::TakenMessages taken;
    while (!(taken = take()).messages.empty()) {
        store::SettledMessages settled;
        settled.target = taken.target;
        settled.shard = taken.shard;
        for (const auto& message : taken.messages) {
            settled.messages.push_back(
                {message.run, message.seq, OutboxState::failed, true, 500, "", "no", {}}
            );
        }
        db_.loop().run(outbox_.settle(0, sender_, settled));
        let_go();
    }
    EXPECT_EQ(figure("pawl_outbox_pending", webhook), "0");
    EXPECT_EQ(figure("pawl_outbox_failed", webhook), "3");
    EXPECT_EQ(figure("pawl_outbox_failed", R"({"kind": "queue"})"), "0") << "they come again";
    session_.script("update pawl.outbox_target set disabled_at = now()");
    EXPECT_EQ(figure("pawl_outbox_pending", R"({"kind": "queue"})"), "0") << "no target gets them";
    EXPECT_EQ(figure("pawl_outbox_targets", R"({"kind": "queue", "state": "disabled"})"), "1");
}

TEST_F(Outbox, OldMessagesGo) {
    target();
    db_.run(db_.worker());
    settle(take(), OutboxState::published);
    EXPECT_EQ(db_.loop().run(outbox_.purge(0, 1h, 100)), 0);
    session_.script("update pawl.outbox set created_at = now() - interval '2 h'");
    EXPECT_EQ(db_.loop().run(outbox_.purge(0, 1h, 100)), 1);
}

TEST_F(Outbox, MessagesWithoutATargetGo) {
    const auto gone = target(), off = target();
    target();
    db_.run(db_.worker());
    EXPECT_EQ(value("select count(*) from pawl.outbox"), "3");
    EXPECT_TRUE(db_.loop().run(targets_.remove({}, gone)));
    EXPECT_EQ(value("select count(*) from pawl.outbox"), "3") << "there may be millions";
    session_.script(
        "update pawl.outbox_target set disabled_at = now() - interval '2 h' where id = " +
        std::to_string(off) + "; update pawl.outbox set created_at = now() - interval '3 h'"
    );
    EXPECT_EQ(db_.loop().run(outbox_.purge(0, 1h, 1)), 1);
    EXPECT_EQ(db_.loop().run(outbox_.purge(0, 1h, 100)), 1);
    EXPECT_EQ(db_.loop().run(outbox_.purge(0, 1h, 100)), 0) << "the third waits for its target";
}

TEST_F(Outbox, IdsAreReadBack) {
    const RunId run = db_.run();
    const auto place = store::parse_outbox_id(store::outbox_id(run, 17));
    ASSERT_TRUE(place);
    EXPECT_EQ(place->run, run);
    EXPECT_EQ(place->seq, 17);
    for (const char* wrong : {"", "evt_", "evt_x_1", "msg_1"}) {
        EXPECT_FALSE(store::parse_outbox_id(wrong)) << wrong;
    }
    EXPECT_FALSE(store::parse_outbox_id(store::outbox_id(run, 1) + "x"));
}

}  // namespace
}  // namespace pawl::test
