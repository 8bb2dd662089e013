#include "store/repos/callbacks.hpp"
#include "store/repos/human_tasks.hpp"
#include "store/repos/idempotency.hpp"
#include "store/repos/jobs.hpp"
#include "store/repos/retries.hpp"
#include "store/under_test.hpp"

// What is acknowledged because a row is there already must be as durable as the row: the commit
// that wrote it may have been cut off while it waited for its synchronous standby.
namespace pawl::test {
namespace {

// The cluster is told of a standby that is not there, so every commit that would wait for one
// hangs. Other databases of the cluster do not wait for standbys at all.
class StandbyPg : public ::testing::Test {
protected:
    StandbyPg() {
        // One test at a time tells the cluster: each takes back at its end what it told.
        alone_.script("select pg_advisory_lock(7236871916)");
        control().script("set synchronous_commit = off");
        // For connections from here on: those of the pool.
        control().script(
            "alter database " + db_.database().name() + " set synchronous_commit = on"
        );
        caller_ = std::make_unique<Session>(db_.database().url());
        workflow_ = db_.workflow();
    }
    ~StandbyPg() override { release(); }

    Session& control() { return db_.database().session(); }

    bool hangs() {
        return control().value(
                   "select count(*)::text from pg_stat_activity where datname = "
                   "current_database() and wait_event = 'SyncRep'"
               ) != "0";
    }
    // Returns once commits do wait.
    void lose_standby() {
        control().script("alter system set synchronous_standby_names = 'absent'");
        control().script("select pg_reload_conf()");
        bool seen = false;
        const auto deadline = Steady::now() + std::chrono::seconds(20);
        while (!seen && Steady::now() < deadline) {
            Session probe(db_.database().url());
            const auto look = [&] {
                if (!seen && hangs()) seen = true;
                if (seen) end_waits("pg_terminate_backend");
            };
            try {
                probe.loop().run_beside(
                    done(probe.connection().script(
                        "select pg_logical_emit_message(true, 'test', '')", std::chrono::seconds(20)
                    )),
                    look
                );
            } catch (const Failure&) {
                EXPECT_TRUE(seen);
            }
        }
        ASSERT_TRUE(seen) << "no commit waits for the standby";
    }
    void release() {
        control().script("alter system reset synchronous_standby_names");
        control().script("select pg_reload_conf()");
    }
    void end_waits(const std::string& how) {
        control().script(
            "select " + how +
            "(pid) from pg_stat_activity where datname = current_database() and "
            "wait_event = 'SyncRep'"
        );
    }

    static asio::awaitable<bool> done(asio::awaitable<void> task) {
        co_await std::move(task);
        co_return true;
    }
    // The call answers only after its commit has waited for the standby.
    template <class T>
    T waits(Loop& loop, asio::awaitable<T> call) {
        bool seen = false;
        T answer = loop.run_beside(std::move(call), [&] {
            if (seen || !hangs()) return;
            seen = true;
            release();
        });
        EXPECT_TRUE(seen) << "answered without a wait for the standby";
        return answer;
    }
    template <class T>
    T waits(asio::awaitable<T> call) {
        return waits(db_.loop(), std::move(call));
    }
    void sql_waits(const std::string& sql) {
        waits(
            caller_->loop(),
            done(caller_->connection().script("select " + sql, std::chrono::seconds(20)))
        );
    }

    store::StartBatch keyed(const std::string& key) {
        store::StartBatch batch;
        batch.runs = {new_run(workflow_)};
        batch.runs[0].correlation = key;
        return batch;
    }
    RunId closed_run(RunStatus status = RunStatus::completed) {
        const auto worker = db_.worker();
        const auto run = db_.run(worker);
        db_.commit(closing(worker, run, status));
        return run;
    }

    Session alone_{TestDatabase::url_of("postgres")};
    PgUnderTest db_;
    std::unique_ptr<Session> caller_;
    store::WorkflowId workflow_ = 0;
};

TEST_F(StandbyPg, AStartWithAKeyThatIsTakenWaits) {
    const auto first = keyed("k");
    db_.start(first);
    lose_standby();
    const auto existing = waits(db_.store().start_runs(keyed("k")));
    ASSERT_EQ(existing.size(), 1u);
    EXPECT_EQ(existing[0].existing, first.runs[0].id);
}

TEST_F(StandbyPg, AStartThatWasCutOffInItsWaitIsNotAcknowledgedByTheResend) {
    auto batch = keyed("k");
    lose_standby();
    for (const std::string how : {"pg_terminate_backend", "pg_cancel_backend"}) {
        bool ended = false;
        const auto end = [&] {
            if (ended || !hangs()) return;
            ended = true;
            end_waits(how);
        };
        EXPECT_TRUE(failure_of([&] { db_.loop().run_beside(db_.store().start_runs(batch), end); }))
            << how;
        EXPECT_TRUE(ended);
        batch.resend = true;
    }
    EXPECT_EQ(control().value("select count(*)::text from pawl.live_run"), "1");
    EXPECT_TRUE(waits(db_.store().start_runs(batch)).empty());
}

TEST_F(StandbyPg, ACommitThatIsSentAgainWaits) {
    const auto worker = db_.worker();
    auto batch = closing(worker, db_.run(worker));
    db_.commit(batch);
    lose_standby();
    batch.resend = true;
    waits(db_.store().commit_runs(batch));
}

TEST_F(StandbyPg, AnEventThatIsThereWaits) {
    store::OutsideEvent event;
    event.id = "e1";
    event.name = "order.paid";
    db_.publish({event});
    lose_standby();
    EXPECT_EQ(waits(db_.store().publish_events(0, {event})), std::vector{false});
}

TEST_F(StandbyPg, WhatARunThatIsClosedDoesNotGetWaits) {
    const auto run = closed_run();
    lose_standby();
    EXPECT_FALSE(waits(db_.store().request_cancel(0, run, {"late"})));
    lose_standby();
    EXPECT_TRUE(waits(db_.store().send_signals(0, {{run, "signal", nullptr}})).empty());
}

TEST_F(StandbyPg, ARepeatedAnswerWaits) {
    store::Idempotency answers(db_.pool());
    store::StoredAnswer answer;
    answer.fingerprint = "f";
    answer.status = 201;
    answer.body = "{}";
    db_.loop().run(answers.remember(1, "k", answer));
    lose_standby();
    EXPECT_TRUE(waits(answers.find(1, "k")));
    lose_standby();
    EXPECT_EQ(waits(answers.remember(1, "k", answer)).body, "{}");
}

TEST_F(StandbyPg, ACallbackThatWasAnsweredWaits) {
    store::Callbacks callbacks(db_.pool());
    const auto worker = db_.worker();
    store::CallbackAnswer answer;
    answer.run = db_.run(worker);
    answer.token = std::string(32, 't');
    answer.fingerprint = std::string(32, 'f');
    answer.expires = wall_now() + std::chrono::hours(1);
    answer.data = json::object{};
    db_.loop().run(callbacks.answer(answer));
    lose_standby();
    EXPECT_EQ(waits(callbacks.answer(answer)), store::CallbackOutcome::repeated);
}

TEST_F(StandbyPg, ARerunThatWasMadeWaits) {
    store::Retries retries(db_.pool());
    const auto run = closed_run();
    store::Rerun rerun{run, new_run_id(), 1};
    rerun.key = "k";
    EXPECT_EQ(db_.loop().run(retries.rerun_from({}, rerun)), rerun.new_run);
    store::Rerun again = rerun;
    again.new_run = new_run_id();
    lose_standby();
    EXPECT_EQ(waits(retries.rerun_from({}, again)), rerun.new_run);
}

TEST_F(StandbyPg, ARunThatWasRetriedAlreadyWaits) {
    store::Retries retries(db_.pool());
    const auto run = closed_run(RunStatus::failed);
    db_.loop().run(retries.retry({}, {{run, new_run_id()}}));
    lose_standby();
    EXPECT_FALSE(waits(retries.retry({}, {{run, new_run_id()}})).at(0).created);
}

TEST_F(StandbyPg, ADecisionThatWasMadeWaits) {
    const auto worker = db_.worker();
    const auto run = db_.run(worker);
    Event event;
    event.seq = 1;
    event.type = EventType::wait_started;
    event.node = "ask";
    auto batch = appending(worker, run, {event});
    batch.parks.push_back({run, std::nullopt});
    batch.projections.opened.push_back(
        {run, 4, 1, workflow_, "ask", "", {{"title", "Refund?"}, {"assignee", "ann"}}}
    );
    db_.commit(batch);
    store::HumanTasks tasks(db_.pool());
    const Uuid task = db_.loop().run(tasks.list({}, {})).tasks.at(0).id;
    store::TaskAction approve;
    approve.kind = store::TaskActionKind::approve;
    approve.by = "ann";
    db_.loop().run(tasks.apply_action({}, task, approve));
    lose_standby();
    EXPECT_EQ(waits(tasks.apply_action({}, task, approve)), store::TaskAnswer::closed);
}

TEST_F(StandbyPg, AJobThatIsThereWaits) {
    store::Jobs jobs(db_.pool());
    const Uuid id = new_run_id().uuid;
    db_.loop().run(jobs.create_replay(id, 1, {}));
    lose_standby();
    EXPECT_EQ(waits(jobs.create_replay(id, 1, {})).id, id);
}

TEST_F(StandbyPg, ADefinitionThatIsThereWaits) {
    const auto definition = line("same");
    db_.apply(definition);
    lose_standby();
    EXPECT_FALSE(waits(db_.store().apply_workflow(1, definition)).changed);
}

TEST_F(StandbyPg, TheFunctionsOfSqlWait) {
    const std::string run = to_string(closed_run());
    caller_->script(
        "select pawl.start('hello', correlation_id => 'k'), "
        "pawl.emit('order.paid', id => 'e1')"
    );
    for (const std::string& call :
         {std::string("pawl.start('hello', correlation_id => 'k')"),
          std::string("pawl.emit('order.paid', id => 'e1')"),
          "pawl.signal('" + run + "', 'go')",
          "pawl.cancel('" + run + "')"}) {
        SCOPED_TRACE(call);
        lose_standby();
        sql_waits(call);
    }
    EXPECT_EQ(control().value("select count(*)::text from pawl.inbox"), "1");
}

TEST_F(StandbyPg, AFreshStartPaysNothing) {
    auto trips = std::make_shared<std::atomic<std::uint64_t>>(0);
    auto options = db_.pool().options();
    options.connect.round_trips = trips;
    pg::Pool pool(db_.loop().context().get_executor(), options);
    store::PgStore store(pool);
    db_.loop().run(store.start_runs(keyed("first")));  // connects
    const auto before = trips->load();
    db_.loop().run(store.start_runs(keyed("second")));
    EXPECT_EQ(trips->load() - before, 1u);
    db_.loop().run(store.start_runs(keyed("second")));
    EXPECT_EQ(trips->load() - before, 3u);
}

}  // namespace
}  // namespace pawl::test
