#pragma once

#include "pg/pool.hpp"
#include "store/store.hpp"

namespace pawl::store {

// A person is asked by a run.
struct HumanTask {
    Uuid id;
    RunId run;
    std::int32_t token = 0;
    std::string workflow;
    std::string node;
    std::string subject;
    std::string title;
    std::string description;
    json::value data;
    json::value form;  // a JSON Schema; null: none
    std::string assignee;
    std::string group;
    std::vector<std::string> approvers;
    std::int16_t approvals_needed = 1;
    std::vector<std::string> approved_by;
    std::int16_t rejections_needed = 1;
    std::vector<std::string> rejected_by;
    std::vector<std::string> excluded;  // people who may not decide it
    std::string escalated_to;           // the person who decides alone after a timeout
    std::optional<Instant> due_at;
    std::string state;  // open, approved, rejected, timed_out, withdrawn
    std::string claimed_by;
    Instant opened_at{};
    std::optional<Instant> decided_at;
    std::string decided_by;
    std::string reason;
    json::value key_names;  // names of API keys that acted, by their prefixes; null: none did
};

// Who acted, in words for people: an API key by its name.
std::string called(const HumanTask& task, const std::string& who);

// What was done about a task.
struct TaskDecision {
    Instant at{};
    // open, claim, unclaim, delegate, edit, approve, reject, remind, escalate, close
    std::string action;
    std::string by;
    std::string reason;
    json::value data;
    std::string by_name;  // of an API key
};

// Conditions that are not set hold for every task.
struct TaskFilter {
    std::string state;
    std::string assignee;
    std::string group;
    std::string workflow;
    std::optional<RunId> run;
    std::optional<Uuid> before;  // keyset cursor: tasks older than this one
    int limit = 50;
};

struct TaskPage {
    std::vector<HumanTask> tasks;  // newest first
    std::optional<Uuid> next;
};

enum class TaskActionKind { claim, unclaim, delegate, approve, reject };
std::string_view name(TaskActionKind kind);

struct TaskAction {
    TaskActionKind kind = TaskActionKind::approve;
    std::string by;
    std::string reason;
    std::optional<json::value> data;  // approve: as edited
    std::string to;                   // delegate: the new decider
    bool force = false;               // by an administrator
};

enum class TaskAnswer {
    done,
    not_found,
    closed,       // decided already, or withdrawn
    late,         // its time is over
    claimed,      // by another person
    not_allowed,  // this person is not asked
    twice,        // this person has said that already
    voted,        // a seat whose vote was given is not handed on
    seated,       // the new decider has a seat already
    excluded,     // this person may not decide
};

// pawl.human_task, seen and decided. The pool must outlive it.
class HumanTasks {
public:
    explicit HumanTasks(pg::Pool& pool) : pool_(pool) {}

    asio::awaitable<TaskPage> list(Tenant tenant, TaskFilter filter);
    asio::awaitable<std::optional<HumanTask>> find(Tenant tenant, Uuid task);
    // Oldest first, 1000 at most.
    asio::awaitable<std::vector<TaskDecision>> decisions(Tenant tenant, Uuid task);
    // Durable when it returns; a decision has been sent to the run.
    asio::awaitable<TaskAnswer> apply_action(Tenant tenant, Uuid task, TaskAction action);

private:
    pg::Pool& pool_;
};

}  // namespace pawl::store
