#include "base/json.hpp"
#include "model/definition.hpp"
#include "model/duration.hpp"

#include <boost/json/array.hpp>
#include <boost/json/value_from.hpp>

namespace pawl {

namespace {

json::object to_json(const RetryPolicy& policy) {
    json::object object{
        {"attempts", policy.attempts},
        {"base", format_duration(policy.base)},
        {"factor", policy.factor},
        {"cap", format_duration(policy.cap)},
        {"jitter", json::array{policy.jitter_min, policy.jitter_max}},
        {"ambiguous", name(policy.ambiguous)}};
    if (policy.permanent) object["permanent"] = true;
    return object;
}

json::object to_json(const Node& node) {
    json::object object{
        {"id", node.id},
        {"type", name(node.type)},
        {"config", node.config},
        {"retry", to_json(node.retry)},
        {"on_failure", node.on_failure == OnFailure::continue_ ? "continue" : "abort"}};
    if (!node.retry_rules.empty()) {
        json::array& rules = object["retry"].emplace_array();
        for (const RetryRule& rule : node.retry_rules) {
            json::object one = to_json(rule.policy);
            one["errors"] = json::value_from(rule.errors);
            rules.push_back(std::move(one));
        }
    }
    if (node.timeout) object["timeout"] = format_duration(*node.timeout);
    if (!node.compensate.empty()) object["compensate"] = node.compensate;
    if (node.disabled) object["disabled"] = true;
    return object;
}

json::object to_json(const Trigger& trigger) {
    json::object object;
    if (!trigger.event.empty()) {
        constexpr std::string_view queue = "queue:";
        const bool queued = trigger.event.starts_with(queue);
        if (queued) object["queue"] = trigger.event.substr(queue.size());
        if (!queued) object["event"] = trigger.event;
        if (!trigger.operations.empty()) {
            object["operation"] = json::value_from(trigger.operations);
        }
        if (!trigger.conditions.is_null()) object["conditions"] = trigger.conditions;
        if (!trigger.filter.is_null()) object["filter"] = trigger.filter;
    } else {
        if (!trigger.audience.empty()) object["audience"] = trigger.audience;
        object[trigger.audience.empty() ? "cron" : "schedule"] = trigger.cron;
        if (!trigger.local_time.empty()) object["local_time"] = trigger.local_time;
        object["timezone"] = trigger.timezone;
        object["overlap"] = trigger.overlap;
        object["catch_up"] = format_duration(trigger.catch_up);
        if (trigger.jitter > Duration{}) object["jitter"] = format_duration(trigger.jitter);
    }
    if (!trigger.subject.empty()) object["subject"] = trigger.subject;
    if (!trigger.input.is_null()) object["input"] = trigger.input;
    return object;
}

json::object to_json(const Goal& goal) {
    json::object object{{"name", goal.name}, {"event", goal.event}};
    if (!goal.key.empty()) object["key"] = goal.key;
    if (!goal.filter.is_null()) object["filter"] = goal.filter;
    if (goal.within) object["within"] = format_duration(*goal.within);
    if (goal.exit) object["exit"] = true;
    return object;
}

std::string_view scope_name(FlowScope scope) {
    if (scope == FlowScope::global) return "global";
    return scope == FlowScope::tenant ? "tenant" : "workflow";
}

template <typename Limit>
json::object limit_json(const Limit& limit) {
    json::object object{
        {"name", limit.name}, {"limit", limit.limit}, {"scope", scope_name(limit.scope)}};
    if (!limit.key.empty()) object["key"] = limit.key;
    return object;
}

json::object to_json(const FlowControl& flow) {
    json::object object;
    if (!flow.concurrency.empty()) {
        json::array& limits = object["concurrency"].emplace_array();
        for (const ConcurrencyLimit& limit : flow.concurrency) limits.push_back(limit_json(limit));
        if (flow.free_while_waiting) object["while_waiting"] = "free";
    }
    if (flow.rate) {
        json::object rate = limit_json(*flow.rate);
        rate["per"] = format_duration(flow.rate->per);
        if (flow.rate->burst > 1) rate["burst"] = flow.rate->burst;
        if (flow.rate->drop) rate["over"] = "drop";
        object["rate"] = std::move(rate);
    }
    if (const auto& gathering = flow.gathering) {
        json::object one;
        if (!gathering->key.empty()) one["key"] = gathering->key;
        if (gathering->batch) one["size"] = gathering->size;
        if (!gathering->batch) one["period"] = format_duration(gathering->period);
        if (gathering->max_wait > Duration{})
            one["max_wait"] = format_duration(gathering->max_wait);
        object[gathering->batch ? "batch" : "debounce"] = std::move(one);
    }
    return object;
}

void put_entries(json::object& object, const Definition& definition) {
    if (definition.reentry == Reentry::after) {
        object["reentry"] = {{"after", format_duration(definition.reentry_after)}};
    } else if (definition.reentry != Reentry::always) {
        object["reentry"] = definition.reentry == Reentry::once ? "once" : "while_none_open";
    }
    if (!definition.enter_if.is_null()) object["enter_if"] = definition.enter_if;
    if (definition.holdout > 0) object["holdout"] = definition.holdout;
    if (!definition.exit_on.empty()) {
        json::array& exits = object["exit_on"].emplace_array();
        for (const ExitEvent& exit : definition.exit_on) {
            json::object one{{"event", exit.event}};
            if (!exit.key.empty()) one["key"] = exit.key;
            if (!exit.filter.is_null()) one["filter"] = exit.filter;
            exits.push_back(std::move(one));
        }
    }
    if (!definition.goals.empty()) {
        json::array& goals = object["goal"].emplace_array();
        for (const Goal& goal : definition.goals) goals.push_back(to_json(goal));
    }
    if (!definition.triggers.empty()) {
        json::array& triggers = object["triggers"].emplace_array();
        for (const Trigger& trigger : definition.triggers) triggers.push_back(to_json(trigger));
    }
    if (!definition.flow.empty()) object["flow"] = to_json(definition.flow);
}

}  // namespace

json::object to_json(const Definition& definition) {
    json::object object{{"name", definition.name}};
    if (!definition.label.empty()) object["version"] = definition.label;
    if (!definition.description.empty()) object["description"] = definition.description;
    if (!definition.required_fields.empty()) {
        json::array& fields = object["required_fields"].emplace_array();
        for (const std::string& field : definition.required_fields) fields.emplace_back(field);
    }
    if (!definition.input_schema.is_null()) object["input_schema"] = definition.input_schema;
    if (definition.timeout) object["timeout"] = format_duration(*definition.timeout);
    if (definition.person) object["person"] = true;
    put_entries(object, definition);
    if (!definition.code.empty()) object["code"] = definition.code;
    json::array& nodes = object["nodes"].emplace_array();
    for (const Node& node : definition.nodes) nodes.push_back(to_json(node));
    json::array& edges = object["edges"].emplace_array();
    for (const Edge& edge : definition.edges) {
        json::object one{
            {"from", definition.nodes.at(edge.from).id},
            {"to", definition.nodes.at(edge.to).id},
            {"handle", edge.handle}};
        if (!edge.when.is_null()) one["when"] = edge.when;
        edges.push_back(std::move(one));
    }
    return object;
}

}  // namespace pawl
