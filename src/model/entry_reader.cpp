#include "base/json.hpp"
#include "model/cron.hpp"
#include "model/flow_reader.hpp"
#include "model/name_limits.hpp"
#include "model/row_conditions.hpp"
#include "model/suggest.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace pawl {

namespace {

const std::vector<std::string_view> reentry_words{"always", "once", "while_none_open"};
const std::vector<std::string_view> overlap_words{"skip", "allow", "queue"};

std::string word_of(
    Fields& fields, std::string_view key, const std::vector<std::string_view>& words
) {
    std::string word = fields.text(key).value_or(std::string(words.front()));
    if (std::find(words.begin(), words.end(), word) == words.end()) {
        fields.wrong(
            key,
            fmt::format(
                "'{}' is not known{}: use one of {}",
                word,
                suggest(word, words),
                fmt::join(words, ", ")
            )
        );
    }
    return word;
}

// Calls read(fields) for every map of a list.
template <typename Read>
void each_map(Fields& fields, std::string_view key, std::string_view shape, Read read) {
    const Document* list = fields.take(key);
    if (list == nullptr) return;
    if (list->kind != Document::Kind::list || list->items.size() > 50) {
        fields.wrong(key, fmt::format("must be a list of {}, 50 at most", shape));
        return;
    }
    for (std::size_t i = 0; i < list->items.size(); ++i) {
        Fields item(
            list->items[i], fmt::format("{}[{}]", fields.path_of(key), i), fields.problems()
        );
        read(item);
        item.finish();
    }
}

ExitEvent read_exit(Fields& fields) {
    ExitEvent exit;
    exit.event = fields.text("event").value_or("");
    exit.key = fields.template_text("key").value_or("");
    exit.filter = read_event_filter(fields, "filter");
    if (exit.event.empty()) fields.wrong("event", "must name the event that ends the run");
    if (exit.event.size() > name_bytes_max) fields.wrong("event", "is longer than 500 bytes");
    return exit;
}

constexpr std::size_t goals_max = 20;

Goal read_goal(Fields& fields) {
    Goal goal;
    goal.event = fields.text("event").value_or("");
    if (goal.event.empty()) fields.wrong("event", "must name the event that counts");
    if (goal.event.size() > name_bytes_max) fields.wrong("event", "is longer than 500 bytes");
    goal.name = fields.text("name").value_or(goal.event);
    if (goal.name.size() > name_bytes_max) fields.wrong("name", "is longer than 500 bytes");
    goal.key = fields.template_text("key").value_or("");
    goal.filter = read_event_filter(fields, "filter");
    goal.within = fields.positive_duration("within");
    if (const auto exit = fields.any("exit")) {
        if (!exit->is_bool()) fields.wrong("exit", "must be true or false");
        goal.exit = *exit == true;
    }
    fields.finish();
    return goal;
}

// One goal, or a list of them.
void read_goals(Fields& fields, Definition& definition) {
    const Document* written = fields.take("goal");
    if (written == nullptr) return;
    const bool several = written->kind == Document::Kind::list;
    if (several ? written->items.empty() || written->items.size() > goals_max
                : written->kind != Document::Kind::map) {
        fields.wrong("goal", "must be {event, within, exit}, or a list of them, 20 at most");
        return;
    }
    const auto add = [&](const Document& one, std::string path) {
        Fields own(one, std::move(path), fields.problems());
        Goal goal = read_goal(own);
        const auto same = [&](const Goal& other) { return other.name == goal.name; };
        const auto& known = definition.goals;
        if (std::any_of(known.begin(), known.end(), same)) {
            own.wrong("name", "is that of another goal: give each a name of its own");
        }
        definition.goals.push_back(std::move(goal));
    };
    if (!several) return add(*written, fields.path_of("goal"));
    for (std::size_t i = 0; i < written->items.size(); ++i) {
        add(written->items[i], fmt::format("{}[{}]", fields.path_of("goal"), i));
    }
}

// A schedule that could not fire is refused here, not found out at night.
void read_schedule(Fields& fields, Trigger& trigger) {
    if (const auto cron = parse_cron(trigger.cron); !cron) {
        fields.wrong("cron", cron.error().message);
    }
    trigger.timezone = fields.text("timezone").value_or("UTC");
    if (const auto zone = parse_time_zone(trigger.timezone); !zone) {
        fields.wrong("timezone", zone.error().message);
    }
    trigger.overlap = word_of(fields, "overlap", overlap_words);
    if (const auto late = fields.positive_duration("catch_up")) trigger.catch_up = *late;
    if (const auto jitter = fields.positive_duration("jitter")) trigger.jitter = *jitter;
    if (!trigger.input.is_null() && !trigger.input.is_object()) {
        fields.wrong("input", "must be a map: it becomes the input of the run");
    }
}

// To everything behind it a message of a queue is an event of this name.
void read_queue(Fields& fields, Trigger& trigger, const std::string& queue) {
    constexpr std::size_t length_max = 47;  // what pgmq allows
    if (!trigger.event.empty()) fields.wrong("queue", "cannot stand beside an event");
    if (queue.empty() || queue.size() > length_max ||
        queue.find_first_of("$;'") != std::string::npos || queue.find("--") != std::string::npos) {
        fields.wrong("queue", "must be the name of a queue: up to 47 bytes without $ ; ' or --");
    }
    trigger.event = "queue:" + queue;
}

// INSERT, or [INSERT, UPDATE].
std::vector<std::string> read_operations(Fields& fields) {
    static const std::vector<std::string_view> words{"INSERT", "UPDATE", "DELETE"};
    const auto given = fields.any("operation");
    if (!given || given->is_null()) return {};
    std::vector<std::string> operations;
    const json::array items = given->is_array() ? given->get_array() : json::array{*given};
    for (const json::value& item : items) {
        std::string word(item.is_string() ? std::string_view(item.get_string()) : "");
        std::transform(word.begin(), word.end(), word.begin(), [](char c) {
            return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
        });
        if (std::find(words.begin(), words.end(), word) == words.end()) {
            fields.wrong("operation", "must be INSERT, UPDATE or DELETE, or a list of them");
            return {};
        }
        if (std::find(operations.begin(), operations.end(), word) == operations.end()) {
            operations.push_back(std::move(word));
        }
    }
    if (operations.empty()) fields.wrong("operation", "must name at least one operation");
    return operations;
}

json::value read_row_conditions(Fields& fields) {
    auto conditions = fields.any("conditions");
    if (!conditions || conditions->is_null()) return nullptr;
    if (const auto parsed = parse_row_conditions(*conditions); !parsed) {
        fields.wrong("conditions", parsed.error().message);
    }
    return std::move(*conditions);
}

Trigger read_trigger(Fields& fields) {
    Trigger trigger;
    trigger.event = fields.text("event").value_or("");
    if (trigger.event.size() > name_bytes_max) fields.wrong("event", "is longer than 500 bytes");
    if (const auto queue = fields.text("queue")) read_queue(fields, trigger, *queue);
    trigger.cron = fields.text("cron").value_or("");
    trigger.input = fields.any("input").value_or(nullptr);
    if (trigger.event.empty() == trigger.cron.empty()) {
        fields.wrong("must have either an event, a queue or a cron expression");
    } else if (!trigger.cron.empty()) {
        read_schedule(fields, trigger);
    } else {
        trigger.operations = read_operations(fields);
        trigger.conditions = read_row_conditions(fields);
        trigger.subject = fields.template_text("subject").value_or("");
        trigger.filter = read_condition(fields, "filter");
    }
    return trigger;
}

}  // namespace

void read_entries(Fields& fields, Definition& definition) {
    const std::string reentry = word_of(fields, "reentry", reentry_words);
    if (reentry == "once") definition.reentry = Reentry::once;
    if (reentry == "while_none_open") definition.reentry = Reentry::while_none_open;
    each_map(fields, "exit_on", "{event, key, filter}", [&](Fields& item) {
        definition.exit_on.push_back(read_exit(item));
    });
    read_goals(fields, definition);
    each_map(fields, "triggers", "{event}, {queue} or {cron}", [&](Fields& item) {
        definition.triggers.push_back(read_trigger(item));
    });
    if (const Document* flow = fields.take("flow")) {
        Fields own(*flow, fields.path_of("flow"), fields.problems());
        definition.flow = read_flow_control(own);
    }
}

}  // namespace pawl
