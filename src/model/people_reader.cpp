#include "model/people_reader.hpp"

#include "base/json.hpp"
#include "model/json_schema.hpp"
#include "model/person.hpp"
#include "model/template.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace pawl {

namespace {

// A list of names, or a template that gives one.
void read_people(FlowConfig& config, std::string_view key) {
    config.any(key);
    const json::value* value = config.object().if_contains(key);
    if (value == nullptr || is_template(*value)) return;
    const bool one = value->is_string() && !value->get_string().empty();
    if (one && key == "exclude") return;
    config.names(key, "must be a list of names, or a template that gives one");
}

// How many people a list names.
std::int64_t seats_of(const json::array& list) {
    std::vector<std::string> seats;
    for (const json::value& one : list) {
        std::string name;
        append_text(name, one);
        const bool known = std::any_of(seats.begin(), seats.end(), [&](const std::string& seat) {
            return is_same_person(seat, name);
        });
        if (!known) seats.push_back(std::move(name));
    }
    return static_cast<std::int64_t>(seats.size());
}

// Approvers, excluded people and the number of votes. Refuses what could never be decided.
void read_votes(FlowConfig& config) {
    read_people(config, "approvers");
    read_people(config, "exclude");
    config.whole_or_template("approvals", {1, 100});
    config.whole_or_template("rejections_needed", {1, 100});
    const json::object& object = config.object();
    const auto* approvers = object.if_contains("approvers");
    const auto* list = approvers == nullptr ? nullptr : approvers->if_array();
    if (list == nullptr || has_placeholder(*approvers)) return;
    const std::int64_t asked = seats_of(*list);
    const auto number = [&](std::string_view key) {
        return object.contains(key) ? whole_number(object.if_contains(key)).value_or(1) : 1;
    };
    const std::int64_t yes = number("approvals");
    if (yes > asked) {
        config.fields().wrong("approvals", "asks for more approvals than there are approvers");
    } else if (number("rejections_needed") > asked - yes + 1) {
        config.fields().wrong(
            "rejections_needed",
            fmt::format(
                "may be {} at most: with so many against it, {} of {} cannot approve any more",
                asked - yes + 1,
                yes,
                asked
            )
        );
    }
}

// The people a task goes to, one after the other, while it is not decided in time.
void read_escalation(FlowConfig& config) {
    config.duration("escalate_after");
    config.text("escalate_to");
    const bool single = config.object().contains("escalate_to");
    if (config.object().contains("escalate_after") != single) {
        config.fields().wrong("escalate_to", "and escalate_after go together");
    }
    const Document* list = config.fields().take("escalate");
    if (list == nullptr) return;
    if (single) config.fields().wrong("escalate", "and escalate_to are the same: keep one");
    if (list->kind != Document::Kind::list || list->items.empty() || list->items.size() > 20) {
        config.fields().wrong("escalate", "must be a list of {after, to}, 20 at most");
        return;
    }
    json::array chain;
    for (std::size_t i = 0; i < list->items.size(); ++i) {
        Fields fields = item_fields(config.fields(), "escalate", *list, i);
        FlowConfig one(fields);
        if (!one.has("after")) fields.wrong("after", "must say how long after the task was opened");
        one.duration("after");
        one.needed_text("to", "must name the person to ask then");
        fields.finish();
        chain.push_back(std::move(one).take());
    }
    config.object()["escalate"] = std::move(chain);
}

}  // namespace

void read_human(FlowConfig& config) {
    config.needed_text("title", "must say what the person is asked");
    read_asked(config);
}

void read_asked(FlowConfig& config) {
    config.text("description");
    config.any("data");
    config.any("form");
    const auto* form = config.object().if_contains("form");
    if (form != nullptr && !form->is_object()) {
        config.fields().wrong("form", "must be a JSON Schema, such as {properties: {...}}");
    } else if (form != nullptr && !has_placeholder(*form) && !config.fields().problems().stored()) {
        const auto valid = check_schema(*form);
        if (!valid) config.fields().wrong("form", valid.error().message);
    }
    config.text("assignee");
    config.text("group");
    config.duration("due");
    config.duration("remind_after");
    read_votes(config);
    read_escalation(config);
}

}  // namespace pawl
