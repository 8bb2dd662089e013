#pragma once

#include "model/definition.hpp"
#include "model/document.hpp"
#include "model/fields.hpp"

namespace pawl {

// Where the parts of a graph were written, for messages.
struct GraphSource {
    const Document* nodes = nullptr;  // the list of steps or nodes
    std::string_view nodes_key;       // "steps" or "nodes"
    const Document* edges = nullptr;  // null for a list of steps
};

// Unique ids, no edge twice, no cycle without a step in it, everything reachable from the entry,
// templates that refer only to steps that exist and are not too many, and every node connected as
// its type wants. What is published now has to obey more rules than what was before
// (check_published).
enum class Reading { stored, published };
void check_graph(
    const Definition& definition,
    const GraphSource& source,
    DefinitionLimits limits,
    Reading reading,
    Problems& problems
);

}  // namespace pawl
