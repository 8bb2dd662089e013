#pragma once

#include "store/query_contracts.hpp"

namespace pawl::test {

// What operators see and steer.
inline std::map<std::string, Contract, std::less<>> operate_contracts() {
    const std::string document = "jsonb_build_object jsonb";
    return {
        {"report_worker",
         {"uuid, boolean, integer, integer[], text[], text[], bigint[], bigint[], text[]",
          "draining boolean, to_jsonb jsonb, to_jsonb jsonb"}},
        {"list_worker_rows", {"", document}},
        {"drain_worker", {"uuid, boolean", "id uuid"}},
        {"list_circuits", {"integer, text", document}},
        {"close_circuit", {"integer, text", "worker uuid"}},
        {"list_queue_rows", {"smallint", "queue jsonb"}},
        {"has_queue", {"text", "has_queue boolean"}},
        {"peek_queue", {"text, bigint, integer", "message jsonb"}},
        {"purge_queue", {"text", "purge_queue bigint"}},
        {"show_person_source", {"integer", document}},
        {"purge_audit", {"interval, integer", ""}},
        {"list_sessions", {"bigint, integer", document}},
        {"end_one_session", {"bigint, integer, bigint", "hash bytea"}},
        {"find_delivery", {"integer, smallint, integer, uuid, integer", document}},
    };
}

}  // namespace pawl::test
