#include "app/numbers/funnel.hpp"
#include "model/definition.hpp"

#include <algorithm>
#include <charconv>

namespace pawl::app {

void Tally::add(const std::string& what, const std::string& detail, std::int64_t count) {
    sums[what] += count;
    if (!detail.empty()) details[what][detail] += count;
}

std::int64_t Tally::sum(const std::string& what) const {
    const auto found = sums.find(what);
    return found == sums.end() ? 0 : found->second;
}

namespace {

std::int64_t detail_of(const Tally& tally, const std::string& what, const std::string& detail) {
    const auto found = tally.details.find(what);
    if (found == tally.details.end()) return 0;
    const auto one = found->second.find(detail);
    return one == found->second.end() ? 0 : one->second;
}

// How often an edge was taken. Where one of the edges of a handle has a condition, the log says
// which were; otherwise all of them were. What a message or an agent leaves by goes on by default
// when no edge is for it.
std::int64_t taken(
    const Definition& definition, std::size_t index, const std::vector<NodeNumbers>& nodes
) {
    const Edge& edge = definition.edges[index];
    const Tally& tally = nodes[edge.from].tally;
    const bool conditional =
        std::any_of(definition.edges.begin(), definition.edges.end(), [&](const Edge& other) {
            return other.from == edge.from && other.handle == edge.handle && !other.when.is_null();
        });
    if (conditional) return detail_of(tally, "routed", std::to_string(index));
    std::int64_t count = detail_of(tally, "passed", edge.handle);
    const NodeType type = definition.nodes[edge.from].type;
    const auto passed = tally.details.find("passed");
    if (edge.handle != "default" || passed == tally.details.end()) return count;
    if (type != NodeType::message && type != NodeType::agent) return count;
    for (const auto& [handle, many] : passed->second) {
        const bool caught = handle == "failed" || handle == "error" || handle == "default";
        if (!caught && !definition.next(edge.from, handle)) count += many;
    }
    return count;
}

// How often a node was come to: by its edges, and the first one also by runs that begin.
void note_entered(const Definition& definition, GroupNumbers& group) {
    group.nodes[0].entered = group.runs.sum("entered");
    for (std::size_t i = 0; i < definition.edges.size(); ++i) {
        group.nodes[definition.edges[i].to].entered += group.edges[i].count;
    }
}

}  // namespace

GroupNumbers group_numbers(
    const Definition& definition, std::string key, const std::vector<store::FunnelCount>& rows
) {
    GroupNumbers group;
    group.key = std::move(key);
    std::map<std::string, std::size_t> places;
    for (const Node& node : definition.nodes) {
        places.emplace(node.id, group.nodes.size());
        group.nodes.push_back({node.id, std::string(name(node.type)), 0, {}});
    }
    for (const store::FunnelCount& row : rows) {
        if (row.node.empty()) {
            group.runs.add(row.what, row.detail, row.count);
            continue;
        }
        const auto [place, fresh] = places.try_emplace(row.node, group.nodes.size());
        if (fresh) group.nodes.push_back({row.node, "", 0, {}});
        group.nodes[place->second].tally.add(row.what, row.detail, row.count);
        group.steps.add(row.what, row.detail, row.count);
    }
    for (std::size_t i = 0; i < definition.edges.size(); ++i) {
        const Edge& edge = definition.edges[i];
        group.edges.push_back(
            {definition.nodes[edge.from].id,
             edge.handle,
             definition.nodes[edge.to].id,
             taken(definition, i, group.nodes)}
        );
    }
    note_entered(definition, group);
    return group;
}

std::vector<Comparison> compare_variants(
    const Definition& definition, const std::vector<GroupNumbers>& groups, const std::string& metric
) {
    std::vector<Comparison> all;
    for (const Node& node : definition.nodes) {
        if (node.type != NodeType::split) continue;
        Comparison one{node.id, metric, {}, {}};
        for (const GroupNumbers& group : groups) {
            if (!group.key.starts_with(node.id + ":")) continue;
            const bool of_runs = metric == "converted" || metric == "completed";
            const auto split =
                std::find_if(group.nodes.begin(), group.nodes.end(), [&](const auto& at) {
                    return at.node == node.id;
                });
            // All that came by; or, for what becomes of messages, what was sent to them.
            const std::int64_t trials = of_runs && split != group.nodes.end()
                                            ? split->tally.sum("passed")
                                            : group.steps.sum("sent");
            const std::int64_t hits = of_runs ? group.runs.sum(metric) : group.steps.sum(metric);
            one.arms.push_back({group.key.substr(node.id.size() + 1), trials, hits});
        }
        if (one.arms.empty()) continue;
        one.verdict = judge_arms(one.arms);
        all.push_back(std::move(one));
    }
    return all;
}

}  // namespace pawl::app
