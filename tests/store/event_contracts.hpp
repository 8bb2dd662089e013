#pragma once

#include "store/query_contracts.hpp"

namespace pawl::test {

inline const std::string task_columns =
    "id uuid, run_id uuid, token integer, workflow text, node text, subject text, title text, "
    "description text, data jsonb, form jsonb, assignee text, grp text, approvers jsonb, "
    "approvals_needed smallint, approved_by jsonb, due_at timestamp with time zone, state text, "
    "claimed_by text, opened_at timestamp with time zone, decided_at timestamp with time zone, "
    "decided_by text, reason text, rejections_needed smallint, rejected_by jsonb, excluded jsonb, "
    "escalated_to text, key_names jsonb";

// Events from outside, messages, people.
inline std::map<std::string, Contract, std::less<>> event_contracts() {
    return {
        {"send_signals", {"smallint, uuid[], text[], jsonb[]", "send_signals uuid"}},
        {"dispatch_change",
         {"smallint, integer, text, text, text, text, text, jsonb, jsonb", "dispatched jsonb"}},
        {"is_merchant", {"integer, text", "yes boolean"}},
        {"publish_events",
         {"smallint, integer[], text[], text[], text[], text[], text[], "
          "timestamp with time zone[], jsonb[]",
          "tenant integer, event_id text"}},
        {"match_inbox", {"smallint, integer", "delivered integer, more boolean"}},
        {"list_inbox",
         {"smallint, integer, text, text, bigint, integer, integer",
          "id bigint, event_id text, name text, key text, subject text, source text, "
          "time timestamp with time zone, data jsonb, at timestamp with time zone, "
          "pending boolean, problem text"}},
        {"purge_inbox", {"smallint, interval, integer", "purge_inbox bigint"}},
        {"claim_triggers",
         {"smallint, integer, interval",
          "id bigint, tenant integer, event_id text, name text, key text, subject text, "
          "source text, time timestamp with time zone, data jsonb, at timestamp with time zone, "
          "workflow integer, version integer, canary jsonb, told jsonb"}},
        {"finish_triggers", {"smallint, bigint[], text[]", "finish_triggers void"}},
        {"start_guarded_runs",
         {"smallint, uuid, boolean, uuid[], integer[], integer[], integer[], text[], smallint[], "
          "timestamp with time zone[], jsonb[], text[], boolean[], bigint[], jsonb[]",
          "requested uuid, existing uuid"}},
        {"project_runs",
         {"smallint, uuid[], integer[], uuid[], integer[], integer[], text[], text[], "
          "timestamp with time zone[], uuid[], integer[], uuid[], integer[], integer[], "
          "integer[], text[], text[], jsonb[], uuid[], integer[], jsonb[], uuid[], integer[], "
          "text[], uuid[], integer[], text[], text[], text[], jsonb[], uuid[], jsonb[], uuid[]",
          "project_runs void"}},
        {"read_queues",
         {"smallint, integer, integer",
          "queue text, kind text, tenant integer, id bigint, reads integer, "
          "at timestamp with time zone, message jsonb, headers jsonb, known boolean, "
          "workflow integer, version integer, canary jsonb, case text"}},
        {"settle_queue",
         {"smallint, text, bigint[], bigint[], bigint[], integer[], text[], jsonb[], bigint[], "
          "uuid[], integer[], integer[], integer[], text[], jsonb[], text[], bigint[]",
          "started integer, dead integer"}},
        {"hand_over_dead_runs", {"smallint, integer", "hand_over_dead_runs integer"}},
        {"keep_queue_partitions", {"", "keep_queue_partitions void"}},
        {"queue_provider", {"", "provider text, usable boolean"}},
        {"list_limits",
         {"integer, text, text, integer",
          "gate text, scope text, workflow text, name text, key text, limit integer, "
          "defined integer, set integer, running integer, waiting integer"}},
        {"set_limit", {"integer, text, text, text, integer", "set_limit text"}},
        {"list_tasks",
         {"smallint, integer, text, text, text, text, uuid, uuid, integer, integer", task_columns}},
        {"find_task", {"smallint, integer, uuid", task_columns}},
        {"task_decisions",
         {"smallint, uuid, integer",
          "at timestamp with time zone, action text, by text, reason text, data jsonb, "
          "by_name text"}},
        {"act_on_task",
         {"smallint, integer, uuid, text, text, text, jsonb, text, boolean", "act_on_task text"}},
    };
}

}  // namespace pawl::test
