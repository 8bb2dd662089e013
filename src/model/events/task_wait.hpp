#pragma once

#include "model/events/log_codec.hpp"

namespace pawl::events {

// Names of people: each once, in any spelling.
struct People {
    std::vector<std::string> names;

    bool has(std::string_view name) const;
    // Adds a name, or a list of them; false: one is empty, or none at all.
    bool gather(const json::value& written);

    bool operator==(const People&) const = default;
};
void decode(const json::value& value, People& people);
json::value encode(const People& people);
inline bool is_set(const People& people) {
    return !people.names.empty();
}

// How many votes are needed.
struct VotesNeeded {
    std::int64_t count = 1;  // 0: what is written is no number of votes

    bool operator==(const VotesNeeded&) const = default;
};
void decode(const json::value& value, VotesNeeded& votes);
json::value encode(VotesNeeded votes);
inline bool is_set(VotesNeeded votes) {
    return votes.count != 1;
}

// Who is asked next, and when.
struct Escalation {
    std::optional<Instant> at;
    json::value to;

    bool operator==(const Escalation&) const = default;

    static constexpr auto members() {
        return std::tuple(when_set("at", &Escalation::at), when_set("to", &Escalation::to));
    }
};

// A person is asked. The log has all that the step says (title, description, data, form ...); here
// is what decides who may answer, and when the task goes to another person.
struct TaskWait {
    std::string title;
    std::string assignee;
    std::string group;
    People exclude;
    People approvers;
    VotesNeeded approvals;
    VotesNeeded rejections_needed;
    std::vector<Escalation> escalations;  // those after the next one
    std::optional<Instant> escalate_at;
    json::value escalate_to;
    std::uint32_t visit = 0;
    std::optional<Instant> until;
    std::optional<Instant> remind_at;
    bool escalated = false;  // known from wait_noted, not from here

    // The task goes to the next person of the chain.
    void escalate();

    bool operator==(const TaskWait&) const = default;

    static constexpr auto members() {
        return std::tuple(
            when_set("title", &TaskWait::title),
            when_set("assignee", &TaskWait::assignee),
            when_set("group", &TaskWait::group),
            when_set("exclude", &TaskWait::exclude),
            when_set("approvers", &TaskWait::approvers),
            when_set("approvals", &TaskWait::approvals),
            when_set("rejections_needed", &TaskWait::rejections_needed),
            when_set("escalations", &TaskWait::escalations),
            when_set("escalate_at", &TaskWait::escalate_at),
            when_set("escalate_to", &TaskWait::escalate_to),
            constant("for", "task"),
            when_set("visit", &TaskWait::visit),
            when_set("until", &TaskWait::until),
            when_set("remind_at", &TaskWait::remind_at)
        );
    }
};

// The chain of escalation, in the words of a task.
void write_escalations(json::object& asked, std::vector<Escalation> chain);
// What a step says, with what the log adds to it; `due` and `remind_after` are instants there.
json::object write_asked(json::object asked, const TaskWait& wait);

}  // namespace pawl::events
