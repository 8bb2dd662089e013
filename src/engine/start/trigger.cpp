#include "engine/start/trigger.hpp"

#include "model/condition.hpp"
#include "model/event_names.hpp"
#include "model/row_conditions.hpp"
#include "model/template.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cstddef>

namespace pawl::engine {

namespace {

json::value text_or_null(const std::string& text) {
    return text.empty() ? json::value() : json::value(text);
}

// What templates and filters see.
class View {
public:
    explicit View(const store::InboxEvent& event) {
        json::object members;
        members["id"] = event.id;
        members["name"] = event.name;
        members["key"] = event.key;
        members["subject"] = text_or_null(event.subject);
        members["source"] = text_or_null(event.source);
        members["time"] = to_rfc3339(event.time.value_or(event.at));
        members["data"] = event.data;
        event_ = std::move(members);
    }

    const json::value* find(const Path& path) const { return find_in_event(event_, path); }

private:
    json::value event_;
};

// `at`: when the event came, which is the present moment for its filter.
Result<bool> passes(const json::value& filter, const PathLookup& lookup, Instant at) {
    if (filter.is_null()) return true;
    const auto rendered = render(filter, lookup);
    if (!rendered) return rendered.error();
    auto condition = parse_condition(*rendered, "filter");
    if (!condition) return condition.error();
    if (has_query(*condition)) {
        return Error{Errc::invalid, "a trigger's filter cannot ask the database", {}};
    }
    fix_times(*condition, at);
    // A filter that hangs on a name the event does not have lets it not pass.
    return evaluate_known(*condition, lookup).value_or(false);
}

// Whether the change of a row, as the event tells it, is one that the trigger is about. The
// database has looked at the same before it took the event in; the definition may be another since.
// `told`: whether the conditions hold, where the event does not have what they ask for; else null.
Result<bool> is_about(const Trigger& trigger, const json::value& data, const bool* told) {
    if (!trigger.operations.empty()) {
        const json::object* members = data.if_object();
        const json::value* operation = members ? members->if_contains("operation") : nullptr;
        if (operation == nullptr || !operation->is_string()) return false;
        const std::string_view word = operation->get_string();
        const auto& wanted = trigger.operations;
        if (std::find(wanted.begin(), wanted.end(), word) == wanted.end()) return false;
    }
    if (trigger.conditions.is_null()) return true;
    if (told != nullptr) return *told;
    const auto conditions = parse_row_conditions(trigger.conditions);
    if (!conditions) return conditions.error();
    return meets(*conditions, data);
}

Result<StartRequest> make_start(
    const Trigger& trigger, const store::InboxEvent& event, const PathLookup& lookup
) {
    StartRequest start;
    start.triggered_by = "event";
    start.correlation = "event:" + event.id;
    start.subject = event.subject.empty() ? event.key : event.subject;
    if (!trigger.subject.empty()) {
        const auto subject = render(json::value(trigger.subject), lookup);
        if (!subject) return subject.error();
        start.subject.clear();
        append_text(start.subject, *subject);
    }
    start.input = event.data.is_null() ? json::value(json::object()) : event.data;
    if (!trigger.input.is_null()) {
        auto input = render(trigger.input, lookup);
        if (!input) return input.error();
        start.input = std::move(*input);
    }
    return start;
}

}  // namespace

Triggered apply_triggers(
    ProgramPtr program, const store::InboxEvent& event, const store::ToldConditions& told
) {
    const View view(event);
    const PathLookup lookup = [&view](const Path& path) { return view.find(path); };
    const Definition& definition = program->definition;
    const auto failed = [&](const Error& error) {
        return Triggered{
            std::nullopt,
            fmt::format("workflow '{}' was not started: {}", definition.name, error.message)};
    };
    for (std::size_t place = 0; place < definition.triggers.size(); ++place) {
        const Trigger& trigger = definition.triggers[place];
        if (trigger.event != event.name) continue;
        const auto known = told.find(place);
        const auto about =
            is_about(trigger, event.data, known == told.end() ? nullptr : &known->second);
        if (!about) return failed(about.error());
        if (!*about) continue;
        const auto wanted = passes(trigger.filter, lookup, event.at);
        if (!wanted) return failed(wanted.error());
        if (!*wanted) continue;
        auto start = make_start(trigger, event, lookup);
        if (!start) return failed(start.error());
        if (const auto valid = validate_input(definition, start->input); !valid) {
            return failed(valid.error());
        }
        if (auto problem = start_problem(*start); !problem.empty()) {
            return failed({Errc::invalid, std::move(problem), {}});
        }
        start->program = std::move(program);
        return {std::move(*start), ""};
    }
    return {};
}

}  // namespace pawl::engine
