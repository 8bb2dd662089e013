#include "model/events/task_wait.hpp"

#include "base/json.hpp"
#include "model/person.hpp"
#include "model/template.hpp"

#include <algorithm>

namespace pawl::events {

bool People::has(std::string_view name) const {
    return std::any_of(names.begin(), names.end(), [&](const std::string& one) {
        return is_same_person(one, name);
    });
}

bool People::gather(const json::value& written) {
    if (const json::array* list = written.if_array()) {
        return std::all_of(list->begin(), list->end(), [this](const json::value& one) {
            return gather(one);
        });
    }
    if (written.is_null() || written.is_object()) return false;
    std::string text;
    append_text(text, written);
    std::string name = person_name(text);
    if (name.empty()) return false;
    if (!has(name)) names.push_back(std::move(name));
    return true;
}

void decode(const json::value& value, People& people) {
    people.gather(value);
}

json::value encode(const People& people) {
    return encode(people.names);
}

void decode(const json::value& value, VotesNeeded& votes) {
    constexpr std::int64_t votes_max = 100;
    if (value.is_null()) return;
    const auto number = whole_number(&value);
    votes.count = number && *number >= 1 && *number <= votes_max ? *number : 0;
}

json::value encode(VotesNeeded votes) {
    return json::value(votes.count);
}

void TaskWait::escalate() {
    escalated = true;
    escalate_at.reset();
    if (escalations.empty()) return;
    Escalation next = std::move(escalations.front());
    escalations.erase(escalations.begin());
    escalate_at = next.at;
    if (!next.to.is_null()) escalate_to = std::move(next.to);
}

void write_escalations(json::object& asked, std::vector<Escalation> chain) {
    if (chain.empty()) return;
    TaskWait wait;
    wait.escalations = std::move(chain);
    wait.escalate();
    const auto put = [&asked](std::string_view key, json::value value) {
        asked.insert_or_assign(key, std::move(value));
    };
    if (!wait.escalations.empty()) put("escalations", encode(std::move(wait.escalations)));
    put("escalate_at", encode(wait.escalate_at));
    put("escalate_to", std::move(wait.escalate_to));
}

json::object write_asked(json::object asked, const TaskWait& wait) {
    asked.insert_or_assign("for", "task");
    asked.insert_or_assign("visit", wait.visit);
    asked.erase("due");
    if (wait.until) asked.insert_or_assign("until", micros_of(*wait.until));
    asked.erase("remind_after");
    if (wait.remind_at) asked.insert_or_assign("remind_at", micros_of(*wait.remind_at));
    return asked;
}

}  // namespace pawl::events
