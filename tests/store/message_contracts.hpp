#pragma once

#include "store/query_contracts.hpp"

namespace pawl::test {

inline const std::string message_columns =
    "id uuid, run_id uuid, workflow text, version integer, node text, person text, channel text, "
    "connector text, account text, template text, template_version integer, variant text, "
    "category text, address text, external_id text, state text, reason text, error text, "
    "created_at timestamp with time zone, sent_at timestamp with time zone, "
    "delivered_at timestamp with time zone, opened_at timestamp with time zone, "
    "machine_opened_at timestamp with time zone, clicked_at timestamp with time zone, "
    "bounced_at timestamp with time zone, complained_at timestamp with time zone, "
    "failed_at timestamp with time zone, unsubscribed_at timestamp with time zone, "
    "replied_at timestamp with time zone, test boolean";
inline const std::string account_columns =
    "connector text, account text, channels jsonb, settings jsonb, hook_token text, key_id text";
inline const std::string written_columns =
    "created_at timestamp with time zone, updated_at timestamp with time zone";

// Connectors, their accounts, templates.
inline std::map<std::string, Contract, std::less<>> connector_contracts() {
    return {
        {"put_account",
         {"integer, text, text, text[], text, bytea, bytea, jsonb, text",
          account_columns + ", " + written_columns}},
        {"list_accounts", {"integer, text", account_columns + ", " + written_columns}},
        {"find_account", {"integer, text, text", account_columns + ", nonce bytea, box bytea"}},
        {"find_account_by_hook_token",
         {"text",
          "tenant integer, bucket smallint, connector text, account text, channels jsonb, "
          "settings jsonb, key_id text, nonce bytea, box bytea"}},
        {"newest_wrap_key", {"", "id uuid, key_id text, nonce bytea, box bytea"}},
        {"find_wrap_key", {"uuid", "key_id text, nonce bytea, box bytea"}},
        {"add_wrap_key", {"uuid, text, text, bytea, bytea", ""}},
        {"left_credentials",
         {"integer",
          "tenant integer, connector text, account text, settings jsonb, wrap_key uuid, "
          "wrapped bytea, data bytea, mac bytea, writing uuid"}},
        {"finish_credentials", {"integer, text, text, uuid, text", ""}},
        {"hook_tokens", {"text, text, text, integer", "hook_token text"}},
        {"delete_account", {"integer, text, text", "account text"}},
        {"other_accounts",
         {"text",
          "tenant integer, connector text, account text, key_id text, nonce bytea, box bytea"}},
        {"replace_account_box", {"integer, text, text, text, bytea, bytea, bytea", "account text"}},
        {"put_connector", {"integer, text, jsonb", "name text, " + written_columns}},
        {"list_connectors", {"integer", "name text, definition jsonb, " + written_columns}},
        {"find_connector", {"integer, text", "definition jsonb"}},
        {"delete_connector", {"integer, text", "name text"}},
        {"put_template", {"integer, text, text, jsonb", "version integer, changed boolean"}},
        {"find_template",
         {"integer, text, integer",
          "version integer, language text, content jsonb, category text, "
          "created_at timestamp with time zone"}},
        {"templates_with_partials", {"integer", "name text"}},
        {"list_templates",
         {"integer, text, integer",
          "name text, version integer, category text, languages jsonb, "
          "created_at timestamp with time zone"}},
        {"delete_template", {"integer, text", "version integer"}},
    };
}

// Messages to people, what keeps them back, and what providers say about them.
inline std::map<std::string, Contract, std::less<>> message_contracts() {
    auto all = connector_contracts();
    all.merge(std::map<std::string, Contract, std::less<>>{
        {"prepare_messages",
         {"smallint, integer[], text[], text[], text[], text[], text[], text[], text[], uuid[], "
          "timestamp with time zone",
          "place integer, person jsonb, address text, template jsonb, template_version integer, "
          "language text, category text, connector text, account text, verdict text, "
          "wait_until timestamp with time zone, problem text, hidden text"}},
        {"project_messages",
         {"smallint, uuid[], integer[], uuid[], integer[], integer[], text[], text[], jsonb[]",
          "project_messages void"}},
        {"begin_messages",
         {"smallint, uuid[], integer[], uuid[], integer[], integer[], text[], text[], jsonb[]",
          "place integer, outcome text, external_id text"}},
        {"release_messages", {"smallint, uuid[]", "release_messages void"}},
        {"take_inquiries",
         {"smallint, integer, bigint",
          "id uuid, tenant integer, run_id uuid, node text, connector text, account text, "
          "address text, text_hash bigint, begun_at timestamp with time zone, tries integer, "
          "asked_since timestamp with time zone"}},
        {"put_off_inquiry", {"smallint, uuid, integer, bigint", "id uuid"}},
        {"drop_inquiry", {"smallint, uuid, integer", "id uuid"}},
        {"other_messages", {"integer, uuid, text[]", "external_id text"}},
        {"pace_messages",
         {"smallint, text[], bigint[]", "place integer, wait bigint, later boolean"}},
        {"take_facts",
         {"smallint, integer[], text[], text[], text[], text[], text[], uuid[], text[], text[], "
          "text[], timestamp with time zone[], boolean[], jsonb[]",
          "fresh integer, matched integer, waiting integer, told boolean"}},
        {"list_messages",
         {"smallint, integer, text, text, text, uuid, text, timestamp with time zone, uuid, "
          "integer, integer",
          message_columns}},
        {"find_message", {"smallint, integer, uuid", message_columns}},
        {"message_facts",
         {"smallint, integer, uuid",
          "kind text, at timestamp with time zone, received_at timestamp with time zone, "
          "machine boolean, connector text, account text, provider_event_id text, detail jsonb"}},
        {"set_subscription",
         {"integer, text, text, text, boolean, timestamp with time zone", "set_subscription void"}},
        {"unsubscribe_person", {"smallint, integer, text, text, text", "unsubscribe_person void"}},
        {"list_unsubscribes",
         {"integer, text", "channel text, category text, at timestamp with time zone"}},
        {"preferences", {"integer, text", "preferences jsonb"}},
        {"set_preferences",
         {"smallint, integer, text, text[], text[], boolean[]", "set_preferences void"}},
        {"suppress_address", {"integer, text, text, text", "suppress_address void"}},
        {"suppress_refused", {"integer, text, text, text", "suppress_refused void"}},
        {"lift_suppression", {"integer, text, text, text[]", "lift_suppression boolean"}},
        {"put_message_policy", {"integer, text, jsonb", ""}},
        {"list_message_policies",
         {"integer", "channel text, policy jsonb, updated_at timestamp with time zone"}},
        {"delete_message_policy", {"integer, text", "channel text"}},
    });
    return all;
}

}  // namespace pawl::test
