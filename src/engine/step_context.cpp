#include "engine/step_context.hpp"

#include "base/json.hpp"
#include "model/condition.hpp"

namespace pawl::engine {

namespace {

// The roots of templates that are not keys of the data.
constexpr std::string_view roots[] = {
    "input", "steps", "run", "item", "index", "outer", "error", "undo"};

json::object all_of(plan::Scope& scope, const Definition& definition, const plan::RunState& state) {
    json::object context = plan::context_of(definition, state);
    for (const std::string_view root : roots) {
        const auto* value = scope.find({PathSegment{std::string(root)}});
        if (value != nullptr) context.insert_or_assign(root, *value);
    }
    return context;
}

json::object paths_of(plan::Scope& scope, const json::object& config) {
    json::object found;
    const auto condition = parse_condition(config);
    if (!condition) return found;  // the executor says what is wrong with it
    for (const Comparison* comparison : comparisons(*condition)) {
        const auto* value = scope.find(comparison->path);
        if (value != nullptr) found.insert_or_assign(comparison->path_text, *value);
    }
    return found;
}

}  // namespace

void add_context(
    steps::StepRequest& request,
    const Definition& definition,
    const plan::RunState& state,
    plan::FrameId frame,
    plan::TokenId token
) {
    plan::Scope scope(definition, state, frame, token);
    if (request.type == NodeType::condition) request.context = paths_of(scope, request.config);
    if (request.type == NodeType::transform && !request.config.contains("input")) {
        request.config["input"] = all_of(scope, definition, state);
    }
}

}  // namespace pawl::engine
