#include "model/publish_check.hpp"

#include "base/header_rules.hpp"
#include "base/json.hpp"
#include "model/graph_loops.hpp"
#include "model/template.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace pawl {

namespace {

constexpr std::int64_t rounds_max = visits_max;

// How often a loop goes round, as far as it is written.
std::int64_t rounds_of(const Node& node) {
    return whole_number(node.config.if_contains("times")).value_or(1);
}

class Rounds {
public:
    Rounds(const Definition& definition, const ShapeProblems& problems)
        : definition_(definition), problems_(problems), loops_(definition) {
        for (NodeIndex i = 0; i < definition_.nodes.size(); ++i) {
            const NodeType type = definition_.nodes[i].type;
            const bool counts_anew = type == NodeType::foreach_ || type == NodeType::scope;
            if (counts_anew) bodies_.push_back(body_of(definition_, i));
            if (type == NodeType::loop) heads_.push_back(i);
        }
    }

    void run() {
        bool fine = true;
        for (const NodeIndex head : heads_) fine = one(head) && fine;
        for (NodeIndex i = 0; fine && i < definition_.nodes.size(); ++i) fine = nested(i);
    }

private:
    bool one(NodeIndex head) {
        const Node& node = definition_.nodes[head];
        for (const std::string_view key : {"times", "max"}) {
            const json::value* written = node.config.if_contains(key);
            if (written == nullptr || has_placeholder(*written)) continue;
            const auto number = whole_number(written);
            if (number && *number >= 0 && *number <= rounds_max) continue;
            problems_.node(
                head,
                fmt::format(
                    "{} of '{}' must be a whole number up to {}: more rounds belong into child "
                    "runs, called from the loop or by a foreach with a workflow",
                    key,
                    node.id,
                    rounds_max
                )
            );
            return false;
        }
        return true;
    }

    // Loops inside loops: a run enters the innermost step this many times.
    bool nested(NodeIndex node) {
        std::int64_t visits = 1;
        std::vector<std::string_view> around;
        for (const NodeIndex head : heads_) {
            const bool other_item =
                std::any_of(bodies_.begin(), bodies_.end(), [&](const std::vector<bool>& body) {
                    return body[node] && !body[head];
                });
            if (head == node || other_item || !loops_.holds(head, node)) continue;
            visits *= std::max<std::int64_t>(rounds_of(definition_.nodes[head]), 1);
            around.push_back(definition_.nodes[head].id);
            if (visits <= rounds_max) continue;
            problems_.node(
                node,
                fmt::format(
                    "a run would enter '{}' {} times by {}; the limit is {}: put the inner loop "
                    "into a child workflow",
                    definition_.nodes[node].id,
                    visits,
                    fmt::join(around, " and "),
                    rounds_max
                )
            );
            return false;
        }
        return true;
    }

    const Definition& definition_;
    const ShapeProblems& problems_;
    GraphLoops loops_;
    std::vector<NodeIndex> heads_;
    std::vector<std::vector<bool>> bodies_;
};

bool starts_with_any_case(std::string_view text, std::string_view start) {
    return text.size() >= start.size() &&
           std::equal(start.begin(), start.end(), text.begin(), [](char a, char b) {
               return a == (b >= 'A' && b <= 'Z' ? static_cast<char>(b - 'A' + 'a') : b);
           });
}

// Whether an address is one that steps can call, as far as it is written.
bool is_callable(std::string_view url) {
    const std::size_t open = url.find("{{");
    const std::string_view written = url.substr(0, open);
    for (const std::string_view scheme : {"https://", "http://"}) {
        if (starts_with_any_case(written, scheme)) return url.size() > scheme.size();
        // The rest of it comes from a template.
        const bool rest = open != url.npos && written.size() < scheme.size();
        if (rest && starts_with_any_case(scheme, written)) return true;
    }
    return false;
}

// Another kind of address than the ones that steps can call.
void check_scheme(const Definition& definition, const ShapeProblems& problems) {
    for (std::size_t i = 0; i < definition.nodes.size(); ++i) {
        const Node& node = definition.nodes[i];
        if (node.type != NodeType::http && node.type != NodeType::function) continue;
        const std::string_view url = text_in(node.config, "url");
        if (url.empty() || is_callable(url)) continue;
        problems.node(i, fmt::format("url of '{}' must begin with https:// or http://", node.id));
    }
}

// Headers that the request would be refused for when the step runs.
void check_headers(const Definition& definition, const ShapeProblems& problems) {
    for (std::size_t i = 0; i < definition.nodes.size(); ++i) {
        const Node& node = definition.nodes[i];
        if (node.type != NodeType::http && node.type != NodeType::function) continue;
        const json::value* headers = node.config.if_contains("headers");
        if (headers == nullptr || !headers->is_object()) continue;
        for (const auto& header : headers->get_object()) {
            const std::string_view name = header.key();
            const std::string_view why = header_refusal(name);
            if (why.empty()) continue;
            problems.node(i, fmt::format("the header {} of '{}' {}", name, node.id, why));
        }
    }
}

// Rules about errors of nodes that are never tried again by themselves.
void check_retries(const Definition& definition, const ShapeProblems& problems) {
    for (std::size_t i = 0; i < definition.nodes.size(); ++i) {
        const Node& node = definition.nodes[i];
        const bool steps = node.type == NodeType::foreach_ && !node.config.contains("workflow");
        if (!steps && node.type != NodeType::scope) continue;
        const bool tries = std::any_of(
            node.retry_rules.begin(),
            node.retry_rules.end(),
            [](const RetryRule& rule) { return rule.policy.attempts > 1; }
        );
        if (!tries) continue;
        problems.node(
            i,
            fmt::format(
                "a {0} is not tried again by itself: put retry on the steps in it, or an edge with "
                "the handle error on '{1}'",
                name(node.type),
                node.id
            )
        );
    }
}

}  // namespace

std::vector<bool> body_of(const Definition& definition, NodeIndex group) {
    const bool scope = definition.nodes[group].type == NodeType::scope;
    const std::string_view way = scope ? "body" : "each";
    std::vector<bool> body(definition.nodes.size());
    std::vector<NodeIndex> open{group};
    const auto add = [&](NodeIndex node) {
        if (node == group || body[node]) return;
        body[node] = true;
        open.push_back(node);
    };
    while (!open.empty()) {
        const NodeIndex node = open.back();
        open.pop_back();
        for (const Edge& edge : definition.edges) {
            if (edge.from == node && (node != group || edge.handle == way)) add(edge.to);
        }
        // What undoes a step of an item knows that item.
        const auto undo = definition.find(definition.nodes[node].compensate);
        if (undo && node != group) add(*undo);
    }
    return body;
}

void check_published(const Definition& definition, const ShapeProblems& problems) {
    check_scheme(definition, problems);
    check_headers(definition, problems);
    check_retries(definition, problems);
    if (!definition.code.empty()) return;
    check_contents(definition, problems);
    Rounds(definition, problems).run();
    check_names(definition, problems);
}

}  // namespace pawl
