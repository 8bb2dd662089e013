#pragma once

#include "store/query_contracts.hpp"

namespace pawl::test {

// People that journeys are about, and what is shown of messages to them.
inline std::map<std::string, Contract, std::less<>> people_contracts() {
    const std::string person =
        "key text, attributes jsonb, addresses jsonb, locale text, timezone text, "
        "created_at timestamp with time zone, updated_at timestamp with time zone";
    return {
        {"read_persons", {"integer[], text[]", "place integer, person jsonb"}},
        {"read_shown_persons", {"integer[], text[]", "place integer, person jsonb"}},
        {"find_action",
         {"integer, text",
          "statement text, params jsonb, tenant text, organization text, schema jsonb"}},
        {"list_actions", {"integer", "name text, params jsonb, schema jsonb, own boolean"}},
        {"put_people", {"integer, text[], jsonb[], jsonb[], text[], text[]", person}},
        {"find_person", {"integer, text", person}},
        {"list_people", {"integer, text, integer", person}},
        {"search_people",
         {"integer, text, integer, text, integer", person + ", looked integer, last text"}},
        {"search_source",
         {"integer, text, integer, text, integer",
          "key text, person jsonb, looked integer, last text"}},
        {"erase_person", {"integer, text, boolean", "known boolean, runs integer"}},
        {"link_address", {"integer, text, text, text", "link_address void"}},
        {"person_source_of", {"integer", "source text"}},
        {"person_items",
         {"smallint, integer, text, timestamp with time zone, text, text, integer",
          "kind text, at timestamp with time zone, id text, entry jsonb"}},
        {"list_suppressions",
         {"integer, text, text, text, text, text, integer, text[]",
          "channel text, address text, reason text, at timestamp with time zone"}},
        {"mark_keys", {"", "id uuid, key_id text, nonce bytea, box bytea"}},
        {"add_mark_key", {"uuid, text, bytea, bytea", ""}},
        {"other_mark_keys",
         {"text", "tenant integer, name text, key_id text, nonce bytea, box bytea"}},
        {"replace_mark_key_box", {"integer, text, text, bytea, bytea, bytea", "id uuid"}},
        {"plain_hashes", {"integer", "tenant integer, channel text, address text, reason text"}},
        {"seal_hashes", {"integer[], text[], text[], text[]", ""}},
        {"held_back",
         {"integer[], integer[], text[], text[]",
          "place integer, refused boolean, unwanted boolean"}},
        {"hidden_forms", {"integer, text, text", "address text"}},
        {"settled_messages",
         {"smallint, integer",
          "id uuid, run_id uuid, tenant integer, node text, state text, channel text, "
          "connector text, account text, category text, template text, template_version integer, "
          "external_id text"}},
        {"settle_message", {"smallint, integer, uuid, boolean, text", "known boolean"}},
        {"drop_settled", {"smallint, uuid[]", "id uuid"}},
    };
}

// Counts of journeys, and where people are in them.
inline std::map<std::string, Contract, std::less<>> number_contracts() {
    const std::string time = "timestamp with time zone";
    return {
        {"project_funnels", {"smallint, integer, integer", "counted bigint, more boolean"}},
        {"goal_doubts",
         {"smallint, integer", "run_id uuid, goal text, id bigint, filter jsonb, event jsonb"}},
        {"settle_doubts",
         {"smallint, uuid[], text[], bigint[], boolean[]", "settle_doubts bigint"}},
        {"rebuild_funnels", {"", "rebuild_funnels void"}},
        {"projections",
         {"",
          "name text, bucket smallint, walk boolean, counted bigint, started_at " + time +
              ", looked_at " + time + ", complete_since " + time +
              ", pending bigint, behind bigint"}},
        {"funnel_rows",
         {"integer, integer, " + time + ", " + time + ", integer, text",
          "key text, node text, what text, detail text, count bigint"}},
        {"funnel_people_of",
         {"integer, integer, " + time + ", " + time + ", text", "key text, count bigint"}},
        {"funnel_now",
         {"integer, integer, integer", "node text, what text, detail text, count bigint"}},
        {"funnels_as_of", {"smallint", "looked_at " + time + ", walk boolean"}},
        {"workflow_counted", {"integer, integer", "counted boolean, since " + time}},
        {"count_workflow", {"text", "workflow integer"}},
        {"people_at",
         {"integer, integer, text, text, integer, text, uuid, integer, integer",
          "run_id uuid, token integer, version integer, node text, state text, since " + time +
              ", subject text"}},
        {"people_out",
         {"integer, integer, smallint, integer, uuid, smallint, integer",
          "run_id uuid, version integer, closed_at " + time + ", subject text"}},
        {"people_ended",
         {"smallint, integer, text, text, integer, " + time + ", " + time + ", uuid, integer",
          "run_id uuid, version integer, state text, closed_at " + time + ", subject text"}},
        {"people_of_runs",
         {"smallint, integer, integer, uuid[], text",
          "run_id uuid, token integer, version integer, node text, state text, since " + time +
              ", subject text"}},
        {"runs_of_keys", {"smallint, integer, integer, text[]", "key text, run_id uuid"}},
        {"entries_of_subjects",
         {"smallint, integer, integer, text[]", "subject text, run_id uuid, at " + time}},
        {"past_events",
         {"smallint, integer, text[], interval, integer",
          "id bigint, event_id text, name text, key text, subject text, source text, time " + time +
              ", data jsonb, at " + time}},
    };
}

}  // namespace pawl::test
