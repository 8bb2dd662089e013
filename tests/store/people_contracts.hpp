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
        {"find_action",
         {"integer, text", "statement text, params jsonb, tenant text, organization text"}},
        {"put_people", {"integer, text[], jsonb[], jsonb[], text[], text[]", person}},
        {"find_person", {"integer, text", person}},
        {"list_people", {"integer, text, integer", person}},
        {"erase_person", {"integer, text, boolean", "known boolean, runs integer"}},
        {"link_address", {"integer, text, text, text", "link_address void"}},
        {"person_source_of", {"integer", "source text"}},
        {"person_items",
         {"smallint, integer, text, timestamp with time zone, text, text, integer",
          "kind text, at timestamp with time zone, id text, entry jsonb"}},
        {"list_suppressions",
         {"integer, text, text, text, text, text, integer",
          "channel text, address text, reason text, at timestamp with time zone"}},
        {"settled_messages",
         {"smallint, integer",
          "id uuid, run_id uuid, tenant integer, node text, state text, channel text, "
          "connector text, account text, category text, template text, template_version integer, "
          "external_id text"}},
        {"drop_settled", {"smallint, uuid[]", "id uuid"}},
    };
}

}  // namespace pawl::test
