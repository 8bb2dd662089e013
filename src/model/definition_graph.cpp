#include "model/definition_graph.hpp"

#include "base/json.hpp"
#include "model/credential_root.hpp"
#include "model/graph_shapes.hpp"
#include "model/journey_reader.hpp"
#include "model/publish_check.hpp"
#include "model/step_template.hpp"
#include "model/suggest.hpp"
#include "model/template.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <set>
#include <tuple>
#include <unordered_set>

namespace pawl {

namespace {

class Checker {
public:
    Checker(const Definition& definition, const GraphSource& source, Problems& problems)
        : definition_(definition),
          source_(source),
          problems_(problems),
          next_(definition.nodes.size()) {
        for (const Edge& edge : definition_.edges) next_[edge.from].push_back(edge.to);
    }

    void unique_ids() {
        std::unordered_set<std::string_view> seen;
        for (std::size_t i = 0; i < definition_.nodes.size(); ++i) {
            const std::string& id = definition_.nodes[i].id;
            if (!seen.insert(id).second)
                wrong_node(i, fmt::format("'{}' is used twice: give one of them another name", id));
        }
    }

    void unique_edges() {
        std::set<std::tuple<NodeIndex, NodeIndex, std::string_view>> seen;
        for (std::size_t i = 0; i < definition_.edges.size(); ++i) {
            const Edge& edge = definition_.edges[i];
            if (seen.emplace(edge.from, edge.to, edge.handle).second) continue;
            wrong_edge(
                i,
                fmt::format(
                    "'{}' leads to '{}' by the handle '{}' already: take one of the two out",
                    definition_.nodes[edge.from].id,
                    definition_.nodes[edge.to].id,
                    edge.handle
                )
            );
        }
    }

    // A cycle without work would never end. Removes nodes without incoming edges until none is
    // left; nodes that do or wait for something cut every cycle through them.
    void no_idle_cycle() {
        std::vector<std::size_t> incoming(next_.size());
        std::vector<std::vector<NodeIndex>> ways(next_.size());
        for (const Edge& edge : definition_.edges) {
            const Node& from = definition_.nodes[edge.from];
            // One that is switched off is left by no other handle.
            const bool taken = !from.disabled || edge.handle == "default";
            if (!taken || !is_instant(from) || !is_instant(definition_.nodes[edge.to])) continue;
            ++incoming[edge.to];
            ways[edge.from].push_back(edge.to);
        }
        std::vector<std::size_t> free;
        for (std::size_t i = 0; i < incoming.size(); ++i) {
            if (incoming[i] == 0) free.push_back(i);
        }
        std::size_t removed = 0;
        while (!free.empty()) {
            const std::size_t node = free.back();
            free.pop_back();
            ++removed;
            for (NodeIndex to : ways[node]) {
                if (--incoming[to] == 0) free.push_back(to);
            }
        }
        if (removed == next_.size()) return;
        std::size_t at = 0;
        while (incoming[at] == 0) ++at;
        wrong_node(
            at,
            fmt::format(
                "'{}' is part of a cycle in which nothing is done: put a step or a wait into it, "
                "or use a loop",
                definition_.nodes[at].id
            )
        );
    }

    void all_reachable() {
        std::vector<bool> reached(next_.size());
        std::vector<std::size_t> open{0};
        reached[0] = true;
        for (const Node& node : definition_.nodes) {
            const auto undo = definition_.find(node.compensate);
            if (!undo || reached[*undo]) continue;
            reached[*undo] = true;
            open.push_back(*undo);
        }
        while (!open.empty()) {
            const std::size_t node = open.back();
            open.pop_back();
            for (NodeIndex to : next_[node]) {
                if (reached[to]) continue;
                reached[to] = true;
                open.push_back(to);
            }
        }
        for (std::size_t i = 0; i < reached.size(); ++i) {
            if (reached[i]) continue;
            wrong_node(
                i,
                fmt::format(
                    "'{}' cannot be reached from '{}': lead an edge to it, or take it out",
                    definition_.nodes[i].id,
                    definition_.nodes[0].id
                )
            );
        }
    }

    void persons() {
        if (!definition_.person) return;
        for (std::size_t i = 0; i < definition_.nodes.size(); ++i) {
            const std::string problem = person_problem(definition_.nodes[i]);
            if (!problem.empty()) wrong_node(i, problem);
        }
        for (std::size_t i = 0; i < definition_.edges.size(); ++i) {
            if (!names_person(definition_.edges[i])) continue;
            wrong_edge(i, "when: an edge cannot read 'user': ask in a condition node before it");
        }
    }

    void known_references(std::size_t placeholders_max) {
        std::size_t total = 0;
        std::vector<std::string_view> ids;
        for (const Node& node : definition_.nodes) ids.push_back(node.id);
        const std::unordered_set<std::string_view> known(ids.begin(), ids.end());
        for (std::size_t i = 0; i < definition_.nodes.size(); ++i) {
            if (!definition_.nodes[i].has_templates) continue;
            const auto found = placeholders(
                without_programs(definition_.nodes[i].type, definition_.nodes[i].config)
            );
            if (!found || problems_.full()) return;
            total += found->size();
            if (total > placeholders_max) {
                return wrong_node(
                    i, fmt::format("a workflow may hold {} placeholders at most", placeholders_max)
                );
            }
            known_credentials(i, *found);
            for (const Placeholder& placeholder : *found) {
                if (placeholder.path[0].key != "steps" || placeholder.path.size() < 2) continue;
                const std::string& id = placeholder.path[1].key;
                if (known.contains(id)) continue;
                const std::string hint = suggest(id, ids);
                wrong_node(
                    i,
                    fmt::format(
                        "'{{{{{}}}}}' refers to a step that does not exist{}",
                        placeholder.text,
                        hint.empty() ? ": write the name of one that does" : hint
                    )
                );
                break;  // report one a node: each needs a search over all names
            }
        }
    }

    // The sender of a request puts secrets in, and only into texts of the definition itself.
    void known_credentials(std::size_t node, const std::vector<Placeholder>& found) {
        const auto asks = [](const Placeholder& one) {
            return one.path[0].key == credentials_root;
        };
        if (std::none_of(found.begin(), found.end(), asks)) return;
        const NodeType type = definition_.nodes[node].type;
        const bool sends = type == NodeType::http || type == NodeType::function;
        if (!sends && type != NodeType::agent) {
            return wrong_node(
                node, "'{{credentials...}}' may stand in http, function and agent steps only"
            );
        }
        for (const Placeholder& placeholder : found) {
            if (!asks(placeholder)) continue;
            if (placeholder.path.size() == 2 && !placeholder.path[1].is_index &&
                !placeholder.has_default) {
                continue;
            }
            wrong_node(
                node,
                fmt::format("'{{{{{}}}}}' must be '{{{{credentials.NAME}}}}'", placeholder.text)
            );
        }
        secret_texts(node, boost::json::value(definition_.nodes[node].config));
    }

    void secret_texts(std::size_t node, const boost::json::value& value) {
        if (const auto* object = value.if_object()) {
            for (const auto& member : *object) secret_texts(node, member.value());
        } else if (const auto* array = value.if_array()) {
            for (const auto& item : *array) secret_texts(node, item);
        } else if (value.is_string()) {
            const auto found = placeholders(value);
            if (!found) return;
            const auto asks = [](const Placeholder& one) {
                return one.path[0].key == credentials_root;
            };
            const auto secrets = std::count_if(found->begin(), found->end(), asks);
            if (secrets == 0 || secrets == static_cast<std::ptrdiff_t>(found->size())) return;
            wrong_node(node, "a text with '{{credentials...}}' may hold no other placeholders");
        }
    }

    void shapes() {
        check_shapes(
            definition_,
            {[this](std::size_t node, std::string_view what) { wrong_node(node, what); },
             [this](std::size_t edge, std::string_view what) { wrong_edge(edge, what); }}
        );
    }

    void published() {
        check_published(
            definition_,
            {[this](std::size_t node, std::string_view what) { wrong_node(node, what); },
             [this](std::size_t edge, std::string_view what) { wrong_edge(edge, what); }}
        );
    }

private:
    static bool is_instant(const Node& node) {
        const NodeType type = node.type;
        return node.disabled || type == NodeType::condition || type == NodeType::switch_ ||
               type == NodeType::parallel || type == NodeType::join || type == NodeType::cancel ||
               type == NodeType::trigger || type == NodeType::split;
    }
    void wrong_node(std::size_t index, std::string_view what) {
        const int line = source_.nodes == nullptr ? 0 : source_.nodes->items[index].line;
        problems_.add(line, fmt::format("{}[{}]", source_.nodes_key, index), what);
    }
    void wrong_edge(std::size_t index, std::string_view what) {
        const int line = source_.edges == nullptr ? 0 : source_.edges->items[index].line;
        problems_.add(line, fmt::format("edges[{}]", index), what);
    }

    const Definition& definition_;
    const GraphSource& source_;
    Problems& problems_;
    std::vector<std::vector<NodeIndex>> next_;
};

}  // namespace

void check_graph(
    const Definition& definition,
    const GraphSource& source,
    DefinitionLimits limits,
    Reading reading,
    Problems& problems
) {
    if (definition.nodes.empty() || problems.any()) return;
    Checker checker(definition, source, problems);
    checker.unique_ids();
    const std::size_t most = limits.placeholders_max;
    if (!definition.code.empty()) return checker.known_references(most);
    checker.unique_edges();
    checker.no_idle_cycle();
    checker.all_reachable();
    checker.known_references(most);
    checker.persons();
    checker.shapes();
    if (reading == Reading::published && !problems.any()) checker.published();
}

}  // namespace pawl
