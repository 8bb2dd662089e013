#pragma once

#include "model/events/log_codec.hpp"
#include "model/events/signal_kind.hpp"

// What messages to a run say, a struct for each kind. A resume says nothing that counts.
namespace pawl::events {

// A message that came, as the log has it.
struct SignalReceived {
    static constexpr EventType type = EventType::signal_received;

    std::optional<std::int64_t> id;
    std::string_view kind;                    // the name of a SignalKind
    Payload data;                             // one of the structs below
    std::optional<std::string_view> dropped;  // why it was not kept

    bool operator==(const SignalReceived&) const = default;

    static constexpr auto members() {
        return std::tuple(
            always("id", &SignalReceived::id),
            always("kind", &SignalReceived::kind),
            always("data", &SignalReceived::data),
            when_set("dropped", &SignalReceived::dropped)
        );
    }
};

struct CancelSignal {
    std::string_view reason;
    bool force = false;  // at once: nothing is waited for or undone

    bool operator==(const CancelSignal&) const = default;

    static constexpr auto members() {
        return std::tuple(
            always("reason", &CancelSignal::reason), truth("force", &CancelSignal::force)
        );
    }
};

// It goes into the log as it came (RunPaused).
struct PauseSignal {
    std::string_view reason;

    bool operator==(const PauseSignal&) const = default;

    static constexpr auto members() { return std::tuple(always("reason", &PauseSignal::reason)); }
};

// A person lets a step be; what it says goes into the log as it came (StepSkipped).
struct SkipSignal {
    std::string_view node;
    std::optional<std::int64_t> token;  // none: the first one there
    std::string_view by;
    std::string_view reason;
    Payload value;  // what the step leaves instead of a result

    bool operator==(const SkipSignal&) const = default;

    static constexpr auto members() {
        return std::tuple(
            always("node", &SkipSignal::node),
            when_set("token", &SkipSignal::token),
            always("by", &SkipSignal::by),
            always("reason", &SkipSignal::reason),
            when_set("value", &SkipSignal::value)
        );
    }
};

// The run is to become one of another version.
struct RepinSignal {
    std::int32_t version = 0;
    Payload map;  // {old: new} names of nodes
    std::string_view by;
    Payload job;  // that moves many runs

    bool operator==(const RepinSignal&) const = default;

    static constexpr auto members() {
        return std::tuple(
            when_set("version", &RepinSignal::version),
            when_set("map", &RepinSignal::map),
            when_set("by", &RepinSignal::by),
            when_set("job", &RepinSignal::job)
        );
    }
};

// Whom an answer is for, whatever its kind.
struct Address {
    std::optional<std::int64_t> token;
    std::optional<std::int64_t> visit;    // none: any
    std::optional<std::int64_t> attempt;  // none: any

    bool operator==(const Address&) const = default;

    static constexpr auto members() {
        return std::tuple(
            when_set("token", &Address::token),
            when_set("visit", &Address::visit),
            when_set("attempt", &Address::attempt)
        );
    }
};

// An event from outside that a token waits for, or the run (plan::token_of_run).
struct EventSignal {
    std::string_view id;
    std::string_view name;
    std::string_view key;
    std::optional<std::int64_t> token;
    Payload data;

    bool operator==(const EventSignal&) const = default;

    static constexpr auto members() {
        return std::tuple(
            when_set("id", &EventSignal::id),
            always("name", &EventSignal::name),
            always("key", &EventSignal::key),
            when_set("token", &EventSignal::token),
            when_set("data", &EventSignal::data)
        );
    }
};

// A message by name.
struct NamedSignal {
    std::string_view name;
    Payload data;

    bool operator==(const NamedSignal&) const = default;

    static constexpr auto members() {
        return std::tuple(always("name", &NamedSignal::name), when_set("data", &NamedSignal::data));
    }
};

// What a wait for an event leaves, as the message has it.
struct EventAnswer {
    Payload name;
    Payload key;
    Payload id;
    Payload data;

    bool operator==(const EventAnswer&) const = default;

    static constexpr auto members() {
        return std::tuple(
            when_set("name", &EventAnswer::name),
            when_set("key", &EventAnswer::key),
            when_set("id", &EventAnswer::id),
            when_set("data", &EventAnswer::data)
        );
    }
};

// What a person decided; the step leaves it as the message has it.
struct TaskAnswer {
    Payload decision;  // approved or rejected
    Payload by;
    Payload reason;
    Payload data;

    bool operator==(const TaskAnswer&) const = default;

    static constexpr auto members() {
        return std::tuple(
            when_set("decision", &TaskAnswer::decision),
            when_set("by", &TaskAnswer::by),
            when_set("reason", &TaskAnswer::reason),
            when_set("data", &TaskAnswer::data)
        );
    }
};
struct TaskSignal {
    Address to;
    TaskAnswer answer;

    bool operator==(const TaskSignal&) const = default;

    static constexpr auto members() {
        return std::tuple(all_of(&TaskSignal::to), all_of(&TaskSignal::answer));
    }
};

// A run that another one waits for has closed.
struct ChildSignal {
    std::optional<std::int64_t> token;
    std::string_view run;
    std::string_view status;
    Payload output;
    Payload error;  // of one that was cancelled: what it could not undo

    bool operator==(const ChildSignal&) const = default;

    static constexpr auto members() {
        return std::tuple(
            always("token", &ChildSignal::token),
            always("run", &ChildSignal::run),
            always("status", &ChildSignal::status),
            when_set("output", &ChildSignal::output),
            when_set("error", &ChildSignal::error)
        );
    }
};

// A peer that was called, or a person who found out, says how a step ended; or that it is still at
// work.
struct CallbackSignal {
    Address to;
    std::string_view by;
    bool heartbeat = false;
    std::string_view status;
    Payload data;
    bool again = false;  // it is to be tried again, whatever the policy says
    Payload error;

    bool operator==(const CallbackSignal&) const = default;

    static constexpr auto members() {
        return std::tuple(
            all_of(&CallbackSignal::to),
            when_set("by", &CallbackSignal::by),
            when_set("heartbeat", &CallbackSignal::heartbeat),
            when_set("status", &CallbackSignal::status),
            when_set("data", &CallbackSignal::data),
            truth("again", &CallbackSignal::again),
            when_set("error", &CallbackSignal::error)
        );
    }
};

// A place in a critical section is free.
struct LockSignal {
    std::optional<std::int64_t> token;
    std::string_view key;

    bool operator==(const LockSignal&) const = default;

    static constexpr auto members() {
        return std::tuple(always("token", &LockSignal::token), always("key", &LockSignal::key));
    }
};

// A start that was gathered into this run before it began: its input counts, or one more item.
struct GatherSignal {
    Payload item;
    Payload input;

    bool operator==(const GatherSignal&) const = default;

    static constexpr auto members() {
        return std::tuple(
            when_set("item", &GatherSignal::item), when_set("input", &GatherSignal::input)
        );
    }
};

}  // namespace pawl::events
