#include "base/json.hpp"
#include "cli_program.hpp"
#include "support/database.hpp"
#include "support/provider_stub.hpp"

#include <gtest/gtest.h>

#include <csignal>

// The queue of tasks with real workers, a real database, and a provider that does what it is told.
namespace pawl::test {
namespace {

class QueueTasks : public testing::Test {
protected:
    std::string messages(const std::string& more = "") const {
        return dir_.file(
            "messages.yaml",
            "email: {provider: resend, url: '" + provider_.url() +
                "', key_env: MAIL_KEY, from: Pawl <pawl@example.com>}\n" + more
        );
    }
    Call worker() const {
        return {
            {"worker", "--messages", messages()},
            {{"DATABASE_URL", database_.url()}, {"MAIL_KEY", "re_1"}},
            ""};
    }
    std::string value(const std::string& sql) { return database_.session().value(sql); }
    void script(const std::string& sql) { database_.session().script(sql); }
    bool holds(const std::string& condition) {
        return value("select (" + condition + ")::text") == "true";
    }
    bool comes(const std::string& condition) {
        return eventually([&] { return holds(condition); });
    }
    void make_email() {
        script(
            "select comms.kickoff_send_email_task(comms.create_email_message('ann@example.com', "
            "'Hello', 'text'))"
        );
    }
    // The supervisor that waits for its next look looks now.
    void look_now() {
        script(
            "update queues.task set scheduled_at = now() where dequeued_at is null; "
            "select pg_notify('pawl_wake', 'tasks')"
        );
    }

    TestDatabase database_;
    ProviderStub provider_;
    TempDir dir_;
};

// The last section of the document, step by step.
TEST_F(QueueTasks, TheStoryOfOneEmail) {
    provider_.answer_next(500, R"({"name":"internal_server_error","message":"try later"})");
    Program program(worker());

    // 1. Kickoff.
    make_email();

    // 2. Supervisor run 1: a scheduled fact, an email task, itself again in a few seconds.
    // 3. Email attempt 1 fails: queues.error, a failure fact.
    ASSERT_TRUE(comes("exists (select 1 from comms.send_email_task_failed)")) << program.err();
    EXPECT_EQ(value("select count(*)::text from comms.send_email_task_scheduled"), "1");
    EXPECT_EQ(
        value("select stage || ': ' || message from queues.error"), "send: status 500: try later"
    );
    EXPECT_EQ(
        value("select error_message from comms.send_email_task_failed"), "status 500: try later"
    );
    EXPECT_TRUE(holds(
        "(select count(*) from queues.task where dequeued_at is null and scheduled_at > now() and "
        "payload = '{\"task_type\": \"db_function\", \"db_function\": "
        "\"comms.send_email_supervisor\", \"send_email_task_id\": 1}') = 1"
    ));

    // 4. Supervisor run 2 schedules the second attempt, which
    // 5. succeeds.
    look_now();
    ASSERT_TRUE(comes("exists (select 1 from comms.send_email_task_succeeded)")) << program.err();
    EXPECT_EQ(value("select count(*)::text from comms.send_email_task_scheduled"), "2");
    EXPECT_EQ(
        value("select attempt || provider_message_id from comms.send_email_task_succeeded"), "2m-2"
    );

    // 6. Supervisor run 3 finds the success and enqueues nothing more.
    look_now();
    ASSERT_TRUE(
        comes("not exists (select 1 from queues.task where dequeued_at is null or "
              "lease_until is not null)")
    ) << program.err();
    EXPECT_EQ(
        value("select string_agg(task_type, ',' order by task_id) from queues.task"),
        "db_function,email,db_function,email,db_function"
    );

    const auto requests = provider_.requests();
    ASSERT_EQ(requests.size(), 2U);
    for (const auto& request : requests) {
        EXPECT_EQ(request.target, "/emails");
        EXPECT_EQ(*http::find_header(request.headers, "authorization"), "Bearer re_1");
        EXPECT_EQ(
            *http::find_header(request.headers, "idempotency-key"),
            value("select idempotency_key::text from comms.send_email_task")
        );
        EXPECT_EQ(text_in(parse_json(request.body).value(), "subject"), "Hello");
    }
    program.signal(SIGTERM);
    EXPECT_EQ(program.wait(), 0) << program.err();
}

TEST_F(QueueTasks, AWorkerKilledBetweenTakingAndReporting) {
    provider_.hang(true);
    make_email();
    {
        Program program(worker());
        ASSERT_TRUE(eventually([&] { return provider_.requests().size() == 1; })) << program.err();
        program.signal(SIGKILL);
        EXPECT_EQ(program.wait(), -SIGKILL);
    }
    provider_.hang(false);
    Program program(worker());
    look_now();
    // Its time is not over: it does not count as lost yet.
    ASSERT_TRUE(
        comes("(select count(*) from queues.task where task_type = 'db_function' and "
              "dequeued_at is not null and lease_until is null) >= 2")
    ) << program.err();
    EXPECT_EQ(value("select count(*)::text from comms.send_email_task_failed"), "0");
    EXPECT_EQ(provider_.requests().size(), 1U);

    script(
        "update queues.task set dequeued_at = dequeued_at - interval '5 minutes', lease_until = "
        "lease_until - interval '5 minutes' where task_type = 'email'"
    );
    look_now();
    ASSERT_TRUE(comes("exists (select 1 from comms.send_email_task_succeeded)")) << program.err();
    EXPECT_EQ(
        value("select error_message from comms.send_email_task_failed"),
        "the worker that took it did not report"
    );
    EXPECT_TRUE(
        comes("exists (select 1 from queues.error where message = "
              "'the worker that took it did not come back')")
    );
    EXPECT_EQ(provider_.requests().size(), 2U);
}

TEST_F(QueueTasks, AFunctionWhoseWorkerIsKilledRunsAgain) {
    script(
        "create schema app; grant usage on schema app to worker_service_user;"
        "create table app.done (at timestamptz default now());"
        "create function app.slow(jsonb) returns jsonb language plpgsql security definer as $$ "
        "begin insert into app.done default values; "
        "if not exists (select 1 from queues.error) then perform pg_sleep(20); end if; "
        "return internal.succeeded(); end $$;"
        "grant execute on function app.slow to worker_service_user;"
        "insert into queues.task (task_type, payload) values ('db_function', "
        "'{\"db_function\": \"app.slow\"}')"
    );
    {
        Program program(worker());
        ASSERT_TRUE(
            comes("exists (select 1 from pg_stat_activity where wait_event = 'PgSleep' and "
                  "datname = current_database())")
        ) << program.err();
        program.signal(SIGKILL);
        program.wait();
    }
    script(
        "select pg_terminate_backend(pid) from pg_stat_activity where wait_event = 'PgSleep' and "
        "datname = current_database();"
        "update queues.task set lease_until = now()"
    );
    Program program(worker());
    ASSERT_TRUE(
        comes("exists (select 1 from queues.task where lease_until is null and "
              "deliveries = 2)")
    ) << program.err();
    EXPECT_EQ(value("select count(*)::text from app.done"), "1") << "the first one left nothing";
}

TEST_F(QueueTasks, AMessagesFileThatIsWrong) {
    const auto refused = [&](const std::string& text) {
        return pawl(
            {{"worker", "--messages", dir_.file("wrong.yaml", text)},
             {{"DATABASE_URL", database_.url()}},
             ""}
        );
    };
    const std::vector<std::pair<std::string, std::string>> cases{
        {"email: {provider: pigeon, from: a@b}", "email.provider: must be resend or smtp"},
        {"email: {provider: smtp, from: a@b}", "email.url: is missing"},
        {"email: {provider: resend}", "email.from: is missing"},
        {"email: {provider: resend, from: a@b, key_env: NO_SUCH_VARIABLE}", "is not set"},
        {"sms: {provider: twilio}", "sms.account: is missing"},
        {"fax: {}", "fax: is not known here"},
    };
    for (const auto& [text, expected] : cases) {
        const auto outcome = refused(text);
        EXPECT_EQ(outcome.code, 2) << text;
        EXPECT_NE(outcome.err.find(expected), std::string::npos) << outcome.err;
    }
}

// --- pawl new process
// -----------------------------------------------------------------------------

class NewProcess : public testing::Test {
protected:
    Outcome make(std::vector<std::string> args) {
        args.insert(args.begin(), {"new", "process"});
        return pawl({std::move(args), {}, ""}, dir_.path());
    }
    std::string psql(const std::string& file) {
        return output_of(
            "psql -X -q -v ON_ERROR_STOP=1 -d '" + database_.url() + "' -f " +
            (dir_.path() / file).string() + " 2>&1"
        );
    }

    TestDatabase database_;
    TempDir dir_;
};

TEST_F(NewProcess, WhatItWritesPassesItsTest) {
    const auto made = make({"send_receipt"});
    EXPECT_EQ(made.code, 0) << made.err;
    EXPECT_EQ(made.out, "./send_receipt.sql\n./send_receipt_test.sql\n");
    psql("send_receipt.sql");
    EXPECT_NE(psql("send_receipt_test.sql").find("all tests passed"), std::string::npos);
    EXPECT_EQ(database_.session().value("select count(*)::text from queues.task"), "0");

    EXPECT_EQ(make({"send_code", "--channel", "sms", "--schema", "auth", "-o", "db/x"}).code, 0);
    psql("db/x/send_code.sql");
    EXPECT_NE(psql("db/x/send_code_test.sql").find("all tests passed"), std::string::npos);
    EXPECT_EQ(
        database_.session().value("select (to_regproc('auth.send_code_supervisor') is not null)"
                                  "::text"),
        "true"
    );
}

TEST_F(NewProcess, BadNamesAndFilesThatAreThere) {
    for (const std::string name :
         {"",
          "Send",
          "send-receipt",
          "1st",
          "a b",
          "drop table x;",
          "x'y",
          "../x",
          "_x",
          "a234567890123456789012345678901"}) {
        const auto refused = make({name});
        EXPECT_EQ(refused.code, 2) << name;
        EXPECT_FALSE(refused.err.empty());
    }
    EXPECT_EQ(make({}).code, 2);
    for (const std::string schema : {"pawl", "queues", "pg_x", "select", "A", ""}) {
        EXPECT_EQ(make({"x", "--schema", schema}).code, 2) << schema;
    }
    EXPECT_EQ(make({"x", "--channel", "fax"}).code, 2);
    EXPECT_TRUE(std::filesystem::is_empty(dir_.path()));
    EXPECT_EQ(make({"x"}).code, 0);
    const auto again = make({"x"});
    EXPECT_NE(again.code, 0);
    EXPECT_NE(again.err.find("such a file already"), std::string::npos) << again.err;
}

}  // namespace
}  // namespace pawl::test
