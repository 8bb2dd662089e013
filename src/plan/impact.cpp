#include "base/enum_names.hpp"
#include "base/json.hpp"
#include "model/credential_root.hpp"
#include "model/person_root.hpp"
#include "plan/crossing.hpp"
#include "plan/planner.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <unordered_map>

namespace pawl::plan {

namespace {

bool holds(const std::vector<NodeIndex>& nodes, NodeIndex node) {
    return std::find(nodes.begin(), nodes.end(), node) != nodes.end();
}

// N of step_N_result and step_N_error.
std::optional<NodeIndex> outcome_number(std::string_view root) {
    if (!root.starts_with("step_")) return std::nullopt;
    root.remove_prefix(5);
    NodeIndex number = 0;
    const auto [end, failed] = std::from_chars(root.data(), root.data() + root.size(), number);
    const std::string_view rest = root.substr(static_cast<std::size_t>(end - root.data()));
    if (failed != std::errc{} || (rest != "_result" && rest != "_error")) return std::nullopt;
    return number;
}

// The step whose outcome a placeholder stands for.
std::optional<NodeIndex> step_at(const Definition& definition, const Path& path) {
    if (path[0].key != "steps") return outcome_number(path[0].key);
    return path.size() < 2 ? std::nullopt : definition.find(path[1].key);
}

std::vector<Placeholder> placeholders_of(const Node& node) {
    if (!node.has_templates) return {};
    auto found = placeholders(node.config);
    return found ? std::move(*found) : std::vector<Placeholder>();
}

// Filled on the way, by whatever the run comes to.
bool comes_later(std::string_view root) {
    return root == "run" || root == person_root || root == "item" || root == "index" ||
           root == "error" || root == "undo" || root == credentials_root || is_message_link(root);
}

bool same_edges(const Definition& from, NodeIndex old, const Definition& to, NodeIndex node) {
    std::vector<const Edge*> before, after;
    for (const Edge& edge : from.edges) {
        if (edge.from == old) before.push_back(&edge);
    }
    for (const Edge& edge : to.edges) {
        if (edge.from == node) after.push_back(&edge);
    }
    return std::equal(
        before.begin(),
        before.end(),
        after.begin(),
        after.end(),
        [&](const Edge* a, const Edge* b) {
            return a->handle == b->handle && a->when == b->when &&
                   from.nodes[a->to].id == to.nodes[b->to].id;
        }
    );
}

}  // namespace

std::string_view name(Impact impact) {
    constexpr EnumNames<Impact, 3> impacts{{"unaffected", "moves_on", "would_break"}};
    return impacts.name(impact);
}

std::vector<NodeIndex> reachable(const Definition& definition, NodeIndex from) {
    // A graph may have many thousand edges, and this is asked for each of its nodes.
    std::vector<std::vector<NodeIndex>> next(definition.nodes.size());
    for (const Edge& edge : definition.edges) next[edge.from].push_back(edge.to);
    std::unordered_map<std::string_view, NodeIndex> ids;
    for (NodeIndex i = 0; i < definition.nodes.size(); ++i) ids.emplace(definition.nodes[i].id, i);
    std::vector<NodeIndex> found;
    std::vector<bool> seen(definition.nodes.size());
    const auto add = [&](NodeIndex node) {
        if (!seen[node]) found.push_back(node);
        seen[node] = true;
    };
    add(from);
    for (std::size_t i = 0; i < found.size(); ++i) {
        const NodeIndex node = found[i];
        for (const NodeIndex to : next[node]) add(to);
        const std::string& compensate = definition.nodes[node].compensate;
        if (compensate.empty()) continue;
        if (const auto undo = ids.find(compensate); undo != ids.end()) add(undo->second);
    }
    return found;
}

// The same in both versions, and everything that it names by its number too.
bool Crossing::same_node(NodeIndex old) const {
    const NodeIndex node = target(old);
    if (node == no_node || !(from_.nodes[old] == to_.nodes[node])) return false;
    for (const Placeholder& value : placeholders_of(to_.nodes[node])) {
        const auto number = outcome_number(value.path[0].key);
        if (!number) continue;
        const bool known = *number < from_.nodes.size() && *number < to_.nodes.size();
        if (!known || from_.nodes[*number].id != to_.nodes[*number].id) return false;
    }
    return same_edges(from_, old, to_, node);
}

Crossing::Ahead Crossing::look_ahead(NodeIndex old, const std::vector<bool>& same) const {
    Ahead ahead;
    ahead.nodes = reachable(from_, old);
    ahead.same = std::all_of(ahead.nodes.begin(), ahead.nodes.end(), [&](NodeIndex node) {
        return same[node];
    });
    return ahead;
}

void Crossing::find_needs(NodeIndex node, std::vector<Need>& needs) const {
    const auto old = from_.find(to_.nodes[node].id);
    // What was needed before is no worse now.
    if (old && from_.nodes[*old] == to_.nodes[node]) return;
    for (Placeholder& value : placeholders_of(to_.nodes[node])) {
        if (value.has_default || comes_later(value.path[0].key)) continue;
        const auto step = step_at(to_, value.path);
        needs.push_back({node, std::move(value), step});
    }
}

const Crossing::Outlook& Crossing::outlook() const {
    if (outlook_) return *outlook_;
    outlook_.emplace();
    std::vector<bool> same;
    for (NodeIndex node = 0; node < from_.nodes.size(); ++node) same.push_back(same_node(node));
    for (NodeIndex node = 0; node < from_.nodes.size(); ++node) {
        outlook_->ahead.push_back(look_ahead(node, same));
    }
    for (NodeIndex node = 0; node < to_.nodes.size(); ++node) {
        outlook_->reach.push_back(reachable(to_, node));
        find_needs(node, outlook_->needs);
    }
    return *outlook_;
}

// What a step ahead of this token would need and will not have.
std::optional<Obstacle> Crossing::missing(const RunState& state, const Token& token) const {
    const auto& reach = outlook().reach;
    const std::vector<NodeIndex>& ahead = reach[token.node];
    for (const Need& need : outlook().needs) {
        if (!holds(ahead, need.node)) continue;
        if (need.step) {
            const bool done = std::any_of(
                state.records.begin(),
                state.records.end(),
                [&](const StepRecord& record) { return record.node == *need.step; }
            );
            const bool comes =
                std::any_of(state.tokens.begin(), state.tokens.end(), [&](const Token& other) {
                    return holds(reach[other.node], *need.step);
                });
            if (done || comes) continue;
        } else if (Scope(to_, state, token.frame, token.id).find(need.value.path) != nullptr) {
            continue;
        }
        const std::string& id = to_.nodes[need.node].id;
        return Obstacle{
            id,
            fmt::format(
                "'{}', which lies ahead, needs {{{{{}}}}}, and this run {}",
                id,
                need.value.text,
                need.step ? "has passed the step that gives it" : "does not have it"
            )};
    }
    return std::nullopt;
}

Verdict Crossing::judge(const RunState& state) const {
    if (is_terminal(state.status)) return {Impact::would_break, "", "the run is over"};
    if (equal_) return {};
    if (from_.code.empty() != to_.code.empty()) {
        return {
            Impact::would_break,
            "",
            from_.code.empty() ? "its version is a graph, and the new one is in C++"
                               : "its version is in C++, and the new one is a graph"};
    }
    RunState carried = state;
    if (auto obstacle = carry(carried)) {
        return {Impact::would_break, std::move(obstacle->node), std::move(obstacle->reason)};
    }
    for (const Token& token : carried.tokens) {
        if (auto lack = missing(carried, token)) {
            return {Impact::would_break, std::move(lack->node), std::move(lack->reason)};
        }
    }
    // What a plan will ask for, only the plan knows.
    if (from_.code != to_.code) {
        return {
            Impact::moves_on,
            carried.tokens.empty() ? "" : to_.nodes[carried.tokens[0].node].id,
            fmt::format("what comes next is up to the plan of {} then", to_.code)};
    }
    for (std::size_t i = 0; i < state.tokens.size(); ++i) {
        const Token& token = state.tokens[i];
        if (outlook().ahead[token.node].same) continue;
        const std::string& before = from_.nodes[token.node].id;
        const std::string& after = to_.nodes[carried.tokens[i].node].id;
        return {
            Impact::moves_on,
            after,
            before == after
                ? fmt::format("goes on from '{}', and what comes after it has changed", after)
                : fmt::format("goes on at '{}' instead of '{}'", after, before)};
    }
    for (const StepRecord& record : state.records) {
        const bool undoable = record.node < from_.nodes.size() && !record.error &&
                              !from_.nodes[record.node].compensate.empty();
        if (!undoable || same_node(record.node)) continue;
        const std::string& id = from_.nodes[record.node].id;
        return {Impact::moves_on, id, fmt::format("what would undo '{}' may be changed", id)};
    }
    return {};
}

}  // namespace pawl::plan
