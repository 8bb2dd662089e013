#include "engine/core/step_context.hpp"

#include "base/json.hpp"
#include "model/condition.hpp"
#include "model/credential_root.hpp"
#include "model/person_root.hpp"
#include "model/template.hpp"
#include "plan/judge.hpp"

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

// What paths stand for; one that stands for nothing is left out, and a field that the input leaves
// out is null.
json::object paths_of(plan::Scope& scope, const json::object& config) {
    json::object found;
    const auto condition = parse_condition(config);
    if (!condition) return found;  // the executor says what is wrong with it
    for (const Comparison* comparison : comparisons(*condition)) {
        const auto* value = scope.find(comparison->path);
        const auto lookup = [&scope](const Path& path) { return scope.find(path); };
        const bool asks =
            comparison->op == Operator::exists || comparison->op == Operator::not_exists;
        if (value == nullptr && (asks || !plan::judge(Condition{*comparison}, lookup).holds))
            continue;
        found.insert_or_assign(comparison->path_text, value == nullptr ? json::value() : *value);
    }
    return found;
}

// What the placeholders stand for that the run itself can fill. The content of a message may be a
// template that the definition only names: it sees what started the run.
json::object known_to(
    plan::Scope& scope, const json::object& written, const plan::RunState& state
) {
    json::object known{{trigger_root, state.input}};
    const auto found = placeholders(json::value(written));
    if (!found) return known;  // the executor says what is wrong with it
    for (const Placeholder& one : *found) {
        const std::string& root = one.path[0].key;
        if (root == person_root || root == credentials_root) continue;
        if (const auto* value = scope.find(one.path)) known.emplace(text_of(one.path), *value);
    }
    return known;
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
    if (request.wants_person) request.known = known_to(scope, *request.templates, state);
    if (request.type == NodeType::transform && !request.config.contains("input")) {
        request.config["input"] = all_of(scope, definition, state);
    }
}

}  // namespace pawl::engine
