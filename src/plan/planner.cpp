#include "plan/planner.hpp"

#include "base/json.hpp"
#include "model/events/whole_run_events.hpp"
#include "model/name_limits.hpp"
#include "model/step_template.hpp"

#include <boost/json/object.hpp>

namespace pawl::plan {

namespace {

StepError template_error(std::string message) {
    return {ErrorClass::permanent, "template", std::move(message), std::nullopt};
}

// Whether `frame` is an item of this very foreach.
bool is_item_of(const RunState& state, FrameId frame, NodeIndex node) {
    const Frame* found = state.find_frame(frame);
    const Token* owner = found == nullptr ? nullptr : state.find_token(found->token);
    return owner != nullptr && owner->node == node;
}

// What one item of a foreach hands to its child run; without the list of all items.
json::object child_config(const Node& node) {
    json::object config = node.config;
    config.erase("items");
    if (!config.contains("input")) config["input"] = "{{ item }}";
    return config;
}

// What a foreach needs before there is an item: `input` is for the children and may be about
// theirs.
json::object list_config(const Node& node) {
    json::object config = node.config;
    config.erase("input");
    return config;
}

// Which page of its list a foreach wants next; nothing: it wants none.
std::optional<json::object> page_config(const RunState& state, const Node& node, TokenId token) {
    if (node.type != NodeType::foreach_) return std::nullopt;
    const Iteration* iteration = state.find_iteration(token);
    if (iteration == nullptr || !iteration->in_pages()) return std::nullopt;
    json::object page{
        {"run", iteration->source->run},
        {"key", iteration->source->key},
        {"page", std::int64_t{iteration->page} + 1}};
    return json::object{{"page_of", std::move(page)}};
}

json::object laid_over(json::object config, const json::object& given) {
    for (const auto& [key, value] : given) config.insert_or_assign(key, value);
    return config;
}

// By these names others are found, so they are text whatever a template gave: {{order.id}} may be a
// number.
void names_to_text(NodeType type, json::object& config) {
    const auto to_text = [](json::object& object, std::string_view name) {
        if (json::value* value = object.if_contains(name)) *value = as_name(std::move(*value));
    };
    if (type == NodeType::call || type == NodeType::foreach_) to_text(config, "subject");
    const bool keyed = type == NodeType::wait || type == NodeType::goal || type == NodeType::emit ||
                       type == NodeType::lock || type == NodeType::unlock;
    if (!keyed) return;
    to_text(config, "key");
    json::value* events = config.if_contains("events");
    if (events == nullptr || !events->is_array()) return;
    for (json::value& event : events->get_array()) {
        if (event.is_object()) to_text(event.get_object(), "key");
    }
}

// A name that is too long for the database ends this step; in a commit it would be in the way of
// all others.
Rendered within_limits(NodeType type, RenderedConfig config) {
    std::string problem = name_problem(type, *config, Names::rendered);
    if (problem.empty()) return config;
    return StepError{ErrorClass::permanent, "too_long", std::move(problem), std::nullopt};
}

}  // namespace

json::value as_name(json::value value) {
    if (value.is_null() || value.is_string()) return value;
    std::string text;
    append_text(text, value);
    return json::value(text);
}

Event run_started(
    std::int32_t workflow,
    std::int32_t version,
    json::value input,
    std::string subject,
    const Definition& definition,
    Origin origin
) {
    events::RunStarted started;
    started.workflow = workflow;
    started.version = version;
    started.input = std::move(input);
    started.subject = subject;
    if (definition.timeout) {
        // Rounded up: a run is never cut short of what was promised.
        started.timeout_ms =
            std::chrono::ceil<std::chrono::milliseconds>(*definition.timeout).count();
    }
    started.correlation_id = origin.correlation_id;
    started.triggered_by = origin.triggered_by;
    started.parent = origin.parent;
    started.caller = std::move(origin.caller);
    if (origin.takes_over) {
        started.chain.takes_over = origin.takes_over->run;
        started.chain.first_run = origin.takes_over->first_run;
        started.chain.anew_run = origin.takes_over->anew_run;
        started.chain.branch_run = origin.takes_over->branch_run;
    }
    started.start_at = origin.start_at;
    started.started_at = origin.started_at;
    started.traceparent = origin.traceparent;
    started.uncounted = origin.uncounted;
    if (!origin.flow.is_null()) started.flow = std::move(origin.flow);
    Event event;
    event.data = events::write(std::move(started));
    return event;
}

Rendered render_config(
    const Definition& definition,
    const RunState& state,
    NodeIndex node,
    FrameId frame,
    TokenId token
) {
    if (node >= definition.nodes.size()) return template_error("there is no such step");
    const Node& source = definition.nodes[node];
    if (auto page = page_config(state, source, token)) return RenderedConfig(std::move(*page));
    const bool item =
        frame != 0 && source.type == NodeType::foreach_ && is_item_of(state, frame, node);
    const PlannedStep* planned = state.find_planned(token);
    if (!source.has_templates && !item) {
        if (planned == nullptr || planned->config.empty()) {
            return within_limits(source.type, RenderedConfig(&source.config));
        }
        return within_limits(
            source.type, RenderedConfig(laid_over(source.config, planned->config))
        );
    }
    Scope scope(definition, state, frame, token);
    const PathLookup lookup = [&scope](const Path& path) { return scope.find(path); };
    auto rendered = item ? render_step(source.type, child_config(source), lookup)
                    : source.type == NodeType::foreach_
                        ? render_step(source.type, list_config(source), lookup)
                        : render_step(source.type, source.config, lookup);
    if (!rendered) return template_error(std::move(rendered).error().message);
    if (planned != nullptr) *rendered = laid_over(*rendered, planned->config);
    names_to_text(source.type, *rendered);
    return within_limits(source.type, RenderedConfig(std::move(*rendered)));
}

}  // namespace pawl::plan
