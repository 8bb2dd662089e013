#include "model/definition.hpp"

#include "base/enum_names.hpp"

#include <algorithm>

namespace pawl {

namespace {

// In the order of NodeType.
constexpr EnumNames<NodeType, node_type_count> node_types{
    {"code",     "function", "http",    "transform", "sql",   "call",      "lock",
     "unlock",   "message",  "action",  "agent",     "wait",  "condition", "switch",
     "parallel", "join",     "foreach", "loop",      "emit",  "human",     "cancel",
     "exit",     "end",      "trigger", "scope",     "split", "goal"}};

}  // namespace

std::string_view name(NodeType type) {
    return node_types.name(type);
}

std::optional<NodeType> parse_node_type(std::string_view text) {
    if (text == "api_call") return NodeType::http;
    return node_types.parse(text);
}

std::vector<std::string_view> all_node_type_names() {
    return {node_types.names.begin(), node_types.names.end()};
}

bool has_attempts(NodeType type) {
    return type < NodeType::wait || type == NodeType::condition;
}

bool takes_time(NodeType type) {
    return has_attempts(type) || type == NodeType::wait || type == NodeType::human ||
           type == NodeType::foreach_ || type == NodeType::scope;
}

bool names_error(std::string_view written, const StepError& error) {
    if (written == "*" || written == error.code || written == name(error.error_class)) return true;
    return error.cause &&
           (written == error.cause->code || written == name(error.cause->error_class));
}

const RetryPolicy& retry_for(const Node& node, const StepError& error) {
    for (const RetryRule& rule : node.retry_rules) {
        for (const std::string& written : rule.errors) {
            if (names_error(written, error)) return rule.policy;
        }
    }
    return node.retry;
}

bool may_retry(const Node& node, int failed_attempt, const StepError& error) {
    const RetryPolicy& policy = retry_for(node, error);
    if (may_retry(policy, failed_attempt, error.error_class)) return true;
    if (error.error_class != ErrorClass::permanent || failed_attempt >= policy.attempts) {
        return false;
    }
    return std::any_of(
        node.retry_rules.begin(),
        node.retry_rules.end(),
        [&](const RetryRule& rule) {
            return &rule.policy == &policy &&
                   std::any_of(rule.errors.begin(), rule.errors.end(), [&](const auto& written) {
                       return written != "*" && names_error(written, error);
                   });
        }
    );
}

bool Node::operator==(const Node& other) const {
    return id == other.id && type == other.type && config == other.config && retry == other.retry &&
           timeout == other.timeout && on_failure == other.on_failure &&
           retry_rules == other.retry_rules && compensate == other.compensate &&
           disabled == other.disabled;
}

std::optional<NodeIndex> Definition::find(std::string_view node_id) const {
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        if (nodes[i].id == node_id) return static_cast<NodeIndex>(i);
    }
    return std::nullopt;
}

std::optional<NodeIndex> Definition::next(NodeIndex from, std::string_view handle) const {
    const auto leads = [&](const Edge& edge) { return edge.from == from && edge.handle == handle; };
    // In a line, edge n leaves node n: no search on the hot path.
    if (from < edges.size() && leads(edges[from])) return edges[from].to;
    const auto found = std::find_if(edges.begin(), edges.end(), leads);
    if (found == edges.end()) return std::nullopt;
    return found->to;
}

}  // namespace pawl
