#include "model/definition_diff.hpp"

#include "base/json.hpp"

#include <boost/json/array.hpp>
#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <unordered_map>

namespace pawl {

namespace {

json::array take_list(json::object& definition, std::string_view key) {
    json::array list;
    if (const auto found = definition.find(key); found != definition.end()) {
        list = std::move(found->value().as_array());
        definition.erase(found);
    }
    return list;
}

using ById = std::map<std::string, json::object>;

ById by_id(const json::array& nodes) {
    ById map;
    for (const json::value& node : nodes) {
        map.emplace(std::string(node.at("id").as_string()), node.as_object());
    }
    return map;
}

// The ids of nodes that the other side has too, in order.
json::array common_order(const json::array& nodes, const ById& other) {
    json::array ids;
    for (const json::value& node : nodes) {
        const auto& id = node.at("id").as_string();
        if (other.contains(std::string(id))) ids.push_back(json::value(id));
    }
    return ids;
}

void compare_nodes(const json::array& before, const json::array& after, DefinitionDiff& diff) {
    const ById old_nodes = by_id(before);
    const ById new_nodes = by_id(after);
    for (const json::value& node : before) {
        const std::string id(node.at("id").as_string());
        const auto found = new_nodes.find(id);
        if (found == new_nodes.end()) {
            diff.nodes_removed.push_back(node.as_object());
            continue;
        }
        NodeChange change{id, json_changes(node, found->second)};
        if (!change.fields.empty()) diff.nodes_changed.push_back(std::move(change));
    }
    for (const json::value& node : after) {
        const std::string id(node.at("id").as_string());
        if (!old_nodes.contains(id)) diff.nodes_added.push_back(node.as_object());
    }
    // The order says where a run starts and what step_N_result means.
    json::array old_order = common_order(before, new_nodes);
    json::array new_order = common_order(after, old_nodes);
    if (old_order == new_order) return;
    diff.settings.push_back({"order of nodes", std::move(old_order), std::move(new_order)});
}

using Counts = std::unordered_map<json::value, std::size_t>;

// Takes one edge out of those that are counted; false: there is none.
bool take_one(Counts& counts, const json::value& edge) {
    const auto found = counts.find(edge);
    if (found == counts.end() || found->second == 0) return false;
    --found->second;
    return true;
}

void compare_edges(const json::array& before, const json::array& after, DefinitionDiff& diff) {
    Counts left;  // of each
    for (const json::value& edge : after) ++left[edge];
    Counts in_both;
    for (const json::value& edge : before) {
        if (take_one(left, edge)) {
            ++in_both[edge];
        } else {
            diff.edges_removed.push_back(edge.as_object());
        }
    }
    for (const json::value& edge : after) {
        if (!take_one(in_both, edge)) diff.edges_added.push_back(edge.as_object());
    }
}

json::array to_json(const std::vector<FieldChange>& changes) {
    json::array list;
    for (const FieldChange& change : changes) {
        json::object item{{"path", change.path}};
        if (change.before) item["before"] = *change.before;
        if (change.after) item["after"] = *change.after;
        list.push_back(std::move(item));
    }
    return list;
}

json::array to_json(const std::vector<json::object>& objects) {
    json::array list;
    for (const json::object& object : objects) list.push_back(object);
    return list;
}

}  // namespace

bool DefinitionDiff::empty() const {
    return settings.empty() && nodes_added.empty() && nodes_removed.empty() &&
           nodes_changed.empty() && edges_added.empty() && edges_removed.empty();
}

DefinitionDiff diff(const Definition& before, const Definition& after) {
    DefinitionDiff found;
    json::object left = to_json(before);
    json::object right = to_json(after);
    const json::array old_nodes = take_list(left, "nodes");
    const json::array new_nodes = take_list(right, "nodes");
    const json::array old_edges = take_list(left, "edges");
    json::array new_edges = take_list(right, "edges");
    found.settings = json_changes(left, right);
    compare_nodes(old_nodes, new_nodes, found);
    compare_edges(old_edges, std::move(new_edges), found);
    return found;
}

json::object to_json(const DefinitionDiff& diff) {
    json::array changed;
    for (const NodeChange& node : diff.nodes_changed) {
        changed.push_back(json::object{{"id", node.id}, {"fields", to_json(node.fields)}});
    }
    return {
        {"settings", to_json(diff.settings)},
        {"nodes",
         {{"added", to_json(diff.nodes_added)},
          {"removed", to_json(diff.nodes_removed)},
          {"changed", std::move(changed)}}},
        {"edges",
         {{"added", to_json(diff.edges_added)}, {"removed", to_json(diff.edges_removed)}}}};
}

}  // namespace pawl
