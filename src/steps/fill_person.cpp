#include "steps/fill_person.hpp"

#include "base/json.hpp"
#include "model/condition.hpp"
#include "model/credential_root.hpp"
#include "model/person_root.hpp"
#include "model/step_template.hpp"
#include "steps/redacted.hpp"

#include <algorithm>

namespace pawl::steps {

namespace {

// The reveal of secrets follows, and puts them where this stands.
const json::value hidden(hidden_text);

// A person who is gone, and what is not known of one, is null to a condition.
void fill_context(StepRequest& request, const PersonScope& scope) {
    const auto condition = parse_condition(request.config);
    if (!condition) return;  // the executor says what is wrong with it
    json::object* context = request.context.if_object();
    if (context == nullptr) context = &request.context.emplace_object();
    for (const Comparison* one : comparisons(*condition)) {
        if (one->path.empty() || one->path[0].key != person_root) continue;
        const json::value* found = scope.find(one->path);
        const bool asks = one->op == Operator::exists || one->op == Operator::not_exists;
        if (found == nullptr && asks) {
            context->erase(one->path_text);
        } else {
            context->insert_or_assign(one->path_text, found ? *found : json::value());
        }
    }
}

}  // namespace

PersonScope::PersonScope(const json::value& person, const json::object& known)
    : person_(person), known_(known), redacted_(redacted_columns(person)) {
    if (!redacted_.empty()) public_person_ = without_redacted(person);
}

const json::value* PersonScope::find(const Path& path) const {
    const std::string& root = path[0].key;
    if (root == person_root) {
        const bool asks =
            path.size() > 1 && std::count(redacted_.begin(), redacted_.end(), path[1].key) > 0;
        const bool whole = redacted_.empty() || asks;
        const json::value* found = walk(whole ? &person_ : &public_person_, path, 1);
        if (asks && found != nullptr) revealed_ = true;
        return found;
    }
    if (root == credentials_root) return &hidden;
    if (const json::value* value = known_.if_contains(text_of(path))) return value;
    const json::value* trigger = known_.if_contains(trigger_root);
    return root == trigger_root ? walk(trigger, path, 1) : nullptr;
}

Result<bool> fill_person(StepRequest& request, const json::value& person) {
    const PersonScope scope(person, request.known);
    auto config = render_step(request.type, *request.templates, [&scope](const Path& path) {
        return scope.find(path);
    });
    if (!config) return std::move(config).error();
    request.config = std::move(*config);
    if (request.type == NodeType::condition) fill_context(request, scope);
    return scope.has_revealed();
}

}  // namespace pawl::steps
