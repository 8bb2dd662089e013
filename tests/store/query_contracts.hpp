#pragma once

#include <map>
#include <string>

namespace pawl::test {

// What the C++ side sends and reads. A query whose SQL changes without this table, or the other way
// round, fails in query_contract_test.cpp and not in production. Types as format_type() names them.
struct Contract {
    std::string params;
    std::string columns;
};

// Of the workers' connectors, the doctor, programs that embed Pawl, the outbox, versions.
inline std::map<std::string, Contract, std::less<>> newer_contracts() {
    return {
        {"signal_was_sent", {"integer, text", "exists boolean"}},
        {"send_signal_once",
         {"smallint, integer, text, uuid, text, jsonb", "before boolean, reached boolean"}},
        {"put_off_unclaimable", {"smallint, uuid, integer", "run_id uuid, reason text"}},
        {"mend_runs", {"smallint, uuid[]", "mend_runs uuid"}},
        {"answer_callback",
         {"smallint, uuid, bytea, bytea, timestamp with time zone, jsonb", "answer_callback text"}},
        {"purge_callbacks", {"bigint", ""}},
        {"crm_ticket", {"integer, text", "?column? jsonb"}},
        {"crm_contact", {"integer, text", "?column? jsonb"}},
        {"crm_set_ticket_status", {"integer, text, text", ""}},
        {"crm_record", {"integer, text, text, text, text, jsonb, text", ""}},
        {"knowledge_search", {"integer, text, integer, text", "jsonb_build_object jsonb"}},
        {"calendar_slots", {"integer, integer, integer", "s timestamp with time zone"}},
        {"calendar_book",
         {"integer, text, text, text, text, timestamp with time zone, integer",
          "book_meeting timestamp with time zone"}},
        {"doctor_snapshots",
         {"interval", "case text, detail text, case text, code text, values jsonb"}},
        {"doctor_partitions", {"", "case text, coalesce text, case text, code text, values jsonb"}},
        {"doctor_stuck_runs",
         {"smallint, interval",
          "?column? text, format text, ?column? text, code text, values jsonb"}},
        {"doctor_dead_workers",
         {"smallint, interval", "?column? text, format text, case text, code text, values jsonb"}},
        {"owner_changed", {"", "exists boolean"}},
        {"doctor_roles",
         {"", "?column? text, ?column? text, format text, code text, values jsonb"}},
        {"doctor_lag",
         {"smallint, interval",
          "?column? text, format text, ?column? text, code text, values jsonb"}},
        {"doctor_webhooks",
         {"smallint, interval", "?column? text, detail text, next text, code text, values jsonb"}},
        {"doctor_connections", {"", "case text, format text, case text, code text, values jsonb"}},
        {"doctor_settings", {"", "verdict text, detail text, next text, code text, values jsonb"}},
        {"doctor_server",
         {"", "?column? text, ?column? text, ?column? text, code text, values jsonb"}},
        {"doctor_closed_runs",
         {"smallint", "case text, case text, case text, code text, values jsonb"}},
        {"mend_all_runs", {"smallint", "mend_runs uuid"}},
        {"list_watches",
         {"integer",
          "source text, event text, operations jsonb, tenant_column text, subject_column text, "
          "workflows jsonb, problem text"}},
        {"doctor_watches", {"", "?column? text, detail text, next text, code text, values jsonb"}},
        {"doctor_flow",
         {"smallint", "?column? text, format text, ?column? text, code text, values jsonb"}},
        {"doctor_seat", {"", "pg_backend_pid integer"}},
        {"embed_start", {"text, jsonb, text, text, integer", "start uuid"}},
        {"embed_signal", {"uuid, text, jsonb", "signal boolean"}},
        {"embed_cancel", {"uuid, text", "cancel boolean"}},
        {"embed_emit", {"text, text, jsonb, text", "emit text"}},
        {"embed_queue_create", {"text", "create void"}},
        {"embed_queue_send", {"text, jsonb", "msg_id bigint"}},
        {"embed_queue_read", {"text, integer", "msg_id bigint, read_ct integer, message jsonb"}},
        {"embed_queue_delete", {"text, bigint", "delete boolean"}},
        {"put_off_runs", {"smallint, uuid[], timestamp with time zone[]", "put_off_runs void"}},
        {"repin_runs", {"smallint, uuid[], integer[]", "repin_runs void"}},
    };
}

inline std::map<std::string, Contract, std::less<>> more_contracts() {
    return {
        {"find_heads",
         {"integer, text[]",
          "name text, workflow integer, version integer, active boolean, canary jsonb, "
          "off_reason text, stamp bigint"}},
        {"assert_heads", {"integer[], bigint[]", "assert_heads void"}},
        {"take_figures", {"smallint, interval", "take_figures jsonb"}},
        {"overview", {"smallint, integer", "overview jsonb"}},
        {"overview_of_service", {"smallint", "overview_of_service jsonb"}},
        {"gate_of_run",
         {"smallint, uuid",
          "gate text, case text, coalesce text, name text, coalesce text, "
          "coalesce integer, coalesce integer, count integer"}},
        {"next_outbox_target", {"", "nextval integer"}},
        {"create_outbox_target",
         {"integer, integer, text, text, text, text[], text[], integer, integer[], "
          "text, bytea, bytea",
          "target integer"}},
        {"list_outbox_targets",
         {"integer, smallint, integer", "id integer, jsonb_build_object jsonb"}},
        {"delete_outbox_target", {"integer, integer", "id integer"}},
        {"rotate_outbox_secret", {"integer, integer, text, bytea, bytea, interval", "id integer"}},
        {"enable_outbox_target", {"integer, integer", "target integer"}},
        {"test_outbox_target", {"integer, integer, smallint", "run_id uuid, seq integer"}},
        {"list_deliveries",
         {"integer, smallint, integer, timestamp with time zone, uuid, integer, "
          "smallint, integer",
          "created_at timestamp with time zone, run_id uuid, seq integer, "
          "jsonb_build_object jsonb"}},
        {"redeliver", {"integer, smallint, integer, uuid, integer", "seq integer"}},
        {"take_outbox",
         {"smallint, uuid, integer, interval",
          "run_id uuid, seq integer, type text, attempts smallint, message text, "
          "target integer, tenant integer, address text, batch_max integer, "
          "to_jsonb jsonb, failures integer, key_id text, nonce bytea, box bytea, "
          "case text, old_nonce bytea, old_box bytea, shard smallint"}},
        {"settle_outbox",
         {"smallint, integer, smallint, uuid, uuid[], integer[], smallint[], "
          "boolean[], smallint[], text[], text[], bigint[], bigint, text",
          "settle_outbox void"}},
        {"hold_triggers", {"smallint, bigint[], text[]", "hold_triggers void"}},
        {"release_triggers", {"smallint, integer[]", "tenant integer, first bigint"}},
        {"own_queue", {"integer, text", "own_queue void"}},
        {"publish_inside", {"smallint, integer", "kind text, sent integer, failed integer"}},
        {"purge_outbox", {"smallint, interval, integer", "purge_outbox integer"}},
        {"has_outbox_targets", {"", "exists boolean"}},
        {"other_outbox_secrets",
         {"text", "tenant integer, id integer, key_id text, nonce bytea, box bytea"}},
        {"replace_outbox_secret", {"integer, text, bytea, bytea, bytea", "id integer"}},
        {"load_logs",
         {"smallint, uuid[]",
          "run_id uuid, seq integer, type smallint, attempt smallint, node text, "
          "data jsonb, error jsonb, at timestamp with time zone, token integer"}},
        {"save_draft", {"integer, text, jsonb", "id integer, version integer, changed boolean"}},
        {"missing_parts", {"integer, jsonb", "node text, key text, problem text, remedy text"}},
        {"version_number", {"integer, text, text", "version_number integer"}},
        {"version_before", {"integer, text", "version_before integer"}},
        {"set_canary", {"integer, text, jsonb", "set_canary text"}},
        {"delete_workflow", {"integer, text", "version integer, schedules bigint, events bigint"}},
        {"switch_workflow", {"integer, text, text", "switch_workflow boolean"}},
        {"set_workflow_owner", {"integer, text, text", "id integer"}},
        {"retire_version", {"integer, text, integer, boolean, boolean", "retire_version text"}},
        {"count_open_versions", {"integer, text", "version integer, open_runs bigint"}},
        {"list_version_changes",
         {"integer, text, bigint",
          "at timestamp with time zone, action text, version integer, by text, detail jsonb"}},
    };
}

// Of the interfaces that documents describe.
inline std::map<std::string, Contract, std::less<>> document_contracts() {
    return {
        {"find_document_runs", {"uuid[]", "to_jsonb jsonb"}},
        {"find_document_steps", {"uuid", "to_jsonb jsonb"}},
        {"find_document_logs", {"uuid", "?column? jsonb"}},
        {"reserve_document_key", {"integer, text, text", "run uuid, mine boolean"}},
        {"release_document_key", {"integer, text, text", "release_document_key void"}},
        {"has_workers", {"", "exists boolean"}},
        {"organization_messages",
         {"integer, interval", "state text, execution_id text, problem text"}},
        {"publish_sample",
         {"integer, text, jsonb", "id integer, version integer, changed boolean"}},
    };
}

}  // namespace pawl::test
