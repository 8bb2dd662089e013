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

    PAWL_LOGGED(Escalation, (when_set, at, to));
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

    PAWL_LOGGED(
        TaskWait,
        (when_set,
         title,
         assignee,
         group,
         exclude,
         approvers,
         approvals,
         rejections_needed,
         escalations,
         escalate_at,
         escalate_to),
        (also, constant("for", "task")),
        (when_set, visit, until, remind_at)
    );
};

// The chain of escalation, in the words of a task.
void write_escalations(json::object& asked, std::vector<Escalation> chain);
// What a step says, with what the log adds to it; `due` and `remind_after` are instants there.
json::object write_asked(json::object asked, const TaskWait& wait);

}  // namespace pawl::events
