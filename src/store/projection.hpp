#pragma once

#include "base/clock.hpp"
#include "base/ids.hpp"
#include "base/json.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace pawl::store {

// Rows that a commit writes beside the log, because others look for them: subscriptions to events,
// tasks of people. They follow from the events and are written with them.

// A token waits for an event with this key, or the whole run does (plan::token_of_run).
struct Subscribe {
    RunId run;
    std::uint32_t token = 0;
    std::int32_t tenant = 1;
    std::string event;
    std::string key;
    Instant since{};  // events of that time or later count, also those that came before the wait
};

// A token does not wait any more; none of its subscriptions is left.
struct Unsubscribe {
    RunId run;
    std::uint32_t token = 0;
};

// A token gives up its place in the queue for a critical section, or all of its places.
struct LeavePlace {
    RunId run;
    std::uint32_t token = 0;
    std::optional<std::string> key;
};

// A person is asked. `data` is that of wait_started: title, description, data, form, assignee,
// group, approvers, approvals, due_at.
struct OpenTask {
    RunId run;
    std::uint32_t token = 0;
    std::int32_t tenant = 1;
    std::int32_t workflow = 0;
    std::string node;
    std::string subject;
    json::value data;
};

// Something about an open task: {note: reminded | escalated, assignee?}.
struct NoteTask {
    RunId run;
    std::uint32_t token = 0;
    json::value data;
};

// How an open task ended without a decision: "timed_out" or "withdrawn". A decided task is left as
// it is.
struct CloseTask {
    RunId run;
    std::uint32_t token = 0;
    std::string state;
};

// An event that a run publishes. The id is made from run, token and visit: publishing is
// idempotent.
struct Publish {
    RunId run;
    std::int32_t tenant = 1;
    std::string id;
    std::string event;
    std::string key;
    json::value data;
};

// A run that another one waits for has closed.
struct ChildClosed {
    RunId parent;
    json::value data;  // events::ChildSignal
};

// A run asks its child to end with it.
struct EndChild {
    RunId run;  // that asks
    RunId child;
    std::string reason;
};

// A run is one of another version now.
struct Repin {
    RunId run;
    std::int32_t version = 1;
};

// A message to a person ended: it was sent, skipped or refused, or what became of it is unknown.
// `data` is what the step left (events::MessageEnded).
struct MessageRow {
    RunId run;
    std::int32_t tenant = 1;
    std::int32_t workflow = 0;
    std::int32_t version = 1;
    Uuid id;
    std::string node;
    std::string person;
    json::value data;
};

struct Projections {
    std::vector<Subscribe> subscribes;
    std::vector<Unsubscribe> unsubscribes;
    std::vector<LeavePlace> left;
    std::vector<OpenTask> opened;
    std::vector<NoteTask> noted;
    std::vector<CloseTask> closed;
    std::vector<Publish> published;
    std::vector<ChildClosed> children;
    std::vector<EndChild> ends;
    std::vector<Repin> repinned;
    std::vector<MessageRow> messages;
    // Runs that close: whatever is left of theirs goes.
    std::vector<RunId> ended;

    bool empty() const { return messages.empty() && only_messages(); }
    bool only_messages() const {
        return subscribes.empty() && unsubscribes.empty() && left.empty() && opened.empty() &&
               noted.empty() && closed.empty() && published.empty() && children.empty() &&
               ends.empty() && repinned.empty() && ended.empty();
    }
};

}  // namespace pawl::store
