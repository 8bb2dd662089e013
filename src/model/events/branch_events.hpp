#pragma once

#include "model/events/log_codec.hpp"

// What events say about branches: which way they went, which came together, which are withdrawn.
namespace pawl::events {

// Branches that nothing comes after.
struct Withdrawal {
    Numbers dropped;                // tokens that nothing is under way of
    Numbers awaited;                // tokens whose step is, or may be, under way
    std::vector<std::string> ends;  // child runs that end with them

    PAWL_LOGGED(
        Withdrawal,
        (also,
         when_set("cancelled", &Withdrawal::dropped),
         when_set("withdrawn", &Withdrawal::awaited)),
        (when_set, ends)
    );
};

// The same, for events of any type that have them.
struct EndedChildren {
    std::vector<std::string> ends;

    PAWL_LOGGED(EndedChildren, (when_set, ends));
};

// An event that a node publishes.
struct Emitted {
    std::string_view event;
    std::string_view key;
    Payload data;

    PAWL_LOGGED(Emitted, (always, event), (when_set, key, data));
};

// A node without an effect was passed, or a wait came to its end.
struct NodePassed {
    static constexpr EventType type = EventType::node_passed;

    std::vector<std::int64_t> mail;  // the messages that ended the wait
    Payload emit;                    // Emitted
    Payload value;                   // what it leaves
    Payload error;                   // of a list or scope whose time was over: why
    bool undone = false;             // what it called was told to end, and nothing of it is left
    Withdrawal withdrawal;
    std::string_view handle;

    PAWL_LOGGED(
        NodePassed,
        (when_set, mail, emit, value, error, undone),
        (all_of, withdrawal),
        (always, handle)
    );
};

// Which of the conditional edges were taken after the node ended.
struct Routed {
    static constexpr EventType type = EventType::routed;

    Numbers edges;

    PAWL_LOGGED(Routed, (always, edges));
};

struct Joined {
    static constexpr EventType type = EventType::joined;

    Numbers absorbed;  // tokens that came together in this one
    Withdrawal withdrawal;
    Numbers undo;        // records of branches that are withdrawn
    Numbers stragglers;  // tokens that are let in silently when they come
    bool late = false;   // it is one of those

    PAWL_LOGGED(
        Joined, (when_set, absorbed), (all_of, withdrawal), (when_set, undo, stragglers, late)
    );
};

}  // namespace pawl::events
