#pragma once

#include "model/definition.hpp"
#include "model/json_changes.hpp"

#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include <string>
#include <vector>

namespace pawl {

struct NodeChange {
    std::string id;
    std::vector<FieldChange> fields;
};

// What lies between two definitions, over their canonical forms: whatever a definition can hold is
// compared.
struct DefinitionDiff {
    std::vector<FieldChange> settings;
    std::vector<boost::json::object> nodes_added;
    std::vector<boost::json::object> nodes_removed;
    std::vector<NodeChange> nodes_changed;
    std::vector<boost::json::object> edges_added;
    std::vector<boost::json::object> edges_removed;

    bool empty() const;
};

DefinitionDiff diff(const Definition& before, const Definition& after);

boost::json::object to_json(const DefinitionDiff& diff);

}  // namespace pawl
