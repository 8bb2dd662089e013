#include "draw/graph.hpp"

#include "base/json.hpp"
#include "draw/summary.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>

namespace pawl::draw {

namespace {

struct TypeLooks {
    std::string_view type;
    Kind kind;
};
constexpr std::array looks{
    TypeLooks{"condition", Kind::decision},
    TypeLooks{"switch", Kind::decision},
    TypeLooks{"wait", Kind::wait},
    TypeLooks{"human", Kind::person},
    TypeLooks{"parallel", Kind::flow},
    TypeLooks{"join", Kind::flow},
    TypeLooks{"foreach", Kind::flow},
    TypeLooks{"loop", Kind::flow},
    TypeLooks{"lock", Kind::flow},
    TypeLooks{"unlock", Kind::flow},
    TypeLooks{"trigger", Kind::flow},
    TypeLooks{"exit", Kind::stop},
    TypeLooks{"end", Kind::stop},
    TypeLooks{"cancel", Kind::stop},
};

Kind kind_of(std::string_view type) {
    const auto found = std::find_if(looks.begin(), looks.end(), [&](const TypeLooks& each) {
        return each.type == type;
    });
    return found == looks.end() ? Kind::effect : found->kind;
}

bool is_aside(std::string_view handle) {
    return handle == "error" || handle.starts_with("error.") || handle == "timeout";
}

// A single way out need not be named; among several, each is.
std::string label_of(const Definition& definition, const Edge& edge) {
    const auto other = [&](const Edge& e) {
        return e.from == edge.from && e.handle != edge.handle && !is_aside(e.handle);
    };
    const bool several = std::any_of(definition.edges.begin(), definition.edges.end(), other);
    std::string label = edge.handle != "default" || several ? edge.handle : "";
    if (!edge.when.is_null()) {
        label += fmt::format("{}if {}", label.empty() ? "" : " ", condition_text(edge.when));
    }
    return label;
}

}  // namespace

std::string_view name(Kind kind) {
    switch (kind) {
        case Kind::effect: return "effect";
        case Kind::decision: return "decision";
        case Kind::wait: return "wait";
        case Kind::person: return "person";
        case Kind::flow: return "flow";
        case Kind::stop: return "stop";
        case Kind::off: return "off";
    }
    return "effect";
}

Graph graph_of(const Definition& definition) {
    Graph graph{definition.name, {}, {}};
    for (const Node& node : definition.nodes) {
        const std::string_view type = name(node.type);
        const std::string about = summary(node.config);
        std::string detail = about.empty() ? std::string(type) : fmt::format("{} {}", type, about);
        if (node.disabled) detail = fmt::format("switched off: {}", detail);
        const Kind kind = node.disabled ? Kind::off : kind_of(type);
        graph.boxes.push_back({node.id, std::move(detail), kind});
    }
    for (const Edge& edge : definition.edges) {
        graph.arrows.push_back(
            {edge.from, edge.to, label_of(definition, edge), is_aside(edge.handle)}
        );
    }
    for (NodeIndex i = 0; i < definition.nodes.size(); ++i) {
        const auto undone_by = definition.find(definition.nodes[i].compensate);
        if (undone_by) graph.arrows.push_back({i, *undone_by, "undone by", true});
    }
    return graph;
}

}  // namespace pawl::draw
