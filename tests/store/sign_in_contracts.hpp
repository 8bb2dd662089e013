#pragma once

#include "store/query_contracts.hpp"

namespace pawl::test {

// Who is signed in, who may, what was done, and what is being drawn.
inline std::map<std::string, Contract, std::less<>> sign_in_contracts() {
    const std::string key_columns =
        "id integer, tenant integer, bucket smallint, name text, prefix text, scopes text, "
        "created_at timestamp with time zone, expires_at timestamp with time zone, "
        "revoked_at timestamp with time zone, last_used_at timestamp with time zone, role text";
    const std::string member =
        "subject text, role text, created_at timestamp with time zone, created_by text, "
        "created_by_name text";
    const std::string draft =
        "name text, text text, etag text, updated_at timestamp with time zone, updated_by text, "
        "updated_by_name text";
    return {
        {"create_api_key",
         {"integer, text, text, bytea, text[], timestamp with time zone, text",
          "id integer, created_at timestamp with time zone, bucket smallint"}},
        {"find_api_key", {"bytea", key_columns}},
        {"list_api_keys", {"integer", key_columns}},
        {"revoke_api_key", {"integer, text", "count bigint"}},
        {"key_names", {"integer, text[]", "key_names jsonb"}},
        {"touch_api_key", {"integer", ""}},
        {"any_api_key", {"", "exists boolean"}},
        {"create_session",
         {"bytea, integer, integer, text, jsonb, interval, interval, text, text", "id bigint"}},
        {"find_session",
         {"bytea",
          "id bigint, tenant integer, bucket smallint, tenant_name text, subject text, "
          "person boolean, role text, scopes text, expires_at timestamp with time zone, "
          "used_at timestamp with time zone"}},
        {"touch_session", {"bigint", ""}},
        {"session_tenants", {"bigint", "name text, role text"}},
        {"caller_name", {"bigint, integer", "name text"}},
        {"member_tenants", {"text, jsonb", "name text, role text"}},
        {"switch_session", {"bigint, text", "tenant integer"}},
        {"end_session", {"bigint", "hash bytea"}},
        {"end_sessions", {"bigint, integer", "hash bytea"}},
        {"create_ticket", {"bytea, bytea, interval", "expires_at timestamp with time zone"}},
        {"take_ticket", {"bytea", key_columns}},
        {"put_member", {"integer, text, text, text", member}},
        {"list_members", {"integer, text, integer", member}},
        {"delete_member", {"integer, text", "subject text"}},
        {"find_tenant_by_id",
         {"integer", "id integer, bucket smallint, now timestamp with time zone, name text"}},
        {"put_layout", {"integer, text, jsonb", "updated_at timestamp with time zone"}},
        {"find_layout", {"integer, text", "layout jsonb"}},
        {"put_workflow_draft", {"integer, text, text, text, text", draft}},
        {"find_workflow_draft", {"integer, text", draft}},
        {"list_workflow_drafts", {"integer, text, integer", draft}},
        {"delete_workflow_draft", {"integer, text, text", "name text"}},
        {"put_workflow_tests", {"integer, text, text, text, text", draft}},
        {"find_workflow_tests", {"integer, text", draft}},
        {"delete_workflow_tests", {"integer, text, text", "name text"}},
        {"workflow_rates",
         {"integer, timestamp with time zone, timestamp with time zone, integer, text, integer",
          "name text, open bigint, at timestamp with time zone, started bigint, completed bigint, "
          "failed bigint, cancelled bigint"}},
        {"run_rates",
         {"integer, timestamp with time zone, timestamp with time zone, integer, text",
          "at timestamp with time zone, started bigint, completed bigint, failed bigint, "
          "cancelled bigint"}},
        {"note_audit", {"integer, text, boolean, text, text, integer, text, text, text", ""}},
        {"list_audit",
         {"integer, bigint, text, text, integer",
          "id bigint, at timestamp with time zone, by text, person boolean, action text, "
          "target text, status integer, door text, peer text, request_id text, "
          "by_name text"}},
    };
}

}  // namespace pawl::test
