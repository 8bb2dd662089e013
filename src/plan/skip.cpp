#include "plan/skip.hpp"

#include "model/suggest.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace pawl::plan {

std::vector<std::string> open_nodes(const Definition& definition, const RunState& state) {
    std::vector<NodeIndex> places;
    for (const Token& token : state.tokens) {
        if (token.skipped) continue;
        if (token.node < definition.nodes.size()) places.push_back(token.node);
    }
    std::sort(places.begin(), places.end());
    places.erase(std::unique(places.begin(), places.end()), places.end());
    std::vector<std::string> nodes;
    nodes.reserve(places.size());
    for (const NodeIndex place : places) nodes.push_back(definition.nodes[place].id);
    return nodes;
}

SkipCheck check_skip(const Definition& definition, const RunState& state, std::string_view node) {
    using Verdict = SkipCheck::Verdict;
    if (!definition.find(node)) {
        std::vector<std::string_view> known;
        for (const Node& one : definition.nodes) known.push_back(one.id);
        return {
            Verdict::unknown_node,
            fmt::format("the run's workflow has no step '{}'{}", node, suggest(node, known))};
    }
    const auto open = open_nodes(definition, state);
    if (std::find(open.begin(), open.end(), node) != open.end()) return {};
    const std::string where =
        open.empty() ? "at no step" : fmt::format("at {}", fmt::join(open, ", "));
    return {
        Verdict::not_open,
        fmt::format("the run is not at the step '{}' now; it is {}", node, where)};
}

}  // namespace pawl::plan
