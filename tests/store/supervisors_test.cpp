#include "store/supervisors.hpp"

#include <functional>
#include <set>

namespace pawl::test {
namespace {

constexpr const char* open0 = R"({"payload": {"state": "open", "failures": 0}, "success": true})";
constexpr const char* open1 = R"({"payload": {"state": "open", "failures": 1}, "success": true})";
constexpr const char* done = R"({"payload": {"state": "succeeded"}, "success": true})";
constexpr const char* failed2 =
    R"({"payload": {"state": "failed", "failures": 2}, "success": true})";

TEST_F(Supervisors, AnEmailThatFailsOnceAndThenGoesOut) {
    make_email();
    EXPECT_EQ(claimed(), "db_function");
    EXPECT_EQ(supervise(), open0);
    EXPECT_EQ(claimed(), "email1");
    EXPECT_EQ(report("failure", R"("error": "no route")", 1), R"({"success": true})");
    let_time_pass();
    EXPECT_EQ(claimed(), "db_function");
    EXPECT_EQ(supervise(), open1);
    EXPECT_EQ(claimed(), "email2");
    EXPECT_EQ(
        report("success", R"("worker_payload": {"message_id": "m-1"})", 2), R"({"success": true})"
    );
    let_time_pass();
    EXPECT_EQ(claimed(), "db_function");
    EXPECT_EQ(supervise(), done);
    EXPECT_EQ(value("select count(*)::text from queues.task where dequeued_at is null"), "0");
    EXPECT_EQ(
        value("select provider_message_id || attempt from comms.send_email_task_succeeded"), "m-12"
    );
    EXPECT_EQ(value("select error_message from comms.send_email_task_failed"), "no route");
}

TEST_F(Supervisors, OneRetryAndThenItIsOver) {
    make_email();
    supervise();
    report("failure", R"("error": "a")", 1);
    EXPECT_EQ(supervise(), open1);
    // A handler that knows nothing of attempts means the one under way.
    EXPECT_EQ(
        call(
            "comms.record_email_failure",
            R"({"original_payload": {"send_email_task_id": 1}, "error": "b"})"
        ),
        R"({"success": true})"
    );
    EXPECT_EQ(supervise(), failed2);
    EXPECT_EQ(count("comms.send_email_task_scheduled"), "2");
    EXPECT_EQ(
        report("failure", R"("error": "c")", 3),
        R"({"success": false, "validation_failure_message": "send_email_task 1 has no attempt 3"})"
    );
}

TEST_F(Supervisors, AFailureThatTryingAgainCannotMendIsTheLast) {
    make_email();
    supervise();
    report("failure", R"("error": "no such mailbox", "error_class": "permanent")", 1);
    EXPECT_EQ(supervise(), R"({"payload": {"state": "failed", "failures": 1}, "success": true})");
    EXPECT_EQ(count("comms.send_email_task_scheduled"), "1");
}

TEST_F(Supervisors, AnAttemptWhoseWorkerDiedCountsAsFailed) {
    make_email();
    EXPECT_EQ(claimed(), "db_function");
    supervise();
    EXPECT_EQ(claimed(), "email1");
    // It has its time; an attempt that no worker took yet has all the time there is.
    EXPECT_EQ(supervise(), open0);
    script("update queues.task set dequeued_at = dequeued_at - interval '6 minutes'");
    EXPECT_EQ(supervise(), open1);
    EXPECT_EQ(
        value("select error_message from comms.send_email_task_failed"),
        "the worker that took it did not report"
    );
    EXPECT_EQ(claimed(), "email2");
    // The first one, should it come to life now, does not send any more.
    EXPECT_EQ(
        call("comms.get_email_payload", R"({"send_email_task_id": 1, "attempt": 1})"),
        R"({"success": false, "validation_failure_message": )"
        R"("attempt 1 of send_email_task 1 is over"})"
    );
    // But if it had been sent, that is how it was.
    EXPECT_EQ(report("success", R"("worker_payload": {})", 1), R"({"success": true})");
    EXPECT_EQ(
        call("comms.get_email_payload", R"({"send_email_task_id": 1, "attempt": 2})"),
        R"({"success": false, "validation_failure_message": "send_email_task 1 was sent already"})"
    );
    EXPECT_EQ(supervise(), done);
}

TEST_F(Supervisors, AFunctionWhoseWorkerDiedRunsAgainButNotForEver) {
    make_email();
    for (int i = 0; i < 5; ++i) {
        EXPECT_EQ(claimed(), "db_function") << i;
        EXPECT_EQ(claimed(), "") << i;
        script("update queues.task set lease_until = now()");
    }
    EXPECT_EQ(claimed(), "");
    EXPECT_EQ(
        value("select string_agg(distinct message, ',') from queues.error"),
        "the worker that took it did not come back"
    );
    EXPECT_EQ(count("queues.error"), "5");
}

TEST_F(Supervisors, WhatRanIntoSomethingComesLaterAFewTimes) {
    make_email();
    for (int i = 0; i < 5; ++i) {
        EXPECT_EQ(claimed(), "db_function");
        EXPECT_EQ(
            as_worker("select queues.retry_task(1, interval '1 hour')::text"),
            i < 4 ? "true" : "false"
        );
        EXPECT_EQ(claimed(), "") << "an hour";
        let_time_pass();
    }
    EXPECT_EQ(claimed(), "");
    // Unless another caller asked for the same meanwhile.
    script("select comms.enqueue_send_email_supervisor(1, now())");
    EXPECT_EQ(claimed(), "db_function");
    script("select comms.enqueue_send_email_supervisor(1, now())");
    EXPECT_EQ(as_worker("select queues.retry_task(2, interval '0')::text"), "true");
    EXPECT_EQ(claimed(), "db_function");
    EXPECT_EQ(claimed(), "");
}

TEST_F(Supervisors, ThirtyTwoAtOnceScheduleOneAttemptAtATimeAndRecordOneSuccess) {
    make_email();
    script("select comms.kickoff_send_sms_task(comms.create_sms_message('+66811234567', 'hi'))");
    const auto all = [this](std::function<std::string(int)> sql) {
        std::vector<asio::awaitable<std::string>> calls;
        for (int i = 0; i < 32; ++i) calls.push_back(ask(database_.url(), sql(i)));
        Loop loop;
        return loop.run_all(std::move(calls));
    };
    const auto supervisors = [](int i) {
        return fmt::format(
            "select internal.run_function('comms.send_{0}_supervisor', "
            "'{{\"send_{0}_task_id\": 1}}')::text",
            i % 2 == 0 ? "email" : "sms"
        );
    };
    const auto mixed = [&](int i) {
        if (i % 8 > 1) return supervisors(i);
        return fmt::format(
            "select internal.run_function('comms.record_{0}_success', jsonb_build_object("
            "'original_payload', '{{\"send_{0}_task_id\": 1, \"attempt\": 2}}'::jsonb, "
            "'worker_payload', '{{\"message_id\": \"{1}\"}}'::jsonb))::text",
            i % 2 == 0 ? "email" : "sms",
            i
        );
    };
    all(supervisors);
    EXPECT_EQ(count("comms.send_email_task_scheduled"), "1");
    EXPECT_EQ(count("comms.send_sms_task_scheduled"), "1");
    report("failure", R"("error": "a")", 1);
    call(
        "comms.record_sms_failure",
        R"({"original_payload": {"send_sms_task_id": 1, "attempt": 1}, "error": "a"})"
    );
    all(mixed);
    for (const std::string channel : {"email", "sms"}) {
        const std::string task = "comms.send_" + channel + "_task";
        EXPECT_LE(count(task + "_scheduled"), "2") << channel;
        EXPECT_EQ(count(task + "_succeeded"), "1") << channel;
        EXPECT_EQ(count(task + "_failed"), "1") << channel;
        EXPECT_EQ(
            value("select count(*)::text from queues.task where task_type = '" + channel + "'"),
            count(task + "_scheduled")
        );
        EXPECT_LE(
            value(
                "select count(*)::text from queues.task where dequeued_at is null "
                "and task_key = 'comms.send_" +
                channel + "_supervisor:1'"
            ),
            "1"
        ) << "one supervisor of a send waits, not one for each that ran";
    }
}

TEST_F(Supervisors, WorkersShareTheQueueWithoutTakingATaskTwice) {
    script(
        "insert into queues.task (task_type, payload) select 'db_function', "
        "jsonb_build_object('n', i) from generate_series(1, 1000) i"
    );
    std::vector<asio::awaitable<std::string>> calls;
    for (int i = 0; i < 16; ++i) {
        calls.push_back(
            ask(database_.url(),
                i % 4 == 0 ? "select task_id::text from queues.dequeue_next_available_task()"
                           : "select task_id::text from queues.claim_tasks(100)")
        );
    }
    Loop loop;
    std::multiset<std::string> taken;
    for (const std::string& ids : loop.run_all(std::move(calls))) {
        for (std::size_t at = 0; at < ids.size();) {
            const auto end = ids.find(';', at);
            taken.insert(ids.substr(at, end - at));
            at = end + 1;
        }
    }
    for (const std::string& id : taken) EXPECT_EQ(taken.count(id), 1U) << id;
    EXPECT_EQ(
        value("select count(*)::text from queues.task where dequeued_at is not null"),
        std::to_string(taken.size())
    );
    EXPECT_GT(taken.size(), 100U);
}

TEST_F(Supervisors, ASendForLaterWaits) {
    script(
        "select comms.kickoff_send_email_task(comms.create_email_message('a@b', 's', 't'), "
        "now() + interval '1 hour')"
    );
    EXPECT_EQ(claimed(), "");
    EXPECT_EQ(supervise(), open0) << "the supervisor was too early";
    EXPECT_EQ(count("comms.send_email_task_scheduled"), "0");
    EXPECT_EQ(count("queues.task"), "1");
}

TEST_F(Supervisors, KickingOffTwiceIsKickingOffOnce) {
    make_email();
    EXPECT_EQ(value("select comms.kickoff_send_email_task(1)::text"), "1");
    EXPECT_EQ(count("queues.task"), "1");
}

TEST_F(Supervisors, FactsAreOnlyAdded) {
    make_email();
    const Strings tables = database_.session().column(
        "select c.oid::regclass::text from pg_class c where c.relkind = 'r' and "
        "c.relnamespace in ('comms'::regnamespace, 'queues'::regnamespace) "
        "and c.oid <> 'queues.task'::regclass"
    );
    EXPECT_EQ(tables.size(), 12U);
    for (const std::string& table : tables) {
        const std::string key = value(
            "select attname::text from pg_attribute where attnum = 1 and attrelid = '" + table +
            "'::regclass"
        );
        for (const std::string& change :
             {"update " + table + " set " + key + " = default where false",
              "delete from " + table,
              "truncate " + table + " cascade",
              "set session_replication_role = replica; delete from " + table}) {
            try {
                script(change);
                ADD_FAILURE() << change;
            } catch (const pg::PgError& error) {
                EXPECT_EQ(error.detail().sqlstate, "23000") << change;
            }
            script("reset session_replication_role");
        }
    }
    EXPECT_EQ(count("comms.email_message"), "1");
}

TEST_F(Supervisors, MessagesAreWhatTheyShouldBe) {
    for (const std::string& wrong :
         {"create_email_message(E'a@b\\nBcc: c@d', 's', 't')",
          "create_email_message('a@b', E's\\r\\nBcc: c@d', 't')",
          "create_email_message('a@b', 's', 't', from_address => E'x\\ny')",
          "create_email_message('a b@c', 's', 't')",
          "create_email_message('a@b', 's')",
          "create_sms_message('call me', 'hi')",
          "create_sms_message('+66811234567', '')"}) {
        EXPECT_THROW(script("select comms." + wrong), pg::PgError) << wrong;
    }
    EXPECT_EQ(count("comms.message"), "0");
}

}  // namespace
}  // namespace pawl::test
