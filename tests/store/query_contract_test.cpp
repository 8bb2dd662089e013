#include "pg/params.hpp"
#include "store/event_contracts.hpp"
#include "store/message_contracts.hpp"
#include "store/operate_contracts.hpp"
#include "store/people_contracts.hpp"
#include "store/queries.gen.hpp"
#include "store/query_contracts.hpp"
#include "store/sign_in_contracts.hpp"
#include "support/database.hpp"

#include <fmt/core.h>
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <map>
#include <set>

namespace pawl::test {
namespace {

const std::string log_columns =
    "seq integer, type smallint, attempt smallint, node text, data jsonb, error jsonb, "
    "at timestamp with time zone, token integer";
const std::string tail_columns = "run_id uuid, " + log_columns + ", more boolean";
const std::string claimed_columns = "run_id uuid, " + log_columns + ", signal bigint";
const std::string summary_columns =
    "run_id uuid, workflow text, version integer, status text, subject text, started_at timestamp "
    "with time zone, closed_at timestamp with time zone, "
    "due_at timestamp with time zone, output jsonb, error jsonb";
const std::string version_columns =
    "id integer, tenant integer, bucket smallint, version integer, name text, "
    "created_at timestamp with time zone, definition jsonb, active boolean, label text, "
    "draft boolean, retired_at timestamp with time zone, canary jsonb, off_reason text, "
    "owner text, changed_by text, changed_at timestamp with time zone";
const std::string letter_columns =
    "run_id uuid, at timestamp with time zone, workflow text, version integer, node text, "
    "error jsonb, fingerprint text, replayed_as uuid, replayed_at timestamp with time zone";
const std::string job_columns =
    "id uuid, tenant integer, bucket smallint, kind text, filter jsonb, status text, "
    "total bigint, done bigint, failed bigint, error text, created_at timestamp with time zone, "
    "updated_at timestamp with time zone, request jsonb, examples jsonb, cursor_run uuid, "
    "counts jsonb, schedule integer, slot timestamp with time zone";

const std::string schedule_columns =
    "id integer, tenant integer, bucket smallint, workflow integer, version integer, cron text, "
    "timezone text, overlap text, catch_up_ms bigint, jitter_ms bigint, input jsonb, "
    "since timestamp with time zone, next_at timestamp with time zone, "
    "due_at timestamp with time zone, backfill_at timestamp with time zone, "
    "backfill_to timestamp with time zone, backfill_due timestamp with time zone, "
    "now timestamp with time zone";

const std::string tenant_columns =
    "id integer, bucket smallint, name text, created_at timestamp with time zone, "
    "open_runs_max integer, starts_per_second_max integer, payload_bytes_max integer";
const std::string credential_columns =
    "name text, key_id text, created_at timestamp with time zone, "
    "updated_at timestamp with time zone";

// Tenants, and on whose behalf a statement runs.
std::map<std::string, Contract, std::less<>> tenant_contracts() {
    return {
        {"create_tenant", {"text", tenant_columns}},
        {"list_tenants", {"text", tenant_columns}},
        {"limit_tenant", {"text, integer, integer, integer", tenant_columns}},
        {"tenant_limits",
         {"integer",
          "open_runs_max integer, starts_per_second_max integer, payload_bytes_max integer"}},
        {"count_open_runs", {"smallint, integer, integer", "count_open_runs integer"}},
        {"count_recent_starts", {"smallint, integer, integer", "count_recent_starts integer"}},
        {"put_credential", {"integer, text, text, bytea, bytea", credential_columns}},
        {"list_credentials", {"integer", credential_columns}},
        {"delete_credential", {"integer, text", "name text"}},
        {"find_credential", {"integer, text", "key_id text, nonce bytea, box bytea"}},
        {"other_credentials",
         {"text", "tenant integer, name text, key_id text, nonce bytea, box bytea"}},
        {"replace_credential_box", {"integer, text, text, bytea, bytea, bytea", "name text"}},
        {"act_for", {"text", "set_config text"}},
        {"enter_tenant",
         {"text, text", "set_config text, set_config text, set_config text, set_config text"}},
        {"organization_of", {"integer", "organization uuid"}},
        {"enter_organization", {"integer, bigint", "enter_organization boolean"}},
        {"leave_organization", {"integer, integer", "leave_organization void"}},
        {"runs_to_do", {"smallint, integer, integer", "runs_to_do uuid"}},
        {"runs_done",
         {"smallint, uuid[]", "run_id uuid, status text, error text, last_seq integer"}},
        {"find_tenant", {"text", "id integer, bucket smallint, now timestamp with time zone"}},
    };
}

// What schedules ask.
std::map<std::string, Contract, std::less<>> schedule_contracts() {
    return {
        {"due_schedules",
         {"smallint, interval, bigint", schedule_columns + ", canary jsonb, audience text"}},
        {"move_schedule",
         {"smallint, integer, boolean, timestamp with time zone, timestamp with time zone, "
          "timestamp with time zone, bigint, text, timestamp with time zone[], uuid[], integer[], "
          "integer[], jsonb[], text[]",
          "started integer, skipped integer"}},
        {"list_schedules",
         {"integer, integer, text, integer, bigint",
          schedule_columns +
              ", name text, place integer, active boolean, paused_at timestamp with time zone, "
              "pause_reason text, last_slot timestamp with time zone, last_run uuid, "
              "fired bigint, skipped bigint, missed bigint, problem text, audience text, "
              "local_time text"}},
        {"pause_schedule", {"integer, integer, text", ""}},
        {"resume_schedule", {"integer, integer", ""}},
        {"cancel_backfill", {"integer, integer", ""}},
        {"backfill_schedule",
         {"integer, integer, timestamp with time zone, timestamp with time zone", ""}},
        {"note_scheduled_run", {"integer, integer, uuid", ""}},
    };
}

// What the API asks.
std::map<std::string, Contract, std::less<>> api_contracts() {
    return {
        {"find_execution", {"uuid", "to_jsonb jsonb"}},
        {"find_idempotency_key",
         {"integer, text",
          "fingerprint bytea, status smallint, headers jsonb, body text, "
          "at timestamp with time zone"}},
        {"remember_idempotency_key", {"integer, text, bytea, smallint, jsonb, text", ""}},
        {"purge_idempotency_keys", {"bigint", ""}},
        {"retry_runs",
         {"smallint, integer, uuid[], uuid[]",
          "run_id uuid, status text, retried_as uuid, created boolean"}},
        {"list_dead_letters",
         {"smallint, integer, text, text, text, boolean, timestamp with time zone, "
          "timestamp with time zone, uuid, integer, integer",
          letter_columns}},
        {"group_dead_letters",
         {"smallint, integer, text, text, boolean, timestamp with time zone, "
          "timestamp with time zone, integer, integer",
          "fingerprint text, workflow text, node text, message text, count bigint, "
          "first_at timestamp with time zone, last_at timestamp with time zone, "
          "sample_run uuid, complete boolean, pulse jsonb, mute_reason text, muted_by text, "
          "muted_at timestamp with time zone, muted_by_name text"}},
        {"mute_dead_letters",
         {"smallint, integer, text, text, text", "at timestamp with time zone"}},
        {"unmute_dead_letters", {"integer, text", "at timestamp with time zone"}},
        {"find_dead_letter", {"smallint, integer, uuid", letter_columns}},
        {"create_replay", {"uuid, integer, jsonb", "create_replay void"}},
        {"find_job", {"uuid, integer", job_columns}},
        {"list_jobs", {"integer, text, timestamp with time zone, uuid, integer", job_columns}},
        {"cancel_job", {"uuid, integer, text", ""}},
        {"claim_job", {"interval, integer, boolean", job_columns}},
        {"pause_job", {"uuid, integer", ""}},
        {"resume_job", {"uuid, integer", ""}},
        {"prolong_job", {"uuid, interval", ""}},
        {"begin_audience", {"uuid, interval", job_columns}},
        {"add_audience", {"uuid, text[], jsonb[], interval", job_columns}},
        {"end_audience", {"uuid", job_columns}},
        {"enter_audience", {"uuid, integer, interval", job_columns}},
        {"purge_audiences", {"integer", "purge_audiences bigint"}},
        {"open_audience", {"integer, integer", "unnest uuid"}},
        {"replay_batch", {"uuid, integer, interval", job_columns}},
        {"let_job_go", {"uuid", ""}},
        {"fail_job", {"uuid, text", ""}},
        {"count_runs",
         {"smallint, integer, text, text[], text, text, uuid, uuid, integer, integer, boolean, "
          "text, jsonb, integer",
          "total bigint, complete boolean, sample uuid"}},
        {"count_runs_by_status",
         {"smallint, integer, text, text[], text, text, uuid, uuid, integer, text, jsonb, integer",
          "status text, total bigint, complete boolean"}},
        {"create_bulk", {"uuid, integer, jsonb, jsonb, bigint", "create_bulk void"}},
        {"bulk_batch",
         {"uuid, interval, uuid, uuid, uuid[], uuid[], text[], text[], jsonb", job_columns}},
        {"retried_runs", {"smallint, uuid[]", "run_id uuid"}},
        {"summarize_log", {"", "summarize_log void"}},
        {"tail_events",
         {"smallint, integer, timestamp with time zone, integer",
          "run_id uuid, workflow text, seq integer, type text, node text, attempt smallint, "
          "at timestamp with time zone"}},
        {"events_after", {"smallint, uuid[], integer[], integer", tail_columns}},
    };
}

// What steps in the database itself ask.
std::map<std::string, Contract, std::less<>> sql_contracts() {
    const std::string text = "set_config text";
    return {
        {"begin_transaction", {"", ""}},
        {"begin_read_only", {"", ""}},
        {"commit_transaction", {"", ""}},
        {"discard_session", {"", ""}},
        {"limit_transaction",
         {"text, text", fmt::format("{0}, {0}, {0}, {0}, {0}, {0}, case text", text)}},
        {"become_role", {"text", text}},
        {"confirm_found", {"", "confirm_found void"}},
        {"begin_sql_effect", {"smallint, uuid, text, uuid, boolean", "begin_sql_effect jsonb"}},
        {"tenant_name", {"integer", "name text"}},
        {"end_sql_effect", {"smallint, uuid, text, jsonb", "end_sql_effect void"}},
        {"abort_transaction", {"", "?column? integer"}},
        {"end_backend", {"integer", "pg_terminate_backend boolean"}},
        {"add_sql_pages", {"smallint, uuid, text, integer, jsonb[]", "add_sql_pages void"}},
        {"read_sql_page", {"smallint, uuid, text, integer, boolean", "read_sql_page jsonb"}},
        {"purge_sql_effects", {"smallint, integer", "purge_sql_effects integer"}},
        {"check_condition",
         {"integer, text, text, text, jsonb, text, text", "check_condition boolean"}},
        {"load_shape", {"smallint, uuid, integer", log_columns}},
    };
}

std::map<std::string, Contract, std::less<>> migration_contracts() {
    return {
        {"migrations_exist", {"", "?column? boolean"}},
        {"applied_migrations",
         {"", "number integer, name text, applied_at timestamp with time zone"}},
        {"lock_migration_table", {"", ""}},
        {"create_schema", {"", ""}},
        {"create_migration_table", {"", ""}},
        {"record_migration", {"integer, text", ""}},
        {"texts_exist", {"", "?column? boolean"}},
        {"applied_texts", {"", "path text, hash text, applied_at timestamp with time zone"}},
        {"can_see_edits", {"", "?column? boolean"}},
        {"edited_texts", {"text[], text[]", "path text"}},
        {"note_made", {"text[], text[]", ""}},
        {"newer_texts", {"text", "coalesce text"}},
        {"is_old_chain", {"text", "exists boolean"}},
        {"is_at_baseline", {"integer, text", "exists boolean"}},
        {"has_newer_file", {"integer", "exists boolean"}},
        {"is_file_pending", {"integer", "?column? boolean"}},
        {"is_text_pending", {"text, text", "?column? boolean"}},
        {"create_text_table", {"", ""}},
        {"record_text", {"text, text, text", ""}},
        {"forget_texts", {"text[]", ""}},
        {"take_over_migrations", {"integer", ""}},
        {"secure_schema", {"", "secure text"}},
    };
}

std::map<std::string, Contract, std::less<>> contracts() {
    return {
        {"limit_waits", {"text", "set_config text"}},
        {"start_runs",
         {"smallint, uuid, boolean, uuid[], integer[], integer[], integer[], text[], smallint[], "
          "timestamp with time zone[], jsonb[], text[], boolean[], jsonb[]",
          "requested uuid, existing uuid, rows text"}},
        {"claim_runs", {"smallint, uuid, integer, integer", claimed_columns}},
        {"claim_runs_beside",
         {"smallint, uuid, integer, integer, integer, integer[]", claimed_columns}},
        {"leased_runs", {"smallint, uuid, uuid[]", "run_id uuid, " + log_columns}},
        {"commit_runs",
         {"smallint, uuid, boolean, uuid[], integer[], smallint[], smallint[], text[], jsonb[], "
          "jsonb[], integer[], uuid[], timestamp with time zone[], uuid[], "
          "timestamp with time zone[], integer[], integer[], integer[], smallint[], text[], "
          "jsonb[], jsonb[], text[], "
          "bigint[], uuid[], uuid[], tid[]",
          "at timestamp with time zone, made_room boolean, rows text"}},
        {"pending_signals",
         {"smallint, uuid, uuid[]", "id bigint, run_id uuid, kind text, data jsonb"}},
        {"request_cancel", {"smallint, uuid, text, boolean", "request_cancel boolean"}},
        {"end_children", {"smallint, uuid[], text[]", "end_children void"}},
        {"load_log", {"smallint, uuid", log_columns}},
        {"earlier_child",
         {"smallint, integer, integer, uuid, integer, text, uuid, integer, jsonb, text",
          "run_id uuid, first_run text, anew_run text, undone boolean"}},
        {"enter_lock", {"smallint, integer, text, uuid, integer", "enter_lock boolean"}},
        {"leave_places", {"smallint, uuid[], integer[], text[]", "leave_places integer"}},
        {"rerun_from",
         {"smallint, integer, uuid, uuid, integer, jsonb, jsonb, text", "rerun_from_once uuid"}},
        {"find_run",
         {"smallint, integer, uuid",
          summary_columns + ", workflow_id integer, priority smallint, retried_as uuid, "
                            "data jsonb"}},
        {"list_runs",
         {"smallint, integer, text, text[], text, text, uuid, uuid, integer, integer, text, jsonb, "
          "integer",
          "closed boolean, " + summary_columns + ", scanned_to uuid, scanned integer"}},
        {"health",
         {"smallint",
          "count bigint, coalesce double precision, coalesce double precision, count bigint"}},
        {"register_worker",
         {"uuid, text, integer, text", "clock_timestamp timestamp with time zone"}},
        {"heartbeat", {"uuid", "clock_timestamp timestamp with time zone"}},
        {"retire_worker", {"uuid", "retire_worker bigint"}},
        {"sweep_dead_workers", {"interval", "worker uuid, runs bigint"}},
        {"end_silent_sessions", {"interval", "pid integer, ended boolean"}},
        {"takes_writes", {"", "?column? boolean"}},
        {"doctor_write", {"", ""}},
        {"notify_workers", {"text", "set_config text, pg_notify void"}},
        {"listen_for_wakes", {"", ""}},
        {"is_listening", {"", "?column? boolean"}},
        {"ensure_partitions", {"integer", "ensure_partitions integer"}},
        {"retain", {"uuid, interval, integer, interval", "did text, busy boolean"}},
        {"apply_workflow",
         {"integer, text, jsonb", "id integer, version integer, changed boolean"}},
        {"find_workflow", {"integer, text", version_columns}},
        {"find_version", {"integer, integer", version_columns}},
        {"find_version_by_name", {"integer, text, integer", version_columns}},
        {"list_workflows", {"integer, boolean, text, bigint", version_columns}},
        {"list_versions", {"integer, text", version_columns}},
        {"activate_workflow",
         {"integer, text, integer", "id integer, version integer, changed boolean"}},
        {"deactivate_workflow", {"integer, text", "deactivate_workflow boolean"}},
    };
}

// The queue of tasks.
std::map<std::string, Contract, std::less<>> task_queue_contracts() {
    return {
        {"claim_tasks",
         {"integer", "task_id bigint, task_type text, payload jsonb, deliveries integer"}},
        {"run_function", {"text, jsonb", "run_function jsonb"}},
        {"finish_task", {"bigint", "finish_task void"}},
        {"retry_task", {"bigint, interval", "retry_task boolean"}},
        {"record_task_error", {"bigint, text, text, text, jsonb", "record_error void"}},
        {"purge_tasks", {"interval, integer", "purge_tasks integer"}},
    };
}

std::string type_name(Session& session, std::uint32_t oid) {
    return session.value("select format_type(" + std::to_string(oid) + ", null)");
}

class QueryContract : public ::testing::Test {
protected:
    Contract described(const pg::Query& query) {
        auto& session = database_.session();
        const auto description =
            session.loop().run(session.connection().describe(query, std::chrono::seconds(10)));
        EXPECT_EQ(static_cast<int>(description.params.size()), query.param_count) << query.name;
        Contract found;
        for (const auto oid : description.params) {
            found.params += (found.params.empty() ? "" : ", ") + type_name(session, oid);
        }
        for (const auto& column : description.columns) {
            found.columns += (found.columns.empty() ? "" : ", ") + column.name + " " +
                             type_name(session, column.type);
        }
        return found;
    }

    TestDatabase database_;
};

TEST_F(QueryContract, ServerAndCodeAgreeAboutEveryQuery) {
    auto declared = contracts();
    declared.merge(migration_contracts());
    declared.merge(tenant_contracts());
    declared.merge(api_contracts());
    declared.merge(schedule_contracts());
    declared.merge(document_contracts());
    declared.merge(event_contracts());
    declared.merge(message_contracts());
    declared.merge(people_contracts());
    declared.merge(sign_in_contracts());
    declared.merge(operate_contracts());
    declared.merge(number_contracts());
    declared.merge(sql_contracts());
    declared.merge(task_queue_contracts());
    declared.merge(newer_contracts());
    declared.merge(more_contracts());
    // The benchmark's own queries only need to be valid.
    std::ifstream tables(PAWL_SOURCE_DIR "/src/bench/sql/tables.sql");
    database_.session().script(std::string(std::istreambuf_iterator<char>(tables), {}));
    std::set<std::string, std::less<>> seen;
    for (const pg::Query* query : store::queries::all) {
        const std::string name(query->name);
        const auto found = described(*query);
        if (name.starts_with("bench_")) continue;
        seen.insert(name);
        const auto contract = declared.find(name);
        if (contract == declared.end()) {
            ADD_FAILURE() << name << " is not declared: params {" << found.params << "}, columns {"
                          << found.columns << "}";
            continue;
        }
        EXPECT_EQ(contract->second.params, found.params) << name;
        EXPECT_EQ(contract->second.columns, found.columns) << name;
    }
    for (const auto& [name, contract] : declared) {
        EXPECT_TRUE(seen.contains(name)) << name << " is declared and does not exist";
    }
}

TEST_F(QueryContract, TypeNumbersWeSendAreThoseOfTheServer) {
    const std::map<pg::Type, std::string> types{
        {pg::Type::boolean, "boolean"},
        {pg::Type::int8, "bigint"},
        {pg::Type::int2, "smallint"},
        {pg::Type::int4, "integer"},
        {pg::Type::text, "text"},
        {pg::Type::tid, "tid"},
        {pg::Type::timestamptz, "timestamp with time zone"},
        {pg::Type::interval, "interval"},
        {pg::Type::uuid, "uuid"},
        {pg::Type::jsonb, "jsonb"},
    };
    for (const auto& [type, expected] : types) {
        EXPECT_EQ(type_name(database_.session(), static_cast<std::uint32_t>(type)), expected);
    }
}

}  // namespace
}  // namespace pawl::test
