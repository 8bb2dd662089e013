#include "base/json.hpp"
#include "model/audience_query.hpp"
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
    if (const auto exit = fields.any("exit"); exit && !exit->is_null()) {
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
        fields.wrong(fields.has("schedule") ? "schedule" : "cron", cron.error().message);
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

// Whom the slots of a schedule are for.
void read_audience(Fields& fields, Trigger& trigger) {
    const std::string given = fields.text("audience").value_or("");
    trigger.audience = trimmed_query(given);
    if (auto problem = audience_problem(given); !problem.empty()) {
        fields.wrong("audience", problem);
    }
    if (const auto schedule = fields.text("schedule")) {
        if (!trigger.cron.empty()) fields.wrong("schedule", "is given beside cron: keep one");
        trigger.cron = *schedule;
    }
    if (const auto time = fields.text("local_time")) {
        trigger.local_time = *time;
        if (auto problem = local_time_problem(*time); !problem.empty()) {
            fields.wrong("local_time", problem);
        }
    }
    if (!trigger.input.is_null()) {
        fields.wrong("input", "the columns of the query are the input of its runs");
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

// A word, or {after: 30d}.
void read_reentry(Fields& fields, Definition& definition) {
    const Document* given = fields.take("reentry");
    if (given != nullptr && given->kind == Document::Kind::map) {
        Fields own(*given, fields.path_of("reentry"), fields.problems());
        const auto after = own.positive_duration("after");
        if (own.take("after") == nullptr) own.wrong("after", "must say how long, such as 30d");
        if (after && *after < std::chrono::seconds(1)) own.wrong("after", "must be 1s or longer");
        own.finish();
        definition.reentry = Reentry::after;
        definition.reentry_after = after.value_or(std::chrono::seconds(1));
        return;
    }
    const std::string word = word_of(fields, "reentry", reentry_words);
    if (word == "once") definition.reentry = Reentry::once;
    if (word == "while_none_open") definition.reentry = Reentry::while_none_open;
}

// What the database can tell by itself (pawl.condition_path): no process looks again.
bool is_plain(const json::value& value) {
    return !value.is_array() && !value.is_object();
}

std::string entry_problem(const Comparison& test) {
    const json::array* list = test.value.if_array();
    const auto& op = test.op;
    const bool listed = op == Operator::in || op == Operator::not_in || op == Operator::between;
    const bool plain = listed ? list != nullptr && std::all_of(list->begin(), list->end(), is_plain)
                              : is_plain(test.value);
    if (!plain) return fmt::format("{}: compare with plain values", test.path_text);
    if (op == Operator::between && list->size() == 2 && (*list)[0].is_string()) {
        return fmt::format("{}: between is for numbers here", test.path_text);
    }
    return {};
}

json::value read_entry_conditions(Fields& fields) {
    auto conditions = fields.any("enter_if");
    if (!conditions || conditions->is_null()) return nullptr;
    const auto parsed = parse_row_conditions(*conditions);
    if (!parsed) {
        fields.wrong("enter_if", parsed.error().message);
        return nullptr;
    }
    for (const Comparison* test : comparisons(*parsed)) {
        if (auto problem = entry_problem(*test); !problem.empty()) {
            fields.wrong("enter_if", problem);
        }
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
    if (fields.has("audience")) read_audience(fields, trigger);
    if (fields.has("audience") && trigger.cron.empty()) {
        fields.wrong("schedule", "must say when the audience is read, such as \"0 9 * * *\"");
    } else if (trigger.event.empty() == trigger.cron.empty()) {
        fields.wrong("must have one of an event, a queue, a cron expression or an audience");
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
    read_reentry(fields, definition);
    definition.enter_if = read_entry_conditions(fields);
    if (!definition.enter_if.is_null()) definition.person = true;
    const auto holdout = fields.whole("holdout", {0, 99});
    definition.holdout = static_cast<std::int32_t>(holdout.value_or(0));
    each_map(fields, "exit_on", "{event, key, filter}", [&](Fields& item) {
        definition.exit_on.push_back(read_exit(item));
    });
    read_goals(fields, definition);
    each_map(fields, "triggers", "{event}, {queue}, {cron} or {audience}", [&](Fields& item) {
        definition.triggers.push_back(read_trigger(item));
    });
    if (const Document* flow = fields.take("flow")) {
        Fields own(*flow, fields.path_of("flow"), fields.problems());
        definition.flow = read_flow_control(own);
    }
}

}  // namespace pawl
