// The names that templates and conditions use, as far as a definition alone tells what they mean.
#include "base/json.hpp"
#include "model/condition.hpp"
#include "model/publish_check.hpp"
#include "model/publish_entries.hpp"
#include "model/suggest.hpp"
#include "model/template.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace pawl {

namespace {

// Where a name is used: in a node, or on an edge that leaves it.
struct Use {
    NodeIndex node = 0;
    std::function<void(std::string_view)> wrong;
    bool on_edge = false;
    bool of_item = false;  // what a foreach hands to the child run of an item
};

// A foreach or a scope, and the nodes in it.
struct Group {
    NodeIndex node = 0;
    std::vector<bool> body;
};

// A node, and the one that undoes it.
struct Undoing {
    NodeIndex node = 0;
    NodeIndex by = 0;
};

// "step_12_result" and "step_12_error".
std::optional<std::size_t> outcome_of(std::string_view root) {
    if (!root.starts_with("step_")) return std::nullopt;
    root.remove_prefix(5);
    std::size_t number = 0;
    const auto [end, failed] = std::from_chars(root.data(), root.data() + root.size(), number);
    if (failed != std::errc{}) return std::nullopt;
    root.remove_prefix(static_cast<std::size_t>(end - root.data()));
    if (root != "_result" && root != "_error") return std::nullopt;
    return number;
}

class Names {
public:
    Names(const Definition& definition, const ShapeProblems& problems)
        : definition_(definition), problems_(problems), reach_(definition.nodes.size()) {
        for (NodeIndex i = 0; i < definition_.nodes.size(); ++i) {
            const NodeType type = definition_.nodes[i].type;
            if (type != NodeType::foreach_ && type != NodeType::scope) continue;
            groups_.push_back({i, body_of(definition_, i)});
        }
        for (const Node& node : definition_.nodes) {
            const auto index = static_cast<NodeIndex>(&node - definition_.nodes.data());
            if (const auto undo = definition_.find(node.compensate)) {
                undoing_.push_back({index, *undo});
            }
            if (node.on_failure == OnFailure::continue_) failing_.push_back(index);
        }
    }

    void run() {
        for (NodeIndex i = 0; i < definition_.nodes.size(); ++i) node(i);
        for (std::size_t i = 0; i < definition_.edges.size(); ++i) {
            const Edge& edge = definition_.edges[i];
            if (edge.when.is_null()) continue;
            const Use use{
                edge.from,
                [this, i](std::string_view what) {
                    problems_.edge(i, fmt::format("when: {}", what));
                },
                true};
            texts(edge.when, use);
            paths(edge.when, use);
        }
    }

private:
    void node(NodeIndex index) {
        const Node& node = definition_.nodes[index];
        Use use{index, [this, index](std::string_view what) { problems_.node(index, what); }};
        for (const auto& [key, value] : node.config) {
            use.of_item = node.type == NodeType::foreach_ && (key == "input" || key == "subject");
            texts(value, use);
        }
        use.of_item = false;
        if (node.type == NodeType::condition) paths(node.config, use);
        if (node.type == NodeType::loop) {
            for (const std::string_view key : {"while", "until"}) {
                if (const json::value* written = node.config.if_contains(key)) paths(*written, use);
            }
        }
        const bool awaits = node.type == NodeType::wait || node.type == NodeType::goal;
        if (awaits) filters(node.config, use);
        const json::value* cases = node.config.if_contains("cases");
        if (node.type != NodeType::switch_ || cases == nullptr || !cases->is_array()) return;
        for (const json::value& one : cases->get_array()) {
            if (const json::value* when = find(one, "when")) paths(*when, use);
        }
    }

    // Of a wait: its paths are names of the event.
    static void filters(const json::object& config, const Use& use) {
        const json::value* events = config.if_contains("events");
        if (events != nullptr && events->is_array()) {
            for (const json::value& one : events->get_array()) {
                if (one.is_object()) filters(one.get_object(), use);
            }
        }
        const json::value* filter = config.if_contains("filter");
        const auto condition = parse_condition(filter == nullptr ? json::value() : *filter);
        if (filter == nullptr || !condition) return;
        for (const Comparison* one : comparisons(*condition)) {
            if (one->path.empty()) continue;
            const auto problem = event_name_problem(one->path, one->path_text, EventReader::run);
            if (!problem.empty()) use.wrong("filter: " + problem);
        }
    }

    void texts(const json::value& value, const Use& use) {
        const auto found = placeholders(value);
        if (!found) return;
        for (const Placeholder& one : *found) {
            if (!one.has_default) name(one.path, one.text, use);
        }
    }

    void paths(const json::value& value, const Use& use) {
        const auto condition = parse_condition(value);
        if (!condition) return;
        for (const Comparison* one : comparisons(*condition)) {
            const bool asks = one->op == Operator::exists || one->op == Operator::not_exists;
            if (!asks && !one->path.empty()) name(one->path, one->path_text, use);
        }
    }

    void name(const Path& path, std::string_view text, const Use& use) {
        const std::string& root = path[0].key;
        if (root == "run") return run_name(path, text, use);
        if (root == "steps") return step_name(path, text, use);
        if (root == "item" || root == "index" || root == "outer") {
            return item_name(root, text, use);
        }
        if (root == "undo") return undo_name(text, use);
        if (root == "error") return error_name(text, use);
        const auto number = outcome_of(root);
        if (!number) return;
        if (*number >= definition_.nodes.size()) {
            return use.wrong(fmt::format("'{}' is the outcome of a step that does not exist", text)
            );
        }
        const auto step = static_cast<NodeIndex>(*number);
        const bool part = root.ends_with("_result") && path.size() > 1;
        if (part && is_off_before(step, text, use)) return;
        later(step, text, use);
    }

    static void run_name(const Path& path, std::string_view text, const Use& use) {
        static constexpr std::string_view known[] = {
            "id", "subject", "workflow", "version", "started_at"};
        if (path.size() < 2) return;
        const std::string& key = path[1].key;
        if (std::find(std::begin(known), std::end(known), key) != std::end(known)) return;
        use.wrong(fmt::format(
            "'{}' is not defined{}: a run has {}",
            text,
            suggest(key, {std::begin(known), std::end(known)}),
            fmt::join(known, ", ")
        ));
    }

    void step_name(const Path& path, std::string_view text, const Use& use) {
        if (path.size() < 2) return;
        const auto step = definition_.find(path[1].key);
        if (!step) {
            std::vector<std::string_view> ids;
            for (const Node& node : definition_.nodes) ids.push_back(node.id);
            return use.wrong(fmt::format(
                "'{}' refers to a step that does not exist{}", text, suggest(path[1].key, ids)
            ));
        }
        static constexpr std::string_view known[] = {"result", "error", "released"};
        const bool asks = path.size() > 2;
        if (asks && std::find(std::begin(known), std::end(known), path[2].key) == std::end(known)) {
            return use.wrong(
                fmt::format("'{}' is not defined: a step has {}", text, fmt::join(known, ", "))
            );
        }
        const bool part = path.size() > 3 && path[2].key == "result";
        if (part && is_off_before(*step, text, use)) return;
        later(*step, text, use);
    }

    // A step that is switched off leaves null, of which there is no part.
    bool is_off_before(NodeIndex step, std::string_view text, const Use& use) {
        const bool off = definition_.nodes[step].disabled && !definition_.nodes[use.node].disabled;
        const bool behind = use.on_edge && step == use.node;
        if (!off || (!behind && !goes_on_to(step, use.node))) return false;
        use.wrong(fmt::format(
            "'{}' is part of what '{}' leaves, which is switched off and leaves null: give it a "
            "default",
            text,
            definition_.nodes[step].id
        ));
        return true;
    }

    // Whether a run that passes a step that is switched off may come to another one.
    bool goes_on_to(NodeIndex step, NodeIndex to) {
        return std::any_of(
            definition_.edges.begin(),
            definition_.edges.end(),
            [&](const Edge& edge) {
                const bool passes = edge.from == step && edge.handle == "default";
                return passes && (edge.to == to || reaches(edge.to, to));
            }
        );
    }

    // What the steps of an item or of a scope leave is known inside of it only.
    bool is_inside_other(NodeIndex step, std::string_view text, const Use& use) const {
        for (const Group& group : groups_) {
            if (!group.body[step] || group.body[use.node]) continue;
            const Node& node = definition_.nodes[group.node];
            use.wrong(fmt::format(
                "'{}' is known in the {} '{}' only: after it there is 'steps.{}.result'",
                text,
                pawl::name(node.type),
                node.id,
                node.id
            ));
            return true;
        }
        return false;
    }

    // A step that only comes after the place where its outcome is wanted.
    void later(NodeIndex step, std::string_view text, const Use& use) {
        if (is_inside_other(step, text, use)) return;
        if (reaches(step, use.node)) return;
        if (step != use.node && !reaches(use.node, step)) return;
        // On an edge, the step that it leaves has ended.
        if (step == use.node && use.on_edge) return;
        use.wrong(fmt::format(
            "'{}' is used before the run reaches '{}': that step comes later",
            text,
            definition_.nodes[step].id
        ));
    }

    // Then it is a field of the input.
    bool is_required(std::string_view root) const { return is_required_field(definition_, root); }

    void undo_name(std::string_view text, const Use& use) {
        const bool undoes = std::any_of(undoing_.begin(), undoing_.end(), [&](const Undoing& one) {
            return one.by == use.node || reaches(one.by, use.node);
        });
        if (undoes || is_required("undo")) return;
        use.wrong(fmt::format(
            "'{}' is not defined: only a node that another one names under compensate has it; a "
            "field of "
            "the input is input.undo",
            text
        ));
    }

    // An error that was caught is known from there on.
    void error_name(std::string_view text, const Use& use) {
        if (is_required("error")) return;
        for (const Edge& edge : definition_.edges) {
            if (!catches(edge)) continue;
            if (edge.to == use.node || reaches(edge.to, use.node)) return;
            // The edge itself sees what it catches.
            if (use.on_edge && edge.from == use.node) return;
        }
        const bool caught = std::any_of(failing_.begin(), failing_.end(), [&](NodeIndex node) {
            return reaches(node, use.node) || (use.on_edge && node == use.node);
        });
        if (caught) return;
        use.wrong(fmt::format(
            "'{}' is not defined: it is known after an edge with the handle error, or timeout of a "
            "scope or foreach, and after a step with on_failure: continue; a field of the input "
            "is input.error",
            text
        ));
    }

    // Whether what walks this edge knows an error: one that was caught, or that a group was late.
    bool catches(const Edge& edge) const {
        if (edge.handle == "error" || edge.handle.starts_with("error.")) return true;
        const NodeType type = definition_.nodes[edge.from].type;
        return edge.handle == "timeout" && (type == NodeType::scope || type == NodeType::foreach_);
    }

    void item_name(std::string_view root, std::string_view text, const Use& use) {
        if (is_required(root)) return;
        auto around = std::count_if(groups_.begin(), groups_.end(), [&](const Group& group) {
            const bool list = definition_.nodes[group.node].type == NodeType::foreach_;
            return list && group.body[use.node];
        });
        if (use.of_item || undoes_items(use.node)) ++around;
        // The round of a loop is what it left last.
        for (NodeIndex i = 0; root == "index" && i < definition_.nodes.size(); ++i) {
            if (definition_.nodes[i].type == NodeType::loop && is_known_from(i, use.node)) return;
        }
        if (around > (root == "outer" ? 1 : 0)) return;
        use.wrong(
            root == "outer"
                ? fmt::format("'{}' is not defined: there is no foreach around this one", text)
                : fmt::format(
                      "'{}' is not defined outside a foreach{}",
                      text,
                      root == "index" ? " or a loop; a field of the input is input.index" : ""
                  )
        );
    }

    // A list with a child run for each item is undone item by item.
    bool undoes_items(NodeIndex node) const {
        return std::any_of(undoing_.begin(), undoing_.end(), [&](const Undoing& one) {
            const Node& undone = definition_.nodes[one.node];
            return one.by == node && undone.type == NodeType::foreach_ &&
                   undone.config.contains("workflow");
        });
    }

    // Whether what a node left is known at another one: a way leads there, or to what that undoes.
    bool is_known_from(NodeIndex from, NodeIndex to) {
        if (reaches(from, to)) return true;
        return std::any_of(undoing_.begin(), undoing_.end(), [&](const Undoing& one) {
            return (one.by == to || reaches(one.by, to)) && reaches(from, one.node);
        });
    }

    // Whether some way leads from one node to another.
    bool reaches(NodeIndex from, NodeIndex to) {
        std::vector<bool>& seen = reach_[from];
        if (seen.empty()) {
            seen.resize(definition_.nodes.size());
            std::vector<NodeIndex> open{from};
            while (!open.empty()) {
                const NodeIndex node = open.back();
                open.pop_back();
                for (const Edge& edge : definition_.edges) {
                    if (edge.from != node || seen[edge.to]) continue;
                    seen[edge.to] = true;
                    open.push_back(edge.to);
                }
            }
        }
        return seen[to];
    }

    const Definition& definition_;
    const ShapeProblems& problems_;
    std::vector<std::vector<bool>> reach_;
    std::vector<Group> groups_;
    std::vector<Undoing> undoing_;
    std::vector<NodeIndex> failing_;  // nodes that the run goes on from when they fail
};

}  // namespace

void check_names(const Definition& definition, const ShapeProblems& problems) {
    Names(definition, problems).run();
}

}  // namespace pawl
