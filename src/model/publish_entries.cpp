#include "model/publish_entries.hpp"

#include "base/json.hpp"
#include "model/condition.hpp"
#include "model/suggest.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace pawl {

namespace {

using Names = std::vector<std::string_view>;

bool has(const Names& names, std::string_view name) {
    return std::find(names.begin(), names.end(), name) != names.end();
}

const Names& members_of(EventReader reader) {
    static const Names of_trigger{"id", "name", "key", "subject", "source", "time", "data"};
    static const Names of_run{"id", "name", "key", "data"};
    return reader == EventReader::trigger ? of_trigger : of_run;
}

// The shorter one is the longer one without one letter.
bool lacks_one(std::string_view shorter, std::string_view longer) {
    if (shorter.size() + 1 != longer.size()) return false;
    const auto [left, right] = std::mismatch(shorter.begin(), shorter.end(), longer.begin());
    return std::equal(left, shorter.end(), right + 1);
}

bool has_two_swapped(std::string_view word, std::string_view name) {
    if (word.size() != name.size()) return false;
    const auto [left, right] = std::mismatch(word.begin(), word.end(), name.begin());
    const auto rest = word.end() - left;
    return rest >= 2 && left[0] == right[1] && left[1] == right[0] &&
           std::equal(left + 2, word.end(), right + 2);
}

// A letter too few or too many, or two in the wrong order. Other words differ by more than that:
// `date` and `events` may be fields.
bool is_slip_of(std::string_view word, std::string_view name) {
    const bool plural = word.size() == name.size() + 1 && word.starts_with(name);
    return !plural &&
           (lacks_one(word, name) || lacks_one(name, word) || has_two_swapped(word, name));
}

class Entries {
public:
    Entries(const Definition& definition, const Document& document, Problems& problems)
        : definition_(definition), document_(document), problems_(problems) {}

    void run() {
        for (std::size_t i = 0; i < definition_.triggers.size(); ++i) trigger(i);
        for (std::size_t i = 0; i < definition_.exit_on.size(); ++i) {
            filter(definition_.exit_on[i].filter, "exit_on", i, EventReader::run);
        }
        for (std::size_t i = 0; i < definition_.goals.size(); ++i) {
            filter(definition_.goals[i].filter, "goal", i, EventReader::run);
        }
        const auto& limits = definition_.flow.concurrency;
        for (std::size_t i = 0; i < limits.size(); ++i) {
            const bool several = limits.size() > 1;
            limit(limits[i].key, several ? fmt::format("concurrency[{}]", i) : "concurrency");
        }
        if (definition_.flow.rate) limit(definition_.flow.rate->key, "rate");
        if (const auto& gathering = definition_.flow.gathering) {
            limit(gathering->key, gathering->batch ? "batch" : "debounce");
        }
    }

private:
    void trigger(std::size_t index) {
        const Trigger& trigger = definition_.triggers[index];
        if (trigger.event.empty()) return;
        filter(trigger.filter, "triggers", index, EventReader::trigger);
        texts(trigger.filter, "triggers", index, "filter");
        texts(json::value(trigger.subject), "triggers", index, "subject");
        texts(trigger.input, "triggers", index, "input");
    }

    void filter(
        const json::value& filter, std::string_view list, std::size_t index, EventReader reader
    ) {
        const auto condition = parse_condition(filter);
        if (filter.is_null() || !condition) return;
        for (const Comparison* one : comparisons(*condition)) {
            if (one->path.empty()) continue;
            wrong(list, index, "filter", event_name_problem(one->path, one->path_text, reader));
        }
    }

    void texts(
        const json::value& value, std::string_view list, std::size_t index, std::string_view key
    ) {
        const auto found = placeholders(value);
        if (!found) return;
        for (const Placeholder& one : *found) {
            if (one.has_default) continue;
            wrong(list, index, key, event_name_problem(one.path, one.text, EventReader::trigger));
        }
    }

    void wrong(
        std::string_view list, std::size_t index, std::string_view key, const std::string& what
    ) {
        if (what.empty()) return;
        const Document* all = document_.find(list);
        const bool there = all != nullptr && index < all->items.size();
        const Document* one = there ? all->items[index].find(key) : nullptr;
        const int line = one != nullptr ? one->line : there ? all->items[index].line : 0;
        problems_.add(line, fmt::format("{}[{}].{}", list, index, key), what);
    }

    // Rendered before the first step: it knows only the input and the subject.
    void limit(const std::string& key, std::string_view place) {
        const auto found = placeholders(json::value(key));
        if (!found) return;
        const Document* flow = document_.find("flow");
        for (const Placeholder& one : *found) {
            if (one.has_default || !comes_later(one.path)) continue;
            problems_.add(
                flow == nullptr ? 0 : flow->line,
                fmt::format("flow.{}.key", place),
                fmt::format(
                    "'{}' is not known before the first step: known are the fields of the input, "
                    "as input.name or name, and run.subject",
                    one.text
                )
            );
        }
    }

    bool comes_later(const Path& path) const {
        const std::string& root = path[0].key;
        if (root == "input" || is_required_field(definition_, root)) return false;
        if (root == "run") return path.size() < 2 || path[1].key != "subject";
        static const Names of_places{"steps", "item", "index", "outer", "error", "undo"};
        if (has(of_places, root)) return true;
        const bool outcome = root.ends_with("_result") || root.ends_with("_error");
        return root.starts_with("step_") && outcome;
    }

    const Definition& definition_;
    const Document& document_;
    Problems& problems_;
};

}  // namespace

std::string event_name_problem(const Path& path, std::string_view text, EventReader reader) {
    const Names& members = members_of(reader);
    const std::string& root = path[0].key;
    if (path.size() < 2 || has(members, root)) return {};
    if (root == "event") {
        const std::string& member = path[1].key;
        if (path[1].is_index || has(members, member)) return {};
        return fmt::format(
            "'{}' is not defined{}: an event has {}",
            text,
            suggest(member, members),
            fmt::join(members, ", ")
        );
    }
    for (const std::string_view name : {"event", "data"}) {
        if (!is_slip_of(root, name)) continue;
        return fmt::format(
            "'{0}' is not defined, did you mean '{1}'? An event has {2}; a field of its data is "
            "data.{0}",
            text,
            name,
            fmt::join(members, ", ")
        );
    }
    return {};
}

void check_entries(const Definition& definition, const Document& document, Problems& problems) {
    Entries(definition, document, problems).run();
}

}  // namespace pawl
