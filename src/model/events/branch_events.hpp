#pragma once

#include "model/events/log_codec.hpp"

// What events say about branches: which way they went, which came together, which are withdrawn.
namespace pawl::events {

// Branches that nothing comes after.
struct Withdrawal {
    Numbers dropped;                // tokens that nothing is under way of
    Numbers awaited;                // tokens whose step is, or may be, under way
    std::vector<std::string> ends;  // child runs that end with them

    bool operator==(const Withdrawal&) const = default;

    static constexpr auto members() {
        return std::tuple(
            when_set("cancelled", &Withdrawal::dropped),
            when_set("withdrawn", &Withdrawal::awaited),
            when_set("ends", &Withdrawal::ends)
        );
    }
};

// The same, for events of any type that have them.
struct EndedChildren {
    std::vector<std::string> ends;

    bool operator==(const EndedChildren&) const = default;

    static constexpr auto members() { return std::tuple(when_set("ends", &EndedChildren::ends)); }
};

// An event that a node publishes.
struct Emitted {
    std::string_view event;
    std::string_view key;
    Payload data;

    bool operator==(const Emitted&) const = default;

    static constexpr auto members() {
        return std::tuple(
            always("event", &Emitted::event),
            when_set("key", &Emitted::key),
            when_set("data", &Emitted::data)
        );
    }
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

    bool operator==(const NodePassed&) const = default;

    static constexpr auto members() {
        return std::tuple(
            when_set("mail", &NodePassed::mail),
            when_set("emit", &NodePassed::emit),
            when_set("value", &NodePassed::value),
            when_set("error", &NodePassed::error),
            when_set("undone", &NodePassed::undone),
            all_of(&NodePassed::withdrawal),
            always("handle", &NodePassed::handle)
        );
    }
};

// Which of the conditional edges were taken after the node ended.
struct Routed {
    static constexpr EventType type = EventType::routed;

    Numbers edges;

    bool operator==(const Routed&) const = default;

    static constexpr auto members() { return std::tuple(always("edges", &Routed::edges)); }
};

struct Joined {
    static constexpr EventType type = EventType::joined;

    Numbers absorbed;  // tokens that came together in this one
    Withdrawal withdrawal;
    Numbers undo;        // records of branches that are withdrawn
    Numbers stragglers;  // tokens that are let in silently when they come
    bool late = false;   // it is one of those

    bool operator==(const Joined&) const = default;

    static constexpr auto members() {
        return std::tuple(
            when_set("absorbed", &Joined::absorbed),
            all_of(&Joined::withdrawal),
            when_set("undo", &Joined::undo),
            when_set("stragglers", &Joined::stragglers),
            when_set("late", &Joined::late)
        );
    }
};

}  // namespace pawl::events
