#include "store/hostile.hpp"

#include "engine/async/problem_of.hpp"
#include "engine/services/matcher.hpp"
#include "engine/services/queue_reader.hpp"
#include "engine/services/scheduler.hpp"

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/co_spawn.hpp>

// What cannot be read, or is refused, is the trouble of its tenant only.
namespace pawl::test {
namespace {

using namespace std::chrono_literals;

class HostileSchedules : public Hostile {
protected:
    // Due since so many seconds.
    int schedule(store::TenantId tenant, const std::string& input, int seconds, int place = 0) {
        return std::stoi(sql_.value(fmt::format(
            "insert into pawl.schedule (tenant, workflow, place, cron, timezone, overlap, "
            "catch_up_ms, jitter_ms, input, active, next_at, due_at) select {}, d.workflow, {}, "
            "'* * * * *', 'UTC', 'allow', 3600000, 0, '{}', true, date_trunc('minute', now()), "
            "now() - interval '{} s' from pawl.definition d where d.tenant = {} "
            "returning id::text",
            tenant,
            place,
            input,
            seconds,
            tenant
        )));
    }
    std::string problem(int id) {
        return sql_.value(
            fmt::format("select coalesce(problem, '') from pawl.schedule where id = {}", id)
        );
    }
    void look() { db_.loop().run(look_once()); }
    asio::awaitable<bool> look_once() {
        co_await scheduler_.look();
        co_return true;
    }

    store::Schedules schedules_{db_.pool()};
    engine::Scheduler scheduler_{executor_, db_.store(), schedules_, limits_, metrics_};
};

TEST_F(HostileSchedules, AScheduleWithAnUnreadableInputStopsNoOther) {
    workflow(hostile_);
    workflow(1);
    const int bad = schedule(hostile_, too_large, 20);
    const int good = schedule(1, "{}", 10);
    const int edge = schedule(1, largest, 5);
    look();
    EXPECT_EQ(runs(1), "2");
    EXPECT_EQ(runs(hostile_), "0");
    EXPECT_EQ(problem(good), "");
    EXPECT_EQ(problem(edge), "");
    EXPECT_NE(problem(bad).find("its input cannot be read"), std::string::npos) << problem(bad);
    EXPECT_EQ(
        sql_.value("select (data -> 'input' ->> 'n')::float8::text from pawl.event where "
                   "data -> 'input' ? 'n'"),
        "1.7976931348623157e+308"
    );
    EXPECT_EQ(sql_.value("select count(*)::text from pawl.schedule where due_at <= now()"), "0");
    const auto shown = db_.loop().run(schedules_.list({hostile_, 0}, {}));
    ASSERT_EQ(shown.size(), 1U);
    EXPECT_TRUE(shown[0].input.as_object().contains("unreadable"));
}

TEST_F(HostileSchedules, OneThatTheDatabaseRefusesIsTriedAgainLater) {
    workflow(hostile_);
    workflow(1);
    refuse_its_runs();
    const int bad = schedule(hostile_, "{}", 20);
    schedule(1, "{}", 10);
    look();
    EXPECT_EQ(runs(1), "1");
    EXPECT_NE(problem(bad).find("index row requires"), std::string::npos) << problem(bad);
    EXPECT_EQ(
        sql_.value(fmt::format(
            "select (due_at > now() + interval '50 s' and next_at is not null)::text from "
            "pawl.schedule where id = {}",
            bad
        )),
        "true"
    );
}

TEST_F(HostileSchedules, ATransactionThatATenantHoldsStopsNoOther) {
    workflow(hostile_, R"({"flow": {"debounce": {"period": "1h"}}})");
    workflow(1);
    thief().script("begin; select pawl.start('flow')");
    const int first = schedule(hostile_, "{}", 20);
    const int second = schedule(hostile_, "{}", 15, 1);
    schedule(1, "{}", 10);
    const auto begun = Steady::now();
    look();
    EXPECT_LT(Steady::now() - begun, 3s);
    EXPECT_EQ(runs(1), "1");
    for (const int id : {first, second}) {
        EXPECT_EQ(problem(id), engine::waits_for_tenant);
    }
    thief().script("commit");
    sql_.script("update pawl.schedule set due_at = now() where problem is not null");
    look();
    EXPECT_EQ(problem(first) + problem(second), "");
}

class HostileEvents : public Hostile {
protected:
    void publish(store::TenantId tenant, const std::string& id, const std::string& data) {
        sql_.script(fmt::format(
            "select pawl.publish_events(0::smallint, array[{}], array['{}'], array['paid'], "
            "array['k'], array[null::text], array[null::text], array[null::timestamptz], "
            "array['{}'::jsonb])",
            tenant,
            id,
            data
        ));
    }
    // Until no event is left that may start something.
    void start_all() {
        const std::string left = "select count(*)::text from pawl.trigger_pending";
        db_.loop().run(run_matcher(left));
        EXPECT_EQ(sql_.value(left), "0");
    }
    // Until none is left.
    asio::awaitable<bool> run_matcher(std::string left) {
        engine::MatcherOptions options;
        options.poll = 10ms;
        engine::Matcher matcher(
            executor_,
            db_.store(),
            inbox_,
            limits_,
            [this](std::vector<engine::StartRequest> requests) {
                return start(std::move(requests));
            },
            [this](store::WorkflowId id, std::int32_t version) { return program(id, version); },
            options
        );
        asio::cancellation_signal stop;
        bool ended = false;
        asio::co_spawn(
            executor_,
            matcher.run(),
            asio::bind_cancellation_slot(stop.slot(), [&](std::exception_ptr) { ended = true; })
        );
        engine::Gate pause(executor_);
        const auto deadline = Steady::now() + 60s;
        Session other(db_.database().url());
        while (other.value(left) != "0" && Steady::now() < deadline) {
            co_await pause.wait(Steady::now() + 3ms);
        }
        stop.emit(asio::cancellation_type::terminal);
        while (!ended) co_await pause.wait(Steady::now() + 3ms);
        co_return true;
    }
    asio::awaitable<std::vector<engine::Started>> start(std::vector<engine::StartRequest> requests
    ) {
        store::StartBatch batch;
        for (auto& request : requests) {
            batch.runs.push_back(engine::to_new_run(new_run_id(), std::move(request)));
        }
        co_await db_.store().start_runs(batch);
        co_return std::vector<engine::Started>(batch.runs.size());
    }
    std::string problem(const std::string& id) {
        return sql_.value(
            "select coalesce(problem, '') from pawl.inbox where event_id = '" + id + "'"
        );
    }

    store::Inbox inbox_{db_.pool()};
};

TEST_F(HostileEvents, AnUnreadableEventStartsNothingAndStopsNoOther) {
    workflow(hostile_, R"({"triggers": [{"event": "paid"}]})");
    workflow(1, R"({"triggers": [{"event": "paid"}]})");
    publish(hostile_, "bad", too_large);
    publish(1, "good", "{}");
    publish(1, "edge", largest);
    start_all();
    EXPECT_EQ(runs(1), "2");
    EXPECT_EQ(runs(hostile_), "0");
    EXPECT_EQ(problem("good"), "");
    EXPECT_NE(problem("bad").find("its data cannot be read"), std::string::npos) << problem("bad");
    const auto page = db_.loop().run(inbox_.list({hostile_, 0}, {}));
    ASSERT_EQ(page.events.size(), 1U);
    EXPECT_TRUE(page.events[0].data.as_object().contains("unreadable"));
}

TEST_F(HostileEvents, AnEventWhoseRunIsRefusedStopsNoOther) {
    workflow(hostile_, R"({"triggers": [{"event": "paid"}]})");
    workflow(1, R"({"triggers": [{"event": "paid"}]})");
    refuse_its_runs();
    publish(1, "before", "{}");
    publish(hostile_, "bad", "{}");
    publish(1, "after", "{}");
    start_all();
    EXPECT_EQ(runs(1), "2");
    EXPECT_NE(problem("bad").find("index row requires"), std::string::npos) << problem("bad");
    EXPECT_EQ(problem("before") + problem("after"), "");
}

TEST_F(HostileEvents, ATransactionThatATenantHoldsStopsNoOther) {
    workflow(hostile_, R"({"triggers": [{"event": "paid", "subject": "s1"}], "reentry": "once"})");
    workflow(1, R"({"triggers": [{"event": "paid"}]})");
    thief().script("begin; select pawl.start('flow', subject => 's1')");
    for (int i = 0; i < 150; ++i) publish(hostile_, fmt::format("bad{}", i), "{}");
    publish(1, "good", "{}");
    const auto begun = Steady::now();
    db_.loop().run(run_matcher("select (count(*) - 1)::text from pawl.live_run where tenant = 1"));
    EXPECT_LT(Steady::now() - begun, 5s);
    EXPECT_EQ(runs(1), "1");
    EXPECT_EQ(problem("good"), "");
    thief().script("rollback");
    db_.loop().run(run_matcher(
        "select (count(*) - 1)::text from pawl.live_run where tenant = " + std::to_string(hostile_)
    ));
    EXPECT_EQ(runs(hostile_), "1") << "what was held starts when the transaction is over";
}

TEST_F(HostileEvents, ASubjectThatIsTooLongIsToldAtTheEvent) {
    workflow(hostile_, R"({"triggers": [{"event": "paid", "subject": "{{ event.data.s }}"}]})");
    publish(hostile_, "bad", "{\"s\": \"" + std::string(10'000, 'x') + "\"}");
    start_all();
    EXPECT_EQ(
        problem("bad"),
        "workflow 'flow' was not started: the subject has 10000 bytes; at most 500 are possible"
    );
}

class HostileQueues : public Hostile {
protected:
    void look() { db_.loop().run(reader_.read_messages()); }
    void send(const std::string& queue, const std::string& message) {
        sql_.script(fmt::format("select pgmq.send('{}', '{}')", queue, message));
    }
    void SetUp() override {
        sql_.script(
            fmt::format("insert into pawl.queue (name, tenant) values ('bad', {})", hostile_)
        );
        workflow(hostile_, R"({"triggers": [{"queue": "bad"}]})");
        workflow(1, R"({"triggers": [{"queue": "good"}]})");
    }

    store::Queues queues_{db_.pool()};
    engine::QueueReader reader_{
        executor_, queues_, metrics_, [this](store::WorkflowId id, std::int32_t version) {
            return program(id, version);
        }};
};

TEST_F(HostileQueues, AMessageThatCannotBeReadBecomesADeadLetterAsItIs) {
    send("bad", too_large);
    send("bad", largest);
    send("good", "{}");
    sql_.script("update pgmq.q_bad set read_ct = 100 where msg_id = 1");
    look();
    EXPECT_EQ(runs(1), "1");
    EXPECT_EQ(runs(hostile_), "1");
    EXPECT_EQ(
        sql_.value("select (message ->> 'n' = (1e400::numeric)::text)::text from "
                   "pgmq.q_workflow_dlq"),
        "true"
    );
    EXPECT_NE(
        sql_.value("select message ->> 'error' from pgmq.q_workflow_dlq").find("cannot be read"),
        std::string::npos
    );
}

TEST_F(HostileQueues, AQueueThatCannotBeReadStopsNoOther) {
    send("bad", "{}");
    send("good", "{}");
    sql_.script("alter table pgmq.q_bad rename column message to text");
    look();
    EXPECT_EQ(runs(1), "1");
}

TEST_F(HostileQueues, AMessageWhoseRunIsRefusedStopsNoOther) {
    refuse_its_runs();
    send("bad", "{}");
    send("good", "{}");
    look();
    EXPECT_EQ(runs(1), "1");
    EXPECT_NE(
        sql_.value("select message ->> 'error' from pgmq.q_workflow_dlq")
            .find("index row requires"),
        std::string::npos
    );
}

}  // namespace
}  // namespace pawl::test
