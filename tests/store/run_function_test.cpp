#include "store/supervisors.hpp"

namespace pawl::test {
namespace {

using RunFunction = Supervisors;

constexpr const char* denied = "42501";
constexpr const char* unknown_function = "42883";
constexpr const char* bad_name = "42602";

TEST_F(RunFunction, OnlyWhatWasGrantedByNameRuns) {
    script(
        "create schema app; grant usage on schema app to worker_service_user;"
        "create function app.granted(jsonb) returns jsonb language sql return '{\"is\": "
        "\"it\"}'::jsonb;"
        "revoke execute on function app.granted from public;"
        "grant execute on function app.granted to worker_service_user;"
        "create function app.secret(jsonb) returns jsonb language sql security definer "
        "return '{\"is\": \"secret\"}'::jsonb;"
        "revoke execute on function app.secret from public;"
        "create function app.anybodys(jsonb) returns jsonb language sql return $1;"
    );
    EXPECT_EQ(call("app.granted", "{}"), R"({"is": "it"})");
    EXPECT_EQ(call(" APP . \"granted\" ", "{}"), R"({"is": "it"})") << "the same, as SQL has it";
    for (const std::string name :
         {"app.secret", "APP.SECRET", "\"app\".\"secret\"", " app . secret "}) {
        EXPECT_EQ(call(name, "{}"), denied) << name;
    }
    EXPECT_EQ(call("app.anybodys", "{}"), denied) << "a grant to public does not count";
    EXPECT_EQ(call("pg_catalog.jsonb_strip_nulls", "{}"), denied);
    for (const std::string name :
         {"secret",
          "granted",
          "",
          ".",
          "app.",
          ".secret",
          "postgres.app.secret",
          "app.secret(jsonb)",
          "app.granted; select 1",
          "app.granted('{}') || app.secret",
          "app.\"secret",
          "app,secret",
          "app.granted -- ",
          "0",
          "app.sec\\ret",
          "app/**/.secret"}) {
        EXPECT_EQ(call(name, "{}"), bad_name) << name;
    }
    for (const std::string name :
         {"app.nothing",
          "nothing.secret",
          "\"APP\".secret",
          "app.\"Secret\"",
          "app.\"secret \"",
          "app.\"secret(jsonb)\"",
          "queues.claim_tasks",
          "comms.kickoff_send_email_task",
          "internal.run_function"}) {
        EXPECT_EQ(call(name, "{}"), unknown_function) << name;
    }
    EXPECT_EQ(as_worker("select internal.run_function(null, '{}')::text"), bad_name);
}

TEST_F(RunFunction, OverloadsAndSearchPathsDoNotLeadElsewhere) {
    script(
        "create schema app; grant usage on schema app to worker_service_user;"
        "create function app.f(jsonb) returns jsonb language sql return '{\"is\": "
        "\"secret\"}'::jsonb;"
        "create function app.f(json) returns jsonb language sql "
        "return '{\"is\": \"json\"}'::jsonb;"
        "create function app.f(text) returns jsonb language sql "
        "return '{\"is\": \"text\"}'::jsonb;"
        "create function app.f(jsonb, text default '') returns jsonb language sql "
        "return '{\"is\": \"two\"}'::jsonb;"
        "create function app.g(text) returns jsonb language sql return '{}'::jsonb;"
        "create function app.g(variadic jsonb[]) returns jsonb language sql return '{}'::jsonb;"
        "create function app.h(jsonb) returns setof jsonb language sql as $$ select $1 $$;"
        "create procedure app.p(jsonb) language sql as $$ select 1 $$;"
        "create function app.t(jsonb) returns text language sql return 'x';"
        "revoke execute on all functions in schema app from public;"
        "grant execute on function app.f(json), app.f(text), app.f(jsonb, text), app.g(text), "
        "app.g(jsonb[]), app.h, app.t to worker_service_user"
    );
    EXPECT_EQ(call("app.f", "{}"), denied) << "only its namesakes are granted";
    for (const std::string name : {"app.g", "app.h", "app.p", "app.t"}) {
        EXPECT_EQ(call(name, "{}"), unknown_function) << name;
    }
    script("grant execute on function app.f(jsonb) to worker_service_user");
    EXPECT_EQ(call("app.f", "{}"), "42725") << "with a default it looks the same: neither";
    script("drop function app.f(jsonb, text)");
    EXPECT_EQ(call("app.f", "{}"), R"({"is": "secret"})") << "and not one of its namesakes";

    // Temporary objects and paths of the caller.
    worker_.script("create function pg_temp.f(jsonb) returns jsonb language sql return '{}'::jsonb"
    );
    EXPECT_EQ(call("pg_temp.f", "{}"), unknown_function);
    worker_.script("set search_path = app, pg_temp");
    EXPECT_EQ(call("f", "{}"), bad_name);
    script("create schema trap; grant all on schema trap to worker_service_user");
    worker_.script(
        "create function trap.parse_ident(text) returns text[] language sql "
        "return array['app', 'f']; set search_path = trap, pg_catalog"
    );
    EXPECT_EQ(call("f", "{}"), bad_name);
    script("revoke usage on schema app from worker_service_user");
    EXPECT_EQ(call("app.f", "{}"), denied) << "the schema counts too";
    worker_.script("drop function trap.parse_ident; drop function pg_temp.f");
}

TEST_F(RunFunction, TheWorkerRoleMayDoNothingElse) {
    const Strings may = database_.session().column(
        "select p.oid::regprocedure::text from pg_proc p join pg_namespace n "
        "on n.oid = p.pronamespace where n.nspname in ('queues', 'internal', 'comms', 'pawl') "
        "and has_schema_privilege('worker_service_user', n.oid, 'usage') "
        "and has_function_privilege('worker_service_user', p.oid, 'execute') order by 1"
    );
    EXPECT_EQ(
        may,
        (Strings{
            "comms.get_email_payload(jsonb)",
            "comms.get_sms_payload(jsonb)",
            "comms.record_email_failure(jsonb)",
            "comms.record_email_success(jsonb)",
            "comms.record_sms_failure(jsonb)",
            "comms.record_sms_success(jsonb)",
            "comms.send_email_supervisor(jsonb)",
            "comms.send_sms_supervisor(jsonb)",
            "internal.run_function(text,jsonb)",
            "queues.claim_tasks(integer)",
            "queues.dequeue_next_available_task()",
            "queues.finish_task(bigint)",
            "queues.oldest_task()",
            "queues.purge_tasks(interval,integer)",
            "queues.record_error(bigint,text,text,text,jsonb)",
            "queues.retry_task(bigint,interval)"})
    );
    const Strings tables = database_.session().column(
        "select c.oid::regclass::text from pg_class c join pg_namespace n on n.oid = "
        "c.relnamespace where n.nspname in ('queues', 'internal', 'comms', 'pawl') and c.relkind "
        "in ('r', 'p', 'v') and has_schema_privilege('worker_service_user', n.oid, 'usage') and "
        "has_table_privilege('worker_service_user', c.oid, 'select, insert, update, delete, "
        "truncate')"
    );
    EXPECT_EQ(tables, Strings{});
    EXPECT_EQ(
        value("select (rolsuper or rolcreaterole or rolcreatedb or rolbypassrls)::text from "
              "pg_roles where rolname = 'worker_service_user'"),
        "false"
    );
}

TEST_F(RunFunction, FunctionsOfThePackagePinTheirSearchPath) {
    EXPECT_EQ(
        database_.session().column(
            "select p.oid::regprocedure::text from pg_proc p where p.pronamespace in "
            "('queues'::regnamespace, 'internal'::regnamespace, 'comms'::regnamespace) and not "
            "coalesce('search_path=pg_catalog, pg_temp' = any (p.proconfig), false)"
        ),
        Strings{}
    );
}

TEST_F(RunFunction, TasksThatWereDealtWithGoAfterAWhile) {
    script(
        "insert into queues.task (task_type, dequeued_at, lease_until) values "
        "('sms', now() - interval '8 days', null), ('sms', now() - interval '8 days', now()), "
        "('sms', now() - interval '6 days', null), ('sms', null, null)"
    );
    EXPECT_EQ(value("select queues.purge_tasks(interval '7 days', 100)::text"), "1");
    EXPECT_EQ(value("select min(task_id)::text from queues.task"), "2");
}

}  // namespace
}  // namespace pawl::test
