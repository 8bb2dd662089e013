#include "engine/start/queued_start.hpp"

#include "base/json.hpp"
#include "engine/start/trigger.hpp"

#include <fmt/core.h>

#include <algorithm>

namespace pawl::engine {

namespace {

using Kind = store::QueuedMessage::Kind;

const json::value* member(const json::value& value, std::string_view name) {
    const json::object* object = value.if_object();
    const json::value* found = object == nullptr ? nullptr : object->if_contains(name);
    return found == nullptr || found->is_null() ? nullptr : found;
}

std::string text_of(const json::value& value, std::string_view name) {
    const json::value* found = member(value, name);
    return found != nullptr && found->is_string() ? std::string(found->get_string()) : "";
}

// Whether lists and objects stand in one another more than so many levels deep.
bool is_deeper(const json::value& value, std::size_t levels) {
    const auto item_is = [levels](const json::value& item) { return is_deeper(item, levels - 1); };
    if (const json::array* list = value.if_array()) {
        return levels == 0 || std::any_of(list->begin(), list->end(), item_is);
    }
    const json::object* object = value.if_object();
    if (object == nullptr) return false;
    return levels == 0 || std::any_of(object->begin(), object->end(), [&](const auto& member) {
               return item_is(member.value());
           });
}

// A run begins with its first step: who sends a message from the middle of another system's run
// would get its first steps twice.
std::string document_problem(const store::QueuedMessage& message) {
    const json::value* step = member(message.message, "current_step");
    if (step == nullptr || (step->is_number() && step->to_number<double>() == 0)) return "";
    return "current_step is not 0: a run begins with its first step";
}

StartRequest document_start(const store::QueuedMessage& message) {
    StartRequest start;
    start.input = json::object();
    for (const std::string_view name : {"context", "data", "input", "trigger_data"}) {
        if (const json::value* found = member(message.message, name)) {
            start.input = *found;
            break;
        }
    }
    start.subject = text_of(message.message, "subject");
    start.correlation = text_of(message.message, "correlation_id");
    if (start.correlation.empty()) start.correlation = text_of(message.message, "execution_id");
    return start;
}

QueuedStart triggered_start(ProgramPtr program, const store::QueuedMessage& message) {
    store::InboxEvent event;
    event.name = "queue:" + message.queue;
    event.id = fmt::format("{}/{}", message.queue, message.id);
    event.data = message.message;
    event.at = message.at;
    Triggered triggered = apply_triggers(std::move(program), event);
    if (triggered.start) triggered.start->correlation.clear();
    return {std::move(triggered.start), std::move(triggered.problem)};
}

}  // namespace

QueuedStart start_of(ProgramPtr program, const store::QueuedMessage& message) {
    QueuedStart result;
    const std::size_t levels = JsonLimits{}.depth_max;
    if (is_deeper(message.message, levels)) {
        result.problem = fmt::format("the message is nested deeper than {} levels", levels);
        return result;
    }
    if (message.kind == Kind::trigger) {
        result = triggered_start(program, message);
    } else {
        if (message.kind == Kind::message) result.problem = document_problem(message);
        if (!result.problem.empty()) return result;
        StartRequest start;
        if (message.kind == Kind::message) start = document_start(message);
        if (message.kind == Kind::workflow) start.input = message.message;
        if (!start.input.is_object()) {
            result.problem = "the input must be a JSON object";
        } else if (const auto valid = validate_input(program->definition, start.input); !valid) {
            result.problem = valid.error().message;
        } else {
            start.program = std::move(program);
            result.start = std::move(start);
        }
    }
    if (result.start) {
        result.start->triggered_by = "queue";
        if (const auto key = text_of(message.headers, "correlation_id"); !key.empty()) {
            result.start->correlation = key;
        }
        result.problem = start_problem(*result.start);
        if (!result.problem.empty()) result.start.reset();
    }
    return result;
}

std::string no_workflow(const store::QueuedMessage& message) {
    for (const std::string_view name : {"workflow_name", "workflow"}) {
        const std::string found = text_of(message.message, name);
        if (!found.empty()) return "Workflow not found: " + found;
    }
    const std::string rule = text_of(message.message, "rule_id");
    if (!rule.empty()) return "Rule not found: " + rule;
    return message.kind == Kind::workflow ? "Workflow not found: the one of this queue"
                                          : "the message does not name a workflow (workflow_name)";
}

}  // namespace pawl::engine
