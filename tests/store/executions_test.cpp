#include "base/json.hpp"
#include "base/rng.hpp"
#include "pg/pg_error.hpp"
#include "plan/planner.hpp"
#include "store/under_test.hpp"

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <fmt/core.h>

// workflow_executions: the runs as document-style clients see them.
namespace pawl::test {
namespace {

// Two function steps that may fail in the two ways that go on, a wait, and one that aborts.
const char* const definition_text = R"(
name: flow
required_fields: [email]
timeout_seconds: 300
max_retries: 2
steps:
  - {name: first, function: f, payload: {to: "{{email}}"}, on_failure: retry}
  - {name: second, function: f, on_failure: continue}
  - {name: pause, wait: 1s}
  - {name: last, function: f, on_failure: abort}
)";

class Executions : public ::testing::Test {
protected:
    Executions() : definition_(parse_definition(definition_text).value()) {
        db_.apply(definition_);
        worker_ = db_.worker();
    }

    std::string column(const std::string& columns, RunId run) {
        return session_.value(fmt::format(
            "select ({})::text from workflow_executions where id = '{}'", columns, to_string(run)
        ));
    }
    json::value context(RunId run) { return json::parse(column("context", run)); }
    RunId start(const std::string& more = "") {
        const auto id = session_.value(
            "select pawl.start('flow', '{\"email\": \"e\", \"n\": 1}'" + more + ")::text"
        );
        return RunId{parse_uuid(id).value()};
    }

    // Holds the run as a worker does: the real planner decides, the real store commits.
    void hold(RunId run) {
        for (RunId claimed : db_.claim_ids(worker_)) EXPECT_EQ(claimed, run);
        state_ = plan::fold(definition_, db_.log(run));
        run_ = run;
        feed(plan::Resumed{});
    }
    void feed(plan::Stimulus stimulus) {
        const plan::Work none;  // what is wanted is not begun before it is over
        plan::Moment moment;
        moment.now = clock_;
        moment.work = &none;
        store::CommitBatch batch;
        batch.worker = worker_;
        for (Event& event : plan::decide(definition_, state_, std::move(stimulus), moment)) {
            batch.events.push_back({run_, std::move(event)});
        }
        if (is_terminal(state_.status)) {
            store::Close close;
            close.run = run_;
            close.started_at = state_.started_at;
            close.workflow = state_.workflow;
            close.version = state_.version;
            close.status = state_.status;
            close.output = state_.output;
            close.error = state_.error;
            batch.closes.push_back(std::move(close));
        }
        if (!batch.empty()) db_.commit(batch);
    }
    void finish(json::value result) {
        const plan::Token& token = state_.tokens.at(0);
        feed(plan::StepFinished{token.id, token.attempt, std::move(result), std::nullopt});
    }
    void fail(ErrorClass how, const std::string& message) {
        const plan::Token& token = state_.tokens.at(0);
        feed(plan::StepFinished{
            token.id, token.attempt, nullptr, StepError{how, "test", message, std::nullopt}});
        pass_time();
    }
    // `on_failure: retry` tries whatever went wrong again: until it has given up.
    void fail_for_good(const std::string& message) {
        while (!is_terminal(state_.status)) fail(ErrorClass::permanent, message);
    }
    // Past every backoff and wait, not past the deadline.
    void pass_time() { clock_ += std::chrono::seconds(20); }

    PgUnderTest db_;
    Session& session_ = db_.database().session();
    Definition definition_;
    WorkerId worker_;
    Instant clock_ = wall_now();
    plan::RunState state_;
    RunId run_;
};

TEST_F(Executions, ARunFromBeginningToEnd) {
    const auto run = start(", 'key', triggered_by => 'cron'");
    EXPECT_EQ(
        column(
            "workflow_name, workflow_version, status, current_step, total_steps, retry_count, "
            "correlation_id, triggered_by, started_at, completed_at, error_message, error_step",
            run
        ),
        "(flow,1,pending,0,4,0,key,cron,,,,)"
    );
    EXPECT_EQ(json::parse(column("input_payload", run)), json::parse(R"({"email":"e","n":1})"));
    EXPECT_EQ(column("created_at between now() - interval '1 min' and now()", run), "true");
    hold(run);
    EXPECT_EQ(column("status, current_step, started_at = created_at", run), "(running,0,t)");
    fail(ErrorClass::retryable, "busy");
    EXPECT_EQ(
        column("current_step, retry_count, error_message, error_step", run), "(0,1,busy,first)"
    );
    finish(json::object{{"id", 7}, {"n", 2}});
    EXPECT_EQ(column("current_step, error_message, error_step", run), "(1,,)");
    EXPECT_EQ(
        context(run), json::parse(R"({"email":"e","n":2,"id":7,"step_0_result":{"id":7,"n":2}})")
    );
    fail(ErrorClass::permanent, "no");
    EXPECT_EQ(column("current_step", run), "2");
    EXPECT_EQ(context(run).at("step_1_error"), "no");
    EXPECT_EQ(column("status", run), "running") << "while it waits";
    feed(plan::TimerDue{});
    EXPECT_EQ(column("current_step", run), "3");
    finish(json::object{{"id", 8}});
    EXPECT_EQ(
        column("status, current_step, retry_count, error_message, completed_at >= created_at", run),
        "(completed,3,1,,t)"
    );
    EXPECT_EQ(context(run), json::parse(R"({"email":"e","n":2,"id":8,"step_0_result":{"id":7,"n":2},
            "step_1_error":"no","step_2_result":null,"step_3_result":{"id":8}})"));
}

TEST_F(Executions, AFailedRunSaysWhatAndWhere) {
    const auto run = start();
    hold(run);
    fail_for_good("bad address");
    EXPECT_EQ(
        column("status, error_message, error_step, current_step", run),
        "(failed,\"bad address\",first,0)"
    );
}

TEST_F(Executions, TheContextIsWhatTheEngineFolds) {
    Rng rng(4711);
    const auto random_result = [&]() -> json::value {
        switch (rng.below(6)) {
            case 0: return nullptr;
            case 1: return json::array{1, "two"};
            case 2: return "text";
            // A result that pretends to be another step's must not get through.
            case 3: return json::object{{"step_0_result", "forged"}, {"a", nullptr}};
            case 4: return json::object{{"n", rng.below(100)}, {"email", json::object{}}};
            default: return json::object{{fmt::format("k{}", rng.below(4)), rng.below(9)}};
        }
    };
    for (int i = 0; i < 40; ++i) {
        const auto run = start();
        hold(run);
        for (int turn = 0; turn < 12 && !is_terminal(state_.status); ++turn) {
            if (rng.below(10) == 0) break;
            if (state_.tokens.at(0).phase == plan::TokenPhase::waiting) {
                pass_time();
                feed(plan::TimerDue{});
            } else if (rng.below(3) == 0) {
                fail(rng.below(2) == 0 ? ErrorClass::retryable : ErrorClass::permanent, "oh");
            } else {
                finish(random_result());
            }
            EXPECT_EQ(context(run), json::value(plan::context_of(definition_, state_))) << i;
        }
    }
}

TEST_F(Executions, AnInsertStartsARun) {
    const std::string insert =
        "insert into workflow_executions (workflow_name, workflow_version, status, current_step, "
        "total_steps, input_payload, context, correlation_id, triggered_by) values ('flow', 1, "
        "'pending', 0, 4, '{\"email\": 1}', '{}', 'once', 'frontend') ";
    const auto id = session_.value(insert + "returning id::text");
    EXPECT_EQ(
        session_.value(insert + "returning (id, status, total_steps, triggered_by)::text"),
        "(" + id + ",pending,4,frontend)"
    );
    EXPECT_EQ(db_.claim_ids(worker_), std::vector{RunId{parse_uuid(id).value()}});
    EXPECT_EQ(
        session_.refusal("insert into workflow_executions (workflow_name) values ('flow')").message,
        "Missing required fields: email"
    );
    for (const char* wrong :
         {"(workflow_name, status) values ('flow', 'completed')",
          "(workflow_name, workflow_version) values ('flow', 2)",
          "(id, workflow_name) values (gen_random_uuid(), 'flow')"}) {
        EXPECT_FALSE(
            session_.refusal(std::string("insert into workflow_executions ") + wrong).hint.empty()
        );
    }
    EXPECT_EQ(session_.value("select count(*)::text from workflow_executions"), "1");
}

TEST_F(Executions, ACancelIsAskedForAndNothingElseCanBeChanged) {
    const auto run = start();
    const auto where = fmt::format(" where id = '{}'", to_string(run));
    for (const char* set :
         {"status = 'completed'",
          "context = '{}'",
          "retry_count = 9",
          "status = 'cancelled', current_step = 2"}) {
        const auto detail =
            session_.refusal(fmt::format("update workflow_executions set {}{}", set, where));
        EXPECT_EQ(detail.message, "a run cannot be changed");
        EXPECT_FALSE(detail.hint.empty());
    }
    EXPECT_EQ(
        session_.refusal("delete from workflow_executions" + where).message,
        fmt::format("run {} is still open: cancel it first", to_string(run))
    );
    session_.script("update workflow_executions set status = 'cancelled'" + where);
    EXPECT_EQ(db_.claim(worker_).signals.size(), 1u);
    state_ = plan::fold(definition_, db_.log(run));
    run_ = run;
    feed(plan::CancelRequested{"asked"});
    EXPECT_EQ(column("status, completed_at is not null", run), "(cancelled,t)");
    session_.script("update workflow_executions set status = 'cancelled'" + where);
    const auto done = start();
    hold(done);
    fail_for_good("x");
    EXPECT_EQ(
        session_
            .refusal("update workflow_executions set status = 'cancelled' where status = 'failed'")
            .message,
        fmt::format("run {} is over: failed", to_string(done))
    );
}

TEST_F(Executions, AClosedRunCanBeForgotten) {
    const auto run = start(", 'key'");
    const auto other = start(", 'other'");
    db_.claim_ids(worker_);
    run_ = run;
    state_ = plan::fold(definition_, db_.log(run));
    fail_for_good("x");
    const std::string rows =
        "select ((select count(*) from pawl.run), (select count(*) from pawl.event), "
        "(select count(*) from pawl.dead_letter), (select count(*) from pawl.correlation))::text";
    EXPECT_EQ(session_.value(rows), "(1,6,1,2)");
    session_.script("delete from workflow_executions where correlation_id = 'key'");
    EXPECT_EQ(session_.value(rows), "(0,1,0,1)");
    EXPECT_EQ(column("status", other), "running");
    EXPECT_NE(start(", 'key'"), run);
}

// By id: index probes only. By status or name with a limit: no fold of runs that are not shown.
TEST_F(Executions, AreReadQuicklyAmongAHundredThousand) {
    session_.script(
        "with ids as materialized (select pawl.uuid7() as id from generate_series(1, 100000)), "
        "closed as (insert into pawl.run (run_id, started_at, closed_at, tenant, workflow, "
        "version, bucket, status) select id, now(), now(), 1, 1, 1, 0, 1 from ids) "
        "insert into pawl.event (run_id, at, seq, bucket, type) "
        "select id, now(), seq, 0, seq from ids, generate_series(0, 1) seq; analyze"
    );
    const auto run = start();
    const std::string explain = fmt::format(
        "explain (analyze, buffers, timing off) select * from workflow_executions where id = '{}'",
        to_string(run)
    );
    // What is read the first time to plan the look at the log is not read again.
    session_.script(explain);
    const auto plan = session_.column(explain);
    std::string text;
    for (const auto& line : plan) text += line + "\n";
    const auto buffers = text.find("Buffers: shared hit=");
    ASSERT_NE(buffers, std::string::npos) << text;
    EXPECT_LT(std::stoi(text.substr(buffers + 20)), 150) << text;
    for (const char* query :
         {"where status = 'completed' order by created_at desc limit 20",
          "where workflow_name = 'flow' order by id desc limit 20",
          "order by id desc limit 20"}) {
        session_.script("set statement_timeout = '5s'");
        EXPECT_EQ(
            session_.column(fmt::format("select context::text from workflow_executions {}", query))
                .size(),
            20u
        );
    }
}

}  // namespace
}  // namespace pawl::test
