#include "engine/services/queue_task_runner.hpp"
#include "store/supervisors.hpp"

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>

#include <map>

// The engine's side of the queue, with a provider that does what the test says.
namespace pawl::test {
namespace {

using namespace std::chrono_literals;

pg::PoolOptions pool_options(const std::string& url) {
    pg::PoolOptions options;
    options.connect.conninfo = url;
    options.connections_max = 4;
    return options;
}

// A worker's share of the queue on a loop that the test runs.
class Share {
public:
    Share(asio::io_context& loop, const std::string& url, engine::QueueTaskRunner::Send send)
        : pool_(loop.get_executor(), pool_options(url)),
          queue_(pool_, pool_),
          runner_(loop.get_executor(), queue_, std::move(send), options()),
          group_(loop.get_executor()) {
        group_.spawn(runner_.run());
    }
    engine::QueueTaskRunner& runner() { return runner_; }
    store::TaskQueue& queue() { return queue_; }
    asio::awaitable<bool> stop(Duration patience) {
        co_await runner_.drain(Steady::now() + patience);
        co_await group_.join();
        co_return true;
    }

private:
    static engine::QueueTaskRunnerOptions options() {
        engine::QueueTaskRunnerOptions options;
        options.poll = 10ms;
        return options;
    }

    pg::Pool pool_;
    store::TaskQueue queue_;
    engine::QueueTaskRunner runner_;
    engine::CoroutineGroup group_;
};

class QueueTasks : public Supervisors {
protected:
    ~QueueTasks() override {
        // Shares end before their loop.
        for (auto& share : shares_) loop_.run(share->stop(0ms));
        shares_.clear();
    }

    void work(int shares = 1) {
        for (int i = 0; i < shares; ++i) {
            shares_.push_back(std::make_unique<Share>(
                loop_.context(),
                database_.url(),
                [this](std::string channel, json::object message, Duration) {
                    return provide(std::move(channel), std::move(message));
                }
            ));
        }
    }

    asio::awaitable<steps::StepOutcome> provide(std::string channel, json::object message) {
        sent.push_back(channel + " " + std::string(text_in(message, "to")));
        if (hangs) {
            engine::Gate never(loop_.context().get_executor());
            co_await never.wait();
        }
        if (outcomes.empty()) co_return steps::completed({{"message_id", "m"}});
        auto outcome = std::move(outcomes.front());
        outcomes.erase(outcomes.begin());
        co_return outcome;
    }

    // Runs the loop until an SQL condition holds; what waits for a time becomes due meanwhile.
    void until(const std::string& condition, bool hurry = true) {
        const auto deadline = Steady::now() + 60s;
        while (value("select (" + condition + ")::text") != "true") {
            ASSERT_LT(Steady::now(), deadline) << condition;
            if (hurry) let_time_pass();
            loop_.context().restart();
            loop_.context().run_for(5ms);
        }
    }
    std::string errors() {
        return value(
            "select coalesce(string_agg(stage || ':' || coalesce(function_name, '') || ':' || "
            "message, '|' order by error_id), '') from queues.error"
        );
    }
    static std::string idle() {
        return "not exists (select 1 from queues.task where dequeued_at is null or lease_until is "
               "not null)";
    }
    static steps::StepOutcome broken(ErrorClass error_class = ErrorClass::retryable) {
        return steps::failed(error_class, "http_503", "the provider is down");
    }

    Loop loop_;
    std::vector<std::unique_ptr<Share>> shares_;
    std::vector<std::string> sent;
    std::vector<steps::StepOutcome> outcomes;
    bool hangs = false;
};

TEST_F(QueueTasks, AnEmailFailsOnceAndThenGoesOut) {
    make_email();
    outcomes.push_back(broken());
    work();
    until("exists (select 1 from comms.send_email_task_succeeded)");
    until(idle());
    EXPECT_EQ(sent, (Strings{"email ann@example.com", "email ann@example.com"}));
    EXPECT_EQ(errors(), "send::the provider is down");
    EXPECT_EQ(
        value("select details ->> 'send_email_task_id' || (details ->> 'error_code') from "
              "queues.error"),
        "1http_503"
    );
    EXPECT_EQ(
        value("select error_message from comms.send_email_task_failed"), "the provider is down"
    );
    EXPECT_EQ(
        value("select attempt || worker_payload::text from comms.send_email_task_succeeded"),
        R"(2{"message_id": "m"})"
    );
}

// It is noted and over; those beside it are carried out.
TEST_F(QueueTasks, ATaskThatCannotBeReadStopsNoOther) {
    script("insert into queues.task (task_type, payload) values ('db_function', '{\"n\": 1e400}')");
    make_email();
    work();
    until("exists (select 1 from comms.send_email_task_succeeded)");
    until(idle());
    EXPECT_EQ(
        errors(),
        "task::its payload cannot be read: it is nested deeper than 512 levels, or a number in it "
        "is out of range"
    );
}

TEST_F(QueueTasks, OneThatMayHaveGoneOutIsNotSentAgain) {
    script("select comms.kickoff_send_sms_task(comms.create_sms_message('+66811234567', 'hi'))");
    outcomes.push_back(broken(ErrorClass::ambiguous));
    work();
    until("exists (select 1 from comms.send_sms_task_failed where final)");
    until(idle());
    EXPECT_EQ(sent, Strings{"sms +66811234567"});
}

TEST_F(QueueTasks, WhatABeforeHandlerRefusesIsNotSent) {
    make_email();
    script(
        "create or replace function comms.get_email_payload(payload jsonb) returns jsonb language "
        "sql security definer return internal.invalid('unsubscribed')"
    );
    work();
    until("exists (select 1 from comms.send_email_task_failed where final)");
    until(idle());
    EXPECT_EQ(sent, Strings{});
    EXPECT_EQ(errors(), "before_handler:comms.get_email_payload:unsubscribed");
}

TEST_F(QueueTasks, FunctionsAndWhatTheyGiveBack) {
    script(
        "create schema app; grant usage on schema app to worker_service_user;"
        "create table app.seen (n int);"
        "create function app.good(p jsonb) returns jsonb language plpgsql security definer as "
        "$$ begin insert into app.seen values ((p ->> 'n')::int); return internal.succeeded(); "
        "end $$;"
        "create function app.bad(p jsonb) returns jsonb language plpgsql security definer as "
        "$$ begin insert into app.seen values (0); raise exception 'broken %', p ->> 'n'; end $$;"
        "create function app.refuses(jsonb) returns jsonb language sql security definer "
        "return internal.invalid('no such thing');"
        "create function app.errs(jsonb) returns jsonb language sql "
        "return '{\"success\": false, \"error\": \"disk full\"}'::jsonb;"
        "create function app.nothing(jsonb) returns jsonb language sql return null::jsonb;"
        "create function app.secret(jsonb) returns jsonb language sql return '{}'::jsonb;"
        "revoke execute on all functions in schema app from public;"
        "grant execute on function app.good, app.bad, app.refuses, app.errs, app.nothing "
        "to worker_service_user"
    );
    for (const std::string function :
         {"app.good", "app.bad", "app.refuses", "app.errs", "app.nothing", "app.secret", "app.x"}) {
        script(
            "insert into queues.task (task_type, payload) values ('db_function', "
            "jsonb_build_object('db_function', '" +
            function + "', 'n', 7))"
        );
    }
    script("insert into queues.task (task_type) values ('db_function')");
    work();
    until(idle());
    // What went wrong is noted after the task, which its function's transaction has taken.
    until("(select count(*) >= 7 from queues.error)");
    EXPECT_EQ(value("select string_agg(n::text, ',') from app.seen"), "7");
    const auto noted = [this](const std::string& function) {
        return value(
            "select string_agg(split_part(message, ' (', 1), '|') from queues.error where "
            "coalesce(function_name, '') = '" +
            function + "'"
        );
    };
    EXPECT_EQ(noted("app.bad"), "broken 7");
    EXPECT_EQ(noted("app.refuses"), "no such thing");
    EXPECT_EQ(noted("app.errs"), "disk full");
    EXPECT_EQ(noted("app.nothing"), "it gave back no object with `success`");
    EXPECT_EQ(noted("app.secret"), "worker_service_user may not run app.secret(jsonb)");
    EXPECT_EQ(noted("app.x"), "there is no function app.x(jsonb) returns jsonb");
    EXPECT_EQ(noted(""), "the payload has no db_function");
    EXPECT_EQ(count("queues.error"), "7");
    EXPECT_EQ(value("select string_agg(distinct deliveries::text, ',') from queues.task"), "1");
}

TEST_F(QueueTasks, WhatRunsIntoSomethingThatPassesComesAgain) {
    script(
        "create schema app; grant usage on schema app to worker_service_user;"
        "create sequence app.tries;"
        "create function app.deadlocks(jsonb) returns jsonb language plpgsql security definer as "
        "$$ begin if nextval('app.tries') < 3 then raise exception 'deadlock' using errcode = "
        "'40P01'; end if; return internal.succeeded(); end $$;"
        "grant execute on function app.deadlocks to worker_service_user;"
        "insert into queues.task (task_type, payload) values ('db_function', "
        "'{\"db_function\": \"app.deadlocks\"}')"
    );
    work();
    until(idle());
    EXPECT_EQ(value("select deliveries::text from queues.task"), "3");
    EXPECT_EQ(count("queues.error"), "2");
}

TEST_F(QueueTasks, AWorkerThatDiesInTheMiddleOfASendLosesTheAttemptNotTheMessage) {
    make_email();
    hangs = true;
    work();
    until("exists (select 1 from queues.task where task_type = 'email' and lease_until > now())");
    while (sent.empty()) {
        loop_.context().restart();
        loop_.context().run_for(5ms);
    }
    for (auto& share : shares_) loop_.run(share->stop(0ms));
    shares_.clear();
    EXPECT_EQ(count("comms.send_email_task_failed"), "0");

    hangs = false;
    script(
        "update queues.task set dequeued_at = dequeued_at - interval '6 minutes', lease_until = "
        "lease_until - interval '6 minutes'"
    );
    work();
    until("exists (select 1 from comms.send_email_task_succeeded where attempt = 2)");
    until(idle());
    EXPECT_EQ(
        value("select error_message from comms.send_email_task_failed"),
        "the worker that took it did not report"
    );
    EXPECT_EQ(
        value("select string_agg(message, '|') from queues.error where details ->> 'task_type' = "
              "'email'"),
        "the worker that took it did not come back"
    );
    EXPECT_EQ(sent.size(), 2U);
}

TEST_F(QueueTasks, ASuccessThatCouldNotBeNotedAtOnceIsNotedLater) {
    make_email();
    script(
        "create sequence comms.tries;"
        "alter function comms.record_email_success rename to really_record;"
        "create function comms.record_email_success(payload jsonb) returns jsonb language plpgsql "
        "security definer as $$ begin if nextval('comms.tries') < 2 then raise exception "
        "'not now' using errcode = '40001'; end if; return comms.really_record(payload); end $$;"
        "grant execute on function comms.record_email_success to worker_service_user"
    );
    work();
    until("exists (select 1 from comms.send_email_task_succeeded)");
    until(idle());
    EXPECT_EQ(sent.size(), 1U);
}

TEST_F(QueueTasks, ThirtyTwoWorkersSendEachMessageOnce) {
    script(
        "do $$ begin for i in 1..100 loop "
        "perform comms.kickoff_send_email_task(comms.create_email_message("
        "'a' || i || '@example.com', 's', 't')); end loop; end $$"
    );
    for (int i = 0; i < 50; ++i) outcomes.push_back(broken());
    work(32);
    until(
        "(select count(*) from comms.send_email_task_succeeded) + "
        "(select count(*) from comms.send_email_task_failed where attempt = 2) = 100"
    );
    until(idle());
    EXPECT_EQ(std::to_string(sent.size()), count("comms.send_email_task_scheduled"))
        << "every attempt was sent once";
    std::map<std::string, int> times;
    for (const std::string& one : sent) ++times[one];
    for (const auto& [to, n] : times) EXPECT_LE(n, 2) << to;
    EXPECT_EQ(times.size(), 100U);
    EXPECT_EQ(count("comms.send_email_task_failed"), "50");
    EXPECT_EQ(
        value("select count(*)::text from queues.task where task_type = 'email' "
              "and deliveries <> 1"),
        "0"
    );
}

TEST_F(QueueTasks, StoppingWaitsForWhatIsUnderWay) {
    script(
        "create schema app; grant usage on schema app to worker_service_user;"
        "create function app.slow(jsonb) returns jsonb language plpgsql security definer as "
        "$$ begin perform pg_sleep(0.3); return internal.succeeded(); end $$;"
        "grant execute on function app.slow to worker_service_user;"
        "insert into queues.task (task_type, payload) select 'db_function', "
        "'{\"db_function\": \"app.slow\"}' from generate_series(1, 3)"
    );
    work();
    until("exists (select 1 from queues.task where lease_until is not null)");
    loop_.run(shares_.front()->stop(10s));
    shares_.clear();
    EXPECT_EQ(value("select count(*)::text from queues.task where lease_until is not null"), "0");
    EXPECT_EQ(errors(), "");
}

}  // namespace
}  // namespace pawl::test
