#pragma once

#include "model/definition.hpp"
#include "model/fields.hpp"

#include <optional>

namespace pawl {

// What a workflow sets for all of its steps.
struct NodeDefaults {
    RetryPolicy retry;
    bool retry_given = false;            // the workflow states a policy of its own
    std::optional<Ambiguous> ambiguous;  // where it was stated
    int max_retries = 3;                 // for on_failure: retry
    std::optional<Duration> timeout;
    bool planned = false;  // the plan of a code workflow gives the config
    bool stored = false;   // read back from the database: what earlier releases took is taken
};

// Lays a `retry` map over `policy`. `ambiguous` is set when the map says so.
void read_retry(Fields retry, RetryPolicy& policy, std::optional<Ambiguous>& ambiguous);

// Reads one step or node, in any of its accepted shapes.
Node read_node(
    const Document& document, std::string path, const NodeDefaults& defaults, Problems& problems
);

// The type-specific part, from wherever it was written. `payload_template` becomes `payload`.
boost::json::object read_config(NodeType type, Fields& fields);

}  // namespace pawl
