#include "model/graph_shapes.hpp"

#include "base/json.hpp"
#include "model/suggest.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace pawl {

namespace {

bool is_error_handle(std::string_view handle) {
    return handle == "error" || handle.starts_with("error.");
}

// Handles that do not stand for a choice: the way on, and what may be beside it.
constexpr std::array<std::string_view, 6> usual{
    "default", "timeout", "each", "body", "skipped", "failed"};

// Without them the run would have no way on, or several at once where there was one.
bool leads_only(NodeType type) {
    return type == NodeType::condition || type == NodeType::parallel || type == NodeType::join ||
           type == NodeType::trigger || type == NodeType::exit || type == NodeType::end;
}

// The member `member` of every item of a list: the handles of a switch's cases, the names of
// variants.
std::vector<std::string_view> listed_names(
    const Node& node, std::string_view key, std::string_view member = "handle"
) {
    std::vector<std::string_view> names;
    const json::value* list = node.config.if_contains(key);
    if (list == nullptr || !list->is_array()) return names;
    for (const json::value& item : list->get_array()) {
        const json::value* name = find(item, member);
        if (name != nullptr && name->is_string()) names.emplace_back(name->get_string());
    }
    return names;
}

std::vector<std::string_view> texts_in(const Node& node, std::string_view key) {
    std::vector<std::string_view> texts;
    const json::value* list = node.config.if_contains(key);
    if (list == nullptr || !list->is_array()) return texts;
    for (const json::value& item : list->get_array()) {
        if (item.is_string()) texts.emplace_back(item.get_string());
    }
    return texts;
}

// The ways out that a node of this type can take, apart from those for errors.
std::vector<std::string_view> handles_of(const Node& node) {
    switch (node.type) {
        case NodeType::condition: return {"true", "false"};
        case NodeType::loop: return {"default", "each"};
        case NodeType::foreach_: return {"default", "each", "timeout"};
        case NodeType::scope: return {"default", "body", "timeout"};
        case NodeType::goal: return {"default", "timeout"};
        case NodeType::agent: {
            auto handles = texts_in(node, "decide");
            for (const std::string_view one : {"default", "rejected", "timeout"}) {
                handles.emplace_back(one);
            }
            return handles;
        }
        case NodeType::message: return {"default", "skipped", "failed"};
        case NodeType::split: {
            auto handles = listed_names(node, "variants", "name");
            handles.emplace_back("default");
            return handles;
        }
        case NodeType::human: return {"approved", "rejected", "timeout", "default"};
        case NodeType::exit:
        case NodeType::end: return {};
        case NodeType::switch_: {
            auto handles = listed_names(node, "cases");
            handles.emplace_back("default");
            return handles;
        }
        case NodeType::wait: {
            auto handles = listed_names(node, "events");
            handles.emplace_back("default");
            handles.emplace_back("timeout");
            return handles;
        }
        default: return {"default"};
    }
}

class Shapes {
public:
    Shapes(const Definition& definition, const ShapeProblems& problems)
        : definition_(definition), problems_(problems) {}

    void edges() {
        for (std::size_t i = 0; i < definition_.edges.size(); ++i) {
            const Edge& edge = definition_.edges[i];
            const Node& from = definition_.nodes[edge.from];
            const auto handles = handles_of(from);
            if (handles.empty()) {
                problems_.edge(
                    i,
                    fmt::format(
                        "'{}' is an {}: nothing comes after it, take this edge out",
                        from.id,
                        name(from.type)
                    )
                );
            } else if (!is_error_handle(edge.handle) &&
                       std::find(handles.begin(), handles.end(), edge.handle) == handles.end()) {
                problems_.edge(
                    i,
                    fmt::format(
                        "'{}' has no handle '{}'{}: a{} {} leaves by {}, or error",
                        from.id,
                        edge.handle,
                        suggest(edge.handle, handles),
                        std::string_view("aeu").find(name(from.type)[0]) != std::string_view::npos
                            ? "n"
                            : "",
                        name(from.type),
                        fmt::join(handles, ", ")
                    )
                );
            }
        }
    }

    void node(std::size_t index) {
        const Node& node = definition_.nodes[index];
        switch (node.type) {
            case NodeType::switch_: cases(index, node); break;
            case NodeType::join: join(index, node); break;
            case NodeType::foreach_: foreach_body(index, node); break;
            case NodeType::loop:
                if (!has_way(index, "each")) {
                    problems_.node(
                        index,
                        fmt::format(
                            "'{}' has nothing to repeat: add an edge with the handle each", node.id
                        )
                    );
                }
                break;
            case NodeType::scope:
                if (has_way(index, "body")) break;
                problems_.node(
                    index,
                    fmt::format("'{}' holds nothing: add an edge with the handle body", node.id)
                );
                break;
            case NodeType::cancel: cancelled_nodes(index, node); break;
            case NodeType::call: endless_call(index, node); break;
            default: break;
        }
        if (!node.compensate.empty()) compensation(index, node);
        if (node.disabled) disabled(index, node);
    }

private:
    bool has_way(std::size_t from, std::string_view handle) const {
        return definition_.next(static_cast<NodeIndex>(from), handle).has_value();
    }
    // What to write instead of a node that does not exist.
    std::string hint(std::string_view id) const {
        std::vector<std::string_view> ids;
        for (const Node& other : definition_.nodes) ids.push_back(other.id);
        const std::string similar = suggest(id, ids);
        return similar.empty() ? ": add it, or name another node" : similar;
    }
    std::size_t incoming(std::size_t node) const {
        return static_cast<std::size_t>(std::count_if(
            definition_.edges.begin(),
            definition_.edges.end(),
            [node](const Edge& edge) { return edge.to == node; }
        ));
    }

    void cases(std::size_t index, const Node& node) {
        for (const std::string_view handle : listed_names(node, "cases")) {
            if (has_way(index, handle)) continue;
            problems_.node(
                index,
                fmt::format(
                    "the case '{}' of '{}' leads nowhere: add an edge with that handle",
                    handle,
                    node.id
                )
            );
        }
    }

    void join(std::size_t index, const Node& node) {
        const std::size_t ways = incoming(index);
        if (ways == 0) {
            problems_.node(index, fmt::format("'{}' joins nothing: lead edges to it", node.id));
        }
        const json::value* count = node.config.if_contains("count");
        if (count != nullptr && count->is_int64() &&
            static_cast<std::size_t>(count->get_int64()) > ways) {
            problems_.node(
                index,
                fmt::format(
                    "'{}' waits for {} branches, but only {} lead to it: lower count, or lead more "
                    "edges to it",
                    node.id,
                    count->get_int64(),
                    ways
                )
            );
        }
    }

    void foreach_body(std::size_t index, const Node& node) {
        const bool child = node.config.contains("workflow");
        const bool body = has_way(index, "each");
        if (child == body) {
            problems_.node(
                index,
                child
                    ? fmt::format("'{}' has both a workflow and a body: keep one of them", node.id)
                    : fmt::format(
                          "'{}' has nothing to do for an item: add an edge with the handle each, "
                          "or a workflow",
                          node.id
                      )
            );
        }
    }

    void cancelled_nodes(std::size_t index, const Node& node) {
        const json::value* list = node.config.if_contains("nodes");
        if (list == nullptr || !list->is_array()) return;
        for (const json::value& item : list->get_array()) {
            const std::string_view id =
                item.is_string() ? std::string_view(item.get_string()) : std::string_view();
            if (definition_.find(id)) continue;
            problems_.node(
                index,
                fmt::format("'{}' withdraws '{}', which does not exist{}", node.id, id, hint(id))
            );
        }
    }

    // A workflow may call itself, but not every time.
    void endless_call(std::size_t index, const Node& node) {
        if (text_in(node.config, "workflow") != definition_.name) return;
        std::vector<bool> certain(definition_.nodes.size());
        std::vector<std::size_t> open{0};
        while (!open.empty()) {
            const std::size_t at = open.back();
            open.pop_back();
            if (certain[at]) continue;
            certain[at] = true;
            const NodeType type = definition_.nodes[at].type;
            // A workflow that waits before it calls itself is allowed.
            const bool waits = type == NodeType::wait || type == NodeType::goal;
            if (waits || type == NodeType::human) continue;
            for (const Edge& edge : definition_.edges) {
                const bool sure = edge.handle == "default" && edge.when.is_null();
                if (edge.from == at && sure) open.push_back(edge.to);
            }
        }
        if (!certain[index]) return;
        problems_.node(
            index,
            fmt::format(
                "'{}' calls '{}' itself, every time: put a condition before it",
                node.id,
                definition_.name
            )
        );
    }

    // A run that comes to it goes on by `default`, so that must be a way that runs take.
    void disabled(std::size_t index, const Node& node) {
        if (leads_only(node.type)) {
            problems_.node(
                index,
                fmt::format(
                    "'{}' cannot be switched off: nodes of type {} only lead the run",
                    node.id,
                    name(node.type)
                )
            );
        } else if (chooses(index) && !has_way(index, "default")) {
            problems_.node(
                index,
                fmt::format(
                    "'{}' cannot be switched off: no edge with the handle default says where runs "
                    "go on",
                    node.id
                )
            );
        }
    }

    // Whether an edge leaves it that only some outcomes take.
    bool chooses(std::size_t index) const {
        return std::any_of(
            definition_.edges.begin(),
            definition_.edges.end(),
            [index](const Edge& edge) {
                return edge.from == index && !is_error_handle(edge.handle) &&
                       std::find(usual.begin(), usual.end(), edge.handle) == usual.end();
            }
        );
    }

    void compensation(std::size_t index, const Node& node) {
        const auto undo = definition_.find(node.compensate);
        if (!undo) {
            problems_.node(
                index,
                fmt::format(
                    "'{}' is undone by '{}', which does not exist{}",
                    node.id,
                    node.compensate,
                    hint(node.compensate)
                )
            );
        } else if (*undo == index || *undo == 0 || incoming(*undo) > 0) {
            problems_.node(
                index,
                fmt::format(
                    "'{}' is undone by '{}': that must be a node of its own that no edge leads to",
                    node.id,
                    node.compensate
                )
            );
        } else if (definition_.nodes[*undo].type == NodeType::exit) {
            problems_.node(
                index,
                fmt::format(
                    "'{}' is undone by '{}', which would end the run before the rest is undone",
                    node.id,
                    node.compensate
                )
            );
        } else if (!definition_.nodes[*undo].compensate.empty()) {
            problems_.node(
                index,
                fmt::format(
                    "'{}' is undone by '{}', which cannot be undone itself: leave out its "
                    "'compensate'",
                    node.id,
                    node.compensate
                )
            );
        }
    }

    const Definition& definition_;
    const ShapeProblems& problems_;
};

}  // namespace

void check_shapes(const Definition& definition, const ShapeProblems& problems) {
    Shapes shapes(definition, problems);
    shapes.edges();
    for (std::size_t i = 0; i < definition.nodes.size(); ++i) shapes.node(i);
}

}  // namespace pawl
