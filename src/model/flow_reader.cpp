#include "model/flow_reader.hpp"

#include "base/json.hpp"
#include "model/agent_reader.hpp"
#include "model/civil_time.hpp"
#include "model/condition.hpp"
#include "model/duration.hpp"
#include "model/flow_config.hpp"
#include "model/journey_reader.hpp"
#include "model/people_reader.hpp"
#include "model/person_root.hpp"
#include "model/suggest.hpp"
#include "model/template.hpp"
#include "model/wait_time.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace pawl {

namespace {

void read_cases(FlowConfig& config) {
    const bool by_value = config.has("value");
    if (by_value) config.any("value");
    const Document* list = config.fields().take("cases");
    if (list == nullptr || list->kind != Document::Kind::list || list->items.empty()) {
        config.fields().wrong(
            "cases", "must be a list of {when, handle}, or of {equals, handle} beside a value"
        );
        return;
    }
    json::array cases;
    for (std::size_t i = 0; i < list->items.size(); ++i) {
        Fields fields = item_fields(config.fields(), "cases", *list, i);
        json::object one;
        if (by_value) {
            auto equals = fields.any("equals");
            if (!equals) fields.wrong("equals", "must be the value of this case");
            one["equals"] = std::move(equals).value_or(nullptr);
        } else {
            one["when"] = read_condition(fields, "when");
            if (one["when"].is_null()) fields.wrong("when", "must be the condition of this case");
        }
        const std::string handle = fields.text("handle").value_or("");
        if (!is_identifier(handle, true)) {
            fields.wrong("handle", "must name the way out, such as gold");
        }
        one["handle"] = handle;
        fields.finish();
        cases.push_back(std::move(one));
    }
    config.object()["cases"] = std::move(cases);
}

void read_events(FlowConfig& config) {
    const Document* list = config.fields().take("events");
    if (list == nullptr) return;
    if (list->kind != Document::Kind::list || list->items.empty() || list->items.size() > 50) {
        config.fields().wrong(
            "events", "must be a list of {event, key, filter, handle}, 50 at most"
        );
        return;
    }
    json::array events;
    for (std::size_t i = 0; i < list->items.size(); ++i) {
        Fields fields = item_fields(config.fields(), "events", *list, i);
        FlowConfig one(fields);
        one.name("event", "must name the event to wait for");
        one.text("key");
        one.event_filter("filter");
        const std::string handle = fields.text("handle").value_or("default");
        if (!is_identifier(handle, true)) fields.wrong("handle", "must be a name");
        one.object()["handle"] = handle;
        fields.finish();
        events.push_back(std::move(one).take());
    }
    config.object()["events"] = std::move(events);
    config.word("mode", {"any", "all"});
}

// A wait that could never end is refused here, not found out when a run comes to it. Where the data
// is to say, something plausible stands for it.
void check_times(FlowConfig& config) {
    json::object sample;
    if (const json::value* until = config.object().if_contains("until");
        until && until->is_object()) {
        sample["until"] = *until;
        json::object& window = sample["until"].get_object();
        if (is_template(window["timezone"])) window["timezone"] = "UTC";
        if (is_template(window["local_time"])) window["local_time"] = "09:00";
        if (const json::value* days = window.if_contains("weekdays");
            days && has_placeholder(*days)) {
            window.erase("weekdays");
        }
        if (const auto zone = parse_time_zone(text_in(window, "timezone")); !zone) {
            config.fields().wrong("until", zone.error().message);
        }
    }
    for (const std::string_view key : {"until", "date", "offset", "local_time", "timezone"}) {
        const json::value* value = config.object().if_contains(key);
        if (value == nullptr || value->is_null() || value->is_object()) continue;
        if (!has_placeholder(*value)) {
            sample[key] = *value;
        } else if (key == "until" || key == "date") {
            sample[key] = "2026-03-01";
        } else if (key == "local_time") {
            sample[key] = "09:00";
        }
    }
    const json::value* weekdays = config.object().if_contains("weekdays");
    if (weekdays != nullptr && !has_placeholder(*weekdays)) sample["weekdays"] = *weekdays;
    const bool timed =
        sample.contains("until") || sample.contains("date") || sample.contains("local_time");
    if (!timed) return;
    if (const auto end = wait_end(sample, Instant{}); !end) {
        config.fields().wrong(end.error().message);
    }
}

// A time, or `{local_time: "09:00"}`: the next such time where the person is.
void read_until(FlowConfig& config) {
    const Document* written = config.has("until") ? config.fields().peek("until") : nullptr;
    if (written == nullptr || written->kind != Document::Kind::map) return config.text("until");
    Fields fields(
        *config.fields().take("until"), config.fields().path_of("until"), config.fields().problems()
    );
    FlowConfig until(fields);
    until.needed_text("local_time", "must be a time of the day, such as 09:00");
    until.any("weekdays");
    until.text("timezone");
    fields.finish();
    if (!until.object().contains("timezone")) until.object()["timezone"] = person_zone;
    config.object()["until"] = std::move(until).take();
}

void read_wait(FlowConfig& config) {
    const bool date = config.has("date");
    int forms = 0;
    for (std::string_view key : {"duration", "until", "event", "events", "signal", "date"}) {
        if (config.has(key)) ++forms;
    }
    if (!date && config.has("local_time")) ++forms;
    if (forms != 1) {
        config.fields().wrong(
            forms == 0 ? "does not say what to wait for: give one of duration, until, local_time, "
                         "date, event, events, signal"
                       : "waits for more than one thing: keep one of duration, until, local_time, "
                         "date, event, events, signal"
        );
    }
    config.duration("duration");
    read_until(config);
    if (config.has("event")) config.name("event", "must name the event to wait for");
    config.text("key");
    if (config.has("filter") && !config.has("event")) {
        config.fields().wrong("filter", "is for a wait for an event; of events, each has its own");
    }
    config.event_filter("filter");
    read_events(config);
    if (config.has("signal")) config.name("signal", "must name the signal to wait for");
    config.any("date");
    config.duration("offset");
    config.text("local_time");
    config.any("weekdays");
    config.text("timezone");
    config.duration("timeout");
    if (forms == 1) check_times(config);
}

void read_goal_node(FlowConfig& config) {
    config.name("event", "must name the event that counts");
    config.text("key");
    config.event_filter("filter");
    config.duration("within");
}

void read_join(FlowConfig& config) {
    config.word("mode", {"chosen", "all", "any", "count"});
    config.whole("count", {1, 1000});
    config.flag("cancel_rest");
    config.flag("undo_rest");
    const json::value* withdraws = config.object().if_contains("cancel_rest");
    const json::value* undoes = config.object().if_contains("undo_rest");
    if (undoes != nullptr && *undoes == true && (withdraws == nullptr || *withdraws != true)) {
        config.fields().wrong("undo_rest", "goes with cancel_rest: true");
    }
    const auto* mode = config.object().if_contains("mode");
    const bool counts = mode != nullptr && *mode == "count";
    if (counts != config.object().contains("count")) {
        config.fields().wrong(
            "count", counts ? "must say how many branches are enough" : "is for mode: count"
        );
    }
}

// What becomes of the child when the run that called it ends before it.
void read_parent_close(FlowConfig& config) {
    config.word("on_parent_close", {"abandon", "cancel", "wait"});
    const auto* wait = config.object().if_contains("wait");
    const auto* close = config.object().if_contains("on_parent_close");
    if (wait != nullptr && *wait == false && close != nullptr && *close == "wait") {
        config.fields().wrong("on_parent_close", "cannot be wait beside wait: false");
    }
}

// Which version the child is of; without it the one that any start would get.
void read_called_version(FlowConfig& config) {
    config.any("version");
    const json::value* version = config.object().if_contains("version");
    if (version == nullptr) return;
    const auto number = whole_number(version);
    const bool label = version->is_string() && !version->get_string().empty();
    if (is_template(*version)) {
        config.fields().wrong("version", "may not be a template");
    } else if (!label && !(number && *number >= 1)) {
        config.fields().wrong("version", "must be the number or the label of a version");
    }
}

void read_foreach(FlowConfig& config) {
    config.needed("items", "must be the list to go through, such as \"{{ input.orders }}\"");
    const auto* items = config.object().if_contains("items");
    if (items != nullptr && !items->is_array() && !is_template(*items)) {
        config.fields().wrong("items", "must be a list, or a template that gives one");
    }
    config.whole_or_template("concurrency", {1, 10'000});
    config.whole_or_template("tolerated_failures", {0, 1'000'000});
    config.flag("fail_fast");
    if (config.has("version") && !config.has("workflow")) {
        config.fields().wrong("version", "is for items that are child runs (workflow)");
    }
    if (config.has("workflow")) config.name("workflow", "must name a workflow");
    read_called_version(config);
    config.any("input");
    config.duration("timeout");
    config.flag("undo_failed_items");
    read_parent_close(config);
    if (config.object().contains("on_parent_close") && !config.object().contains("workflow")) {
        config.fields().wrong("on_parent_close", "is for items that are child runs (workflow)");
    }
}

void read_loop(FlowConfig& config) {
    int ends = 0;
    for (std::string_view key : {"while", "until", "times"}) {
        if (config.has(key)) ++ends;
    }
    if (ends != 1) config.fields().wrong("needs one of while, until, times: a loop must end");
    config.condition("while");
    config.condition("until");
    config.any("times");
    config.whole("max", {1, 1'000'000});
}

void read_condition_config(FlowConfig& config) {
    static constexpr std::array<std::string_view, 8> keys{
        "path", "field", "operator", "value", "all", "any", "not", "query"};
    for (std::string_view key : keys) config.any(key);
    if (config.object().empty()) {
        config.fields().wrong("has no condition: give path, operator and value, or all, any, not");
        return;
    }
    const auto parsed = parse_condition(config.object());
    if (!parsed) config.fields().wrong(parsed.error().message);
}

}  // namespace

json::value read_event_filter(Fields& fields, std::string_view key) {
    json::value filter = read_condition(fields, key);
    const auto condition = parse_condition(filter);
    if (filter.is_null() || !condition) return filter;
    if (has_query(*condition)) fields.wrong(key, "cannot ask the database");
    if (asks_for_now(*condition)) {
        fields.wrong(key, "cannot compare with the present moment: use before and after");
    }
    static constexpr std::string_view members[] = {"id", "name", "key", "data"};
    static constexpr std::string_view of_runs[] = {"input", "steps", "run", "item", "outer"};
    for (const Comparison* one : comparisons(*condition)) {
        if (one->path.empty()) continue;
        const std::string& root = one->path[0].key;
        if (std::find(std::begin(of_runs), std::end(of_runs), root) != std::end(of_runs)) {
            fields.wrong(
                key,
                fmt::format(
                    "'{}' is of the run, and a path of a filter is of the event: compare a path in "
                    "event.data with it, with \"{{{{ {} }}}}\" as the value",
                    one->path_text,
                    one->path_text
                )
            );
        }
        if (root != "event" || one->path.size() < 2) continue;
        const std::string& member = one->path[1].key;
        if (std::find(std::begin(members), std::end(members), member) != std::end(members)) {
            continue;
        }
        fields.wrong(
            key,
            fmt::format(
                "'{}' is not defined{}: an event has {}",
                one->path_text,
                suggest(member, {std::begin(members), std::end(members)}),
                fmt::join(members, ", ")
            )
        );
    }
    return filter;
}

json::value read_condition(Fields& fields, std::string_view key) {
    auto value = fields.any(key);
    if (!value || value->is_null()) return nullptr;
    const auto parsed = parse_condition(*value);
    if (!parsed) fields.wrong(key, parsed.error().message);
    return std::move(*value);
}

json::object read_flow_config(NodeType type, Fields& fields) {
    FlowConfig config(fields);
    switch (type) {
        case NodeType::transform:
            config.fixed_text("jq", "must be a jq program, such as .items | length");
            config.any("input");
            break;
        case NodeType::sql:
            config.fixed_text("statement", "must be the SQL to run, with $1, $2 for params");
            config.any("params");
            config.flag("stream");
            break;
        case NodeType::call:
            config.name("workflow", "must name the workflow to start");
            read_called_version(config);
            config.any("input");
            config.text("subject");
            config.flag("wait");
            read_parent_close(config);
            break;
        case NodeType::lock:
        case NodeType::unlock: config.needed_text("key", "must name the critical section"); break;
        case NodeType::message: read_message(config); break;
        case NodeType::action:
            config.name("action", "must name a registered action");
            config.any("params");
            break;
        case NodeType::split: read_split(config); break;
        case NodeType::agent: read_agent(config); break;
        case NodeType::goal: read_goal_node(config); break;
        case NodeType::wait: read_wait(config); break;
        case NodeType::condition: read_condition_config(config); break;
        case NodeType::switch_: read_cases(config); break;
        case NodeType::join: read_join(config); break;
        case NodeType::foreach_: read_foreach(config); break;
        case NodeType::loop: read_loop(config); break;
        case NodeType::scope: config.duration("timeout"); break;
        case NodeType::emit:
            config.name("event", "must name the event");
            config.text("key");
            config.any("data");
            break;
        case NodeType::human: read_human(config); break;
        case NodeType::cancel: config.names("nodes", "must list the nodes to withdraw"); break;
        case NodeType::exit:
            config.word("status", {"completed", "failed"});
            config.any("output");
            config.text("reason");
            break;
        case NodeType::end: config.any("output"); break;
        default: break;
    }
    return std::move(config).take();
}

}  // namespace pawl
