#include "pg/pg_error.hpp"
#include "store/under_test.hpp"

#include <fmt/core.h>

// What applications call in their own transactions, besides pawl.start.
namespace pawl::test {
namespace {

class SqlApi : public ::testing::Test {
protected:
    SqlApi() {
        session_.script(
            "insert into workflow_definitions (name, steps, required_fields) values "
            "('flow', '[{\"name\": \"a\", \"function\": \"f\", \"payload_template\": "
            "{\"x\": \"{{input.n}}\"}}]', '{n}')"
        );
    }
    std::string start() { return session_.value("select pawl.start('flow', '{\"n\": 1}')::text"); }
    std::string value(const std::string& sql) { return session_.value(sql); }
    std::string runs() { return value("select count(*)::text from pawl.live_run"); }

    PgUnderTest db_;
    Session& session_ = db_.database().session();
};

TEST_F(SqlApi, NothingIsThereUntilTheCommitAndNothingAfterARollback) {
    const auto run = start();
    const std::string everything =
        "select pawl.start('flow', '{\"n\": 1}', 'k'); "
        "select pawl.start_many('flow', '[{\"data\": {\"n\": 1}}, {\"data\": {\"n\": 2}}]'); "
        "select pawl.emit('paid', 'k'); select pawl.signal('" +
        run + "', 'go'); select pawl.cancel('" + run + "');";
    const std::string rows =
        "select concat_ws(' ', (select count(*) from pawl.live_run), (select count(*) from "
        "pawl.event), (select count(*) from pawl.correlation), (select count(*) from pawl.inbox), "
        "(select count(*) from pawl.inbox_pending), (select count(*) from pawl.signal))";
    session_.script("begin; " + everything + " rollback");
    EXPECT_EQ(value(rows), "1 1 0 0 0 0");
    session_.script("begin; savepoint s; " + everything + " rollback to s; commit");
    EXPECT_EQ(value(rows), "1 1 0 0 0 0");
    Session other(db_.database().url());
    session_.script("begin; " + everything);
    EXPECT_EQ(other.value(rows), "1 1 0 0 0 0") << "before the commit no other session sees it";
    session_.script("commit");
    EXPECT_EQ(other.value(rows), "4 4 1 1 1 2");
}

TEST_F(SqlApi, TenThousandStartsAreOneTransactionAndOneWakeUp) {
    const auto output = output_of(
        "psql -X -q -t -d '" + db_.database().url() +
        "' -c 'listen pawl_wake' -c \"begin; select count(pawl.start('flow', '{\\\"n\\\": 1}')) "
        "from generate_series(1, 1000); select count(*) from pawl.start_many('flow', (select "
        "jsonb_agg(jsonb_build_object('data', jsonb_build_object('n', i), 'correlation_id', i)) "
        "from generate_series(1, 9000) i)); select pawl.emit('paid'); commit\""
    );
    const std::string told = "Asynchronous notification \"pawl_wake\"";
    const auto first = output.find(told);
    ASSERT_NE(first, std::string::npos) << output;
    EXPECT_EQ(output.find(told, first + 1), std::string::npos) << output;
    EXPECT_EQ(runs(), "10000");
    EXPECT_EQ(
        value("select string_agg(distinct (e.data -> 'input' ->> 'n' = c.key)::text, ' ') "
              "from pawl.correlation c join pawl.event e using (run_id)"),
        "true"
    ) << "each key has its own run";
}

TEST_F(SqlApi, StartManyKeepsItsOrderAndWhatWasThere) {
    const auto first = value("select pawl.start('flow', '{\"n\": 0}', 'b')::text");
    const std::string many =
        "select string_agg(concat_ws(':', place, created), ' ' order by place) "
        "from pawl.start_many('flow', '[{\"data\": {\"n\": 1}, \"correlation_id\": \"a\"}, "
        "{\"data\": {\"n\": 2}, \"correlation_id\": \"b\"}, {\"data\": {\"n\": 3}, "
        "\"correlation_id\": \"a\"}, {\"data\": {\"n\": 4}, \"subject\": \"s\", \"priority\": 7, "
        "\"start_at\": \"2030-01-01T00:00:00Z\"}]')";
    EXPECT_EQ(value(many), "1:t 2:f 3:f 4:t");
    EXPECT_EQ(value("select run_id::text from pawl.correlation where key = 'b'"), first);
    EXPECT_EQ(
        value("select (subject, priority, due_at at time zone 'UTC')::text from pawl.live_run "
              "where subject is not null"),
        "(s,7,\"2030-01-01 00:00:00\")"
    );
    EXPECT_EQ(value("select count(*)::text from pawl.start_many('flow', '[]')"), "0");
}

TEST_F(SqlApi, StartManyRefusesAllAndNamesTheEntry) {
    const auto many = [](const std::string& list) {
        return "select pawl.start_many('flow', '" + list + "')";
    };
    auto detail = session_.refusal(many(R"([{"data": {"n": 1}}, {"data": {}}])"));
    EXPECT_EQ(detail.message, "runs[1]: Missing required fields: n");
    EXPECT_EQ(detail.detail, "Missing in all: n, input.n");
    EXPECT_EQ(detail.sqlstate, "22023");
    EXPECT_FALSE(detail.hint.empty());
    EXPECT_EQ(
        session_.refusal(many(R"([{"n": 1}])")).message, "runs[0]: there is no setting \"n\""
    );
    EXPECT_EQ(session_.refusal(many("[5]")).message, "runs[0]: must be an object, not a number");
    EXPECT_EQ(session_.refusal(many("{}")).message, "runs must be a JSON array");
    EXPECT_EQ(session_.refusal(many(R"([{"data": [1]}])")).sqlstate, "22023");
    const std::pair<std::string, std::string> wrong[] = {
        {R"("correlation_id": "")", "correlation_id is empty"},
        {R"("subject": ")" + std::string(501, 'x') + '"', "the subject has at most 500 bytes"},
        {R"("priority": 70000)", "priority must be a whole number from -32768 to 32767, not 70000"},
        {R"("priority": 1.5)", "priority must be a whole number from -32768 to 32767, not 1.5"},
        {R"("priority": "high")", "priority must be a whole number from -32768 to 32767, not \"hi"},
        {R"("start_at": "soon")", "start_at must be a time, not \"soon\""},
        {R"("start_at": "infinity")", "start_at must be a time of the years 1 to 9999"},
    };
    for (const auto& [setting, message] : wrong) {
        const std::string list = R"([{"data": {"n": 1}}, {"data": {"n": 1}, )" + setting + "}]";
        const auto said = session_.refusal(many(list));
        EXPECT_EQ(said.message.find("runs[1]: " + message), 0u) << said.message;
        EXPECT_FALSE(said.hint.empty()) << setting;
    }
    EXPECT_EQ(
        session_.refusal("select pawl.start_many('nothing', '[]')").message,
        "Workflow not found: nothing"
    );
    EXPECT_EQ(runs(), "0");
}

TEST_F(SqlApi, NamesAreHeldToWhatTheySay) {
    EXPECT_EQ(
        session_.refusal("select pawl.apply_workflow('x', '{\"name\": \"y\", \"steps\": []}')")
            .message,
        "the definition calls itself 'y', not 'x'"
    );
    const auto detail = session_.refusal("select pawl.emit('pawl.task.opened', 'ann')");
    EXPECT_EQ(
        detail.message, "names that begin with pawl. are the engine's own: 'pawl.task.opened'"
    );
    EXPECT_EQ(detail.sqlstate, "42939");
}

TEST_F(SqlApi, AMessageLocksNothingAndReachesTheRunOnceItIsCommitted) {
    const auto run = start();
    const auto worker = db_.worker();
    db_.claim(worker);
    db_.commit(parking(worker, RunId{parse_uuid(run).value()}, std::nullopt));
    session_.script("begin; select pawl.signal('" + run + "', 'go', '{\"x\": 1}')");
    Session other(db_.database().url());
    // The worker that holds the run does not wait.
    other.script(
        "begin; select 1 from pawl.live_run where run_id = '" + run + "' for update nowait; commit"
    );
    db_.match();
    EXPECT_EQ(db_.status(RunId{parse_uuid(run).value()}), "waiting");
    session_.script("commit");
    db_.match();
    EXPECT_EQ(db_.status(RunId{parse_uuid(run).value()}), "queued");
    const auto claimed = db_.claim(worker);
    ASSERT_EQ(claimed.signals.size(), 1u);
    EXPECT_EQ(claimed.signals[0].kind, "signal");
    EXPECT_EQ(claimed.signals[0].data, (json::object{{"name", "go"}, {"data", {{"x", 1}}}}));
}

TEST_F(SqlApi, MessagesToRunsThatAreClosedOrNotThere) {
    const auto run = start();
    const auto worker = db_.worker();
    db_.claim(worker);
    EXPECT_EQ(value("select pawl.status('" + run + "')"), "running");
    EXPECT_EQ(value("select closed::text from pawl.result('" + run + "')"), "false");
    db_.commit(closing(worker, RunId{parse_uuid(run).value()}));
    EXPECT_EQ(value("select pawl.status('" + run + "')"), "completed");
    EXPECT_EQ(value("select closed::text from pawl.result('" + run + "')"), "true");
    EXPECT_EQ(value("select pawl.signal('" + run + "', 'go')::text"), "false");
    EXPECT_EQ(value("select pawl.cancel('" + run + "')::text"), "false");
    const std::string none = to_string(new_run_id());
    for (const std::string& call : {"signal('" + none + "', 'go')", "cancel('" + none + "')"}) {
        const auto detail = session_.refusal("select pawl." + call);
        EXPECT_EQ(detail.sqlstate, "P0002") << call;
        EXPECT_EQ(detail.message, "there is no run " + none);
        EXPECT_FALSE(detail.hint.empty());
    }
    EXPECT_EQ(value("select coalesce(pawl.status('" + none + "'), 'none')"), "none");
    EXPECT_EQ(value("select count(*)::text from pawl.result('" + none + "')"), "0");
    EXPECT_EQ(session_.refusal("select pawl.signal('" + run + "', '')").sqlstate, "22023");
    // As many characters as through the API, whatever their bytes.
    const std::string long_name = "repeat('\u0e01', 200)";
    EXPECT_EQ(value("select pawl.signal('" + run + "', " + long_name + ")::text"), "false");
    const std::string too_long = "select pawl.signal('" + run + "', " + long_name + " || 'x')";
    EXPECT_EQ(session_.refusal(too_long).sqlstate, "22023");
    EXPECT_EQ(value("select pawl.status(pawl.start('flow', '{\"n\": 1}'))"), "queued");
}

TEST_F(SqlApi, AnEventWakesARunThatWaits) {
    session_.script(fmt::format(
        "insert into pawl.subscription (run_id, since, tenant, token, ordinal, bucket, event, key) "
        "values ('{}', now(), 1, 0, 0, 0, 'paid', '17')",
        start()
    ));
    EXPECT_EQ(value("select pawl.emit('paid', '17', '{\"total\": 9}', id => 'e1')"), "e1");
    EXPECT_EQ(value("select pawl.emit('paid', '17', id => 'e1')"), "e1");
    EXPECT_EQ(db_.match().delivered, 1);
    EXPECT_EQ(
        value("select data ->> 'name' || (data -> 'data')::text from pawl.signal"),
        "paid{\"total\": 9}"
    );
    EXPECT_EQ(value("select count(*)::text from pawl.inbox"), "1");
    EXPECT_EQ(session_.refusal("select pawl.emit('')").message, "an event needs a name");
    EXPECT_EQ(session_.refusal("select pawl.emit('a', repeat('k', 501))").sqlstate, "22001");
}

// As over HTTP: the largest double is a number like others.
TEST_F(SqlApi, TheLargestNumberIsTaken) {
    session_.script("select pawl.start('flow', '{\"n\": 1.7976931348623157e308}')");
    session_.script("select pawl.start('flow', '{\"n\": -1.7976931348623157e308}')");
}

// One value that the engine cannot read would stand in the way of everything that is read with it.
TEST_F(SqlApi, WhatTheEngineCannotReadIsRefused) {
    const auto run = start();
    const std::string deep = "(repeat('[', 70) || repeat(']', 70))::jsonb";
    const std::string large = "'{\"a\": [1e999]}'::jsonb";
    for (const std::string& data : {deep, large}) {
        const auto refused = [&](const std::string& sql) {
            const std::string_view why =
                data == deep ? "data is nested deeper" : "a number in data is out of range";
            try {
                session_.script(sql);
                ADD_FAILURE() << sql << " was accepted";
            } catch (const Failure& failure) {
                EXPECT_NE(std::string(failure.what()).find(why), std::string::npos)
                    << failure.what();
            }
        };
        refused("select pawl.signal('" + run + "', 'go', " + data + ")");
        refused("select pawl.emit('paid', data => " + data + ")");
        refused("select pawl.start('flow', jsonb_build_object('n', " + data + "))");
        refused(
            "select pawl.start_many('flow', jsonb_build_array(jsonb_build_object('data', "
            "jsonb_build_object('n', " +
            data + "))))"
        );
    }
    EXPECT_EQ(value("select count(*)::text from pawl.signal"), "0");
    EXPECT_EQ(runs(), "1");
}

// Written past the doors (by an older release, say): only that run is held, and only that message
// is lost.
TEST_F(SqlApi, ARunThatCannotBeReadIsHeldAndTheOthersGoOn) {
    const auto worker = db_.worker();
    const auto bad = start();
    const auto good = start();
    const auto told = start();
    session_.script(
        "update pawl.event set data = data || jsonb_build_object('x', (repeat('[', 600) || "
        "repeat(']', 600))::jsonb) where run_id = '" +
        bad + "'"
    );
    session_.script("select pawl.signal('" + told + "', 'go')");
    session_.script("update pawl.signal set data = '{\"n\": 1e999}'");
    const auto claimed = db_.claim(worker, 10);
    ASSERT_EQ(claimed.log.size(), 3u);
    for (const store::LogRow& row : claimed.log) {
        EXPECT_EQ(row.readable, to_string(row.run) != bad);
    }
    ASSERT_EQ(claimed.signals.size(), 1u);
    EXPECT_TRUE(claimed.signals[0].data.is_null());
}

TEST_F(SqlApi, ARoleMayCallThemAndNothingElse) {
    const auto role = "app_" + db_.database().name();
    session_.script("create role " + role);
    const auto as_role = [&](const std::string& sql) {
        return "set role " + role + "; " + sql + "; reset role";
    };
    const auto denied = [&](const std::string& sql) {
        const auto detail = session_.refusal(as_role(sql));
        session_.script("reset role");
        return detail.sqlstate;
    };
    EXPECT_EQ(denied("select pawl.start('flow', '{\"n\": 1}')"), "42501");
    session_.script("grant usage on schema pawl to " + role);
    for (const std::string call :
         {"start('flow')",
          "start_many('flow', '[]')",
          "emit('a')",
          "status(null)",
          "signal(null, 'a')",
          "cancel(null)",
          "result(null)"}) {
        EXPECT_EQ(denied("select pawl." + call), "42501") << call;
    }
    session_.script("select pawl.allow_sql_api('" + role + "')");
    // Neither a table nor a function of the caller's own takes the place of Pawl's.
    session_.script(
        as_role("create temp table live_run (x int); create temp table definition (x int); "
                "set search_path = pg_temp, public; select pawl.start('flow', '{\"n\": 1}'); "
                "select pawl.emit('a'); select pawl.status(gen_random_uuid()); reset search_path")
    );
    EXPECT_EQ(runs(), "1");
    EXPECT_EQ(denied("select * from pawl.live_run"), "42501");
    EXPECT_EQ(
        denied("insert into pawl.signal (bucket, run_id, kind) values (0, null, 'x')"), "42501"
    );
    EXPECT_EQ(denied("select pawl.leave_message(null, null, 'cancel', null)"), "42501");
    session_.script("drop owned by " + role + "; drop role " + role);
}

// The check of a domain runs with the rights of what makes a value of it: a function that runs as
// its owner must not take one for a type of Postgres.
TEST_F(SqlApi, TypesOfTheCallersOwnTakeTheirPlaceNeither) {
    const auto role = "app_" + db_.database().name();
    session_.script("create role " + role + "; select pawl.allow_sql_api('" + role + "')");
    session_.script(
        "select pawl.apply_workflow('strict', '{\"name\": \"strict\", \"input_schema\": "
        "{\"properties\": {\"n\": {\"items\": {\"enum\": [1], \"maximum\": 1}}}}, "
        "\"steps\": [{\"name\": \"a\", \"function\": \"f\"}]}')"
    );
    {
        Session caller(db_.database().url());
        caller.script("set role " + role);
        for (const char* type : {"text", "jsonb", "uuid", "timestamptz", "bytea"}) {
            caller.script(fmt::format(
                "create function pg_temp.spy(pg_catalog.{0}) returns pg_catalog.bool "
                "language plpgsql as $$ begin "
                "raise exception 'a check of the caller runs as %', current_user; end $$;"
                "create domain pg_temp.{0} as pg_catalog.{0} check (pg_temp.spy(value))",
                type
            ));
        }
        caller.script(
            "select pawl.start('flow', '{\"n\": 1}', correlation_id => 'k', subject => 's');"
            "select pawl.start_many('flow', '[{\"data\": {\"n\": 1}}]');"
            "select pawl.emit('a', data => '{\"n\": 1}')"
        );
        EXPECT_EQ(
            caller.refusal("select pawl.start('strict', '{\"n\": [2]}')").message,
            "input.n[0]: must be one of 1 (and 1 more)"
        );
    }
    EXPECT_EQ(runs(), "2");
    session_.script("drop owned by " + role + "; drop role " + role);
}

TEST_F(SqlApi, ACancelMayBeOneThatWaitsForNothing) {
    const auto sent = [this](const std::string& run) {
        return value("select data::text from pawl.signal where run_id = '" + run + "'");
    };
    const auto gentle = start();
    EXPECT_EQ(value("select pawl.cancel('" + gentle + "', 'enough')::text"), "true");
    EXPECT_EQ(sent(gentle), R"({"reason": "enough"})");
    const auto forced = start();
    EXPECT_EQ(value("select pawl.cancel('" + forced + "', force => true)::text"), "true");
    EXPECT_EQ(sent(forced), R"({"force": true, "reason": "cancelled through SQL"})");
}

}  // namespace
}  // namespace pawl::test
