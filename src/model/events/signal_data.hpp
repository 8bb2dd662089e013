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

    PAWL_LOGGED(SignalReceived, (always, id, kind, data), (when_set, dropped));
};

struct CancelSignal {
    std::string_view reason;
    bool force = false;  // at once: nothing is waited for or undone

    PAWL_LOGGED(CancelSignal, (always, reason), (truth, force));
};

// It goes into the log as it came (RunPaused).
struct PauseSignal {
    std::string_view reason;

    PAWL_LOGGED(PauseSignal, (always, reason));
};

// A person lets a step be; what it says goes into the log as it came (StepSkipped).
struct SkipSignal {
    std::string_view node;
    std::optional<std::int64_t> token;  // none: the first one there
    std::string_view by;
    std::string_view reason;
    Payload value;  // what the step leaves instead of a result

    PAWL_LOGGED(
        SkipSignal, (always, node), (when_set, token), (always, by, reason), (when_set, value)
    );
};

// The run is to become one of another version.
struct RepinSignal {
    std::int32_t version = 0;
    Payload map;  // {old: new} names of nodes
    std::string_view by;
    Payload job;  // that moves many runs

    PAWL_LOGGED(RepinSignal, (when_set, version, map, by, job));
};

// Whom an answer is for, whatever its kind.
struct Address {
    std::optional<std::int64_t> token;
    std::optional<std::int64_t> visit;    // none: any
    std::optional<std::int64_t> attempt;  // none: any

    PAWL_LOGGED(Address, (when_set, token, visit, attempt));
};

// An event from outside that a token waits for, or the run (plan::token_of_run).
struct EventSignal {
    std::string_view id;
    std::string_view name;
    std::string_view key;
    std::optional<std::int64_t> token;
    Payload data;

    PAWL_LOGGED(EventSignal, (when_set, id), (always, name, key), (when_set, token, data));
};

// A message by name.
struct NamedSignal {
    std::string_view name;
    Payload data;

    PAWL_LOGGED(NamedSignal, (always, name), (when_set, data));
};

// What a wait for an event leaves, as the message has it.
struct EventAnswer {
    Payload name;
    Payload key;
    Payload id;
    Payload data;

    PAWL_LOGGED(EventAnswer, (when_set, name, key, id, data));
};

// What a person decided; the step leaves it as the message has it.
struct TaskAnswer {
    Payload decision;  // approved or rejected
    Payload by;
    Payload reason;
    Payload data;

    PAWL_LOGGED(TaskAnswer, (when_set, decision, by, reason, data));
};
struct TaskSignal {
    Address to;
    TaskAnswer answer;

    PAWL_LOGGED(TaskSignal, (all_of, to, answer));
};

// A run that another one waits for has closed.
struct ChildSignal {
    std::optional<std::int64_t> token;
    std::string_view run;
    std::string_view status;
    Payload output;
    Payload error;  // of one that was cancelled: what it could not undo

    PAWL_LOGGED(ChildSignal, (always, token, run, status), (when_set, output, error));
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

    PAWL_LOGGED(
        CallbackSignal,
        (all_of, to),
        (when_set, by, heartbeat, status, data),
        (truth, again),
        (when_set, error)
    );
};

// A place in a critical section is free.
struct LockSignal {
    std::optional<std::int64_t> token;
    std::string_view key;

    PAWL_LOGGED(LockSignal, (always, token, key));
};

// A start that was gathered into this run before it began: its input counts, or one more item.
struct GatherSignal {
    Payload item;
    Payload input;

    PAWL_LOGGED(GatherSignal, (when_set, item, input));
};

}  // namespace pawl::events
