#pragma once

#include "model/events/branch_events.hpp"
#include "model/events/log_codec.hpp"
#include "model/events/signal_data.hpp"

// What events say that are about a run as a whole. run_completed has the output as its data,
// run_failed only an error, run_resumed what the message said.
namespace pawl::events {

// The token of another run that waits for this one; that run is the parent.
struct Caller {
    std::uint32_t token = 0;
    std::uint32_t visit = 1;
    std::uint32_t depth = 1;  // how many calls deep
    bool waits = true;        // false: it only started it
    // Where the runs that wait for it keep places (flow_ticket): it runs in one of theirs.
    std::vector<std::string> gates = {};

    PAWL_LOGGED(Caller, (always, token, visit, depth), (always_truth, waits), (when_set, gates));
};

// Whose steps the first events of a copy are.
struct Owner {
    std::string run;
    std::int32_t until = 0;  // the last of its events

    PAWL_LOGGED(Owner, (always, run, until));
};

// The runs that this one goes on from: of a retry, of a rerun, or of a child that stands for one
// before.
struct Chain {
    std::string_view takes_over;  // the child in whose place it was started
    std::string_view retry_of;
    std::string_view rerun_of;
    std::optional<std::int64_t> copied;  // the last event that it has from the run before
    std::string_view first_run;          // whose steps it tries again
    std::string_view anew_run;           // the first of them that began anew
    std::string_view branch_run;         // the first that took over from a child without its log
    std::vector<Owner> owners;           // of a rerun: of the events that it has from others
    Numbers released;                    // of a rerun: records that the run before has undone

    PAWL_LOGGED(
        Chain,
        (when_set,
         takes_over,
         retry_of,
         rerun_of,
         copied,
         first_run,
         anew_run,
         branch_run,
         owners,
         released)
    );
};

// The store adds it, so that SQL and workers say the same.
struct StartPriority {
    std::optional<std::int64_t> priority;

    PAWL_LOGGED(StartPriority, (when_set, priority));
};

struct RunStarted {
    static constexpr EventType type = EventType::run_started;

    std::int32_t workflow = 0;
    std::int32_t version = 0;
    Payload input;
    std::string_view subject;
    std::optional<std::int64_t> timeout_ms;
    std::string_view correlation_id;
    std::string_view triggered_by;
    std::string_view parent;  // the run that this one repeats, or that called it
    std::optional<Caller> caller;
    Chain chain;
    std::optional<Instant> start_at;  // when it was told to start later
    std::string_view started_at;      // when the first of its runs did, or for plans; RFC 3339
    std::string_view traceparent;
    bool uncounted = false;  // started in SQL: no worker has counted it yet
    Payload flow;            // its ticket, when it has limits (flow_ticket)
    StartPriority rank;

    PAWL_LOGGED(
        RunStarted,
        (always, workflow, version, input),
        (when_set, subject, timeout_ms, correlation_id, triggered_by, parent, caller),
        (all_of, chain),
        (when_set, start_at, started_at, traceparent),
        (truth, uncounted),
        (when_set, flow),
        (all_of, rank)
    );
};

struct RunCancelled {
    static constexpr EventType type = EventType::run_cancelled;

    std::string_view reason;
    bool force = false;             // at once: nothing was waited for or undone
    std::vector<std::string> ends;  // child runs that end with it

    PAWL_LOGGED(RunCancelled, (always, reason), (when_set, force, ends));
};

// By a person, with the reason; or by the engine, with a code and what else it knows.
struct RunPaused {
    static constexpr EventType type = EventType::run_paused;

    std::string_view by;
    std::string_view code;
    std::string_view reason;

    PAWL_LOGGED(RunPaused, (when_set, by, code, reason));
};

// What was done is undone before the run ends; its error is the event's.
struct CompensationStarted {
    static constexpr EventType type = EventType::compensation_started;

    RunStatus status = RunStatus::failed;  // how it will end
    std::optional<Numbers> undo;           // records; an earlier release named none and meant all
    std::string_view reason;               // of a cancel

    PAWL_LOGGED(CompensationStarted, (always, status), (when_set, undo, reason));
};

// Nothing new is begun; what is under way is waited for, then undone.
struct RunStopping {
    static constexpr EventType type = EventType::run_stopping;

    RunStatus status = RunStatus::failed;  // how it will end
    std::string_view reason;               // of a cancel
    Payload output;
    Withdrawal withdrawal;

    PAWL_LOGGED(RunStopping, (always, status), (when_set, reason, output), (all_of, withdrawal));
};

// One step that the plan of a code workflow asked for.
struct PlannedCall {
    std::string_view id;
    std::string_view step;
    Payload config;

    PAWL_LOGGED(PlannedCall, (always, id, step), (when_set, config));
};

struct Planned {
    static constexpr EventType type = EventType::planned;

    Payload steps;  // PlannedCall each

    std::vector<PlannedCall> calls() const {
        std::vector<PlannedCall> all;
        if (steps) decode(*steps, all);
        return all;
    }

    PAWL_LOGGED(Planned, (always, steps));
};

// From here on the run is one of another version. What the order says besides stays in the log.
struct RunRepinned {
    static constexpr EventType type = EventType::run_repinned;

    RepinSignal order;
    std::int32_t from = 0;                    // the version before
    std::optional<std::string_view> refused;  // why it was not done

    PAWL_LOGGED(RunRepinned, (all_of, order), (always, from), (when_set, refused));
};

// A worker met it that does not know its version.
struct RunHeld {
    static constexpr EventType type = EventType::run_held;

    std::optional<std::int64_t> version;
    std::string_view reason;

    PAWL_LOGGED(RunHeld, (always, version, reason));
};

}  // namespace pawl::events
