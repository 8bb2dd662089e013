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

    bool operator==(const Caller&) const = default;

    static constexpr auto members() {
        return std::tuple(
            always("token", &Caller::token),
            always("visit", &Caller::visit),
            always("depth", &Caller::depth),
            truth("waits", &Caller::waits, true),
            when_set("gates", &Caller::gates)
        );
    }
};

// Whose steps the first events of a copy are.
struct Owner {
    std::string run;
    std::int32_t until = 0;  // the last of its events

    bool operator==(const Owner&) const = default;

    static constexpr auto members() {
        return std::tuple(always("run", &Owner::run), always("until", &Owner::until));
    }
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

    bool operator==(const Chain&) const = default;

    static constexpr auto members() {
        return std::tuple(
            when_set("takes_over", &Chain::takes_over),
            when_set("retry_of", &Chain::retry_of),
            when_set("rerun_of", &Chain::rerun_of),
            when_set("copied", &Chain::copied),
            when_set("first_run", &Chain::first_run),
            when_set("anew_run", &Chain::anew_run),
            when_set("branch_run", &Chain::branch_run),
            when_set("owners", &Chain::owners),
            when_set("released", &Chain::released)
        );
    }
};

// The store adds it, so that SQL and workers say the same.
struct StartPriority {
    std::optional<std::int64_t> priority;

    bool operator==(const StartPriority&) const = default;

    static constexpr auto members() {
        return std::tuple(when_set("priority", &StartPriority::priority));
    }
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

    bool operator==(const RunStarted&) const = default;

    static constexpr auto members() {
        return std::tuple(
            always("workflow", &RunStarted::workflow),
            always("version", &RunStarted::version),
            always("input", &RunStarted::input),
            when_set("subject", &RunStarted::subject),
            when_set("timeout_ms", &RunStarted::timeout_ms),
            when_set("correlation_id", &RunStarted::correlation_id),
            when_set("triggered_by", &RunStarted::triggered_by),
            when_set("parent", &RunStarted::parent),
            when_set("caller", &RunStarted::caller),
            all_of(&RunStarted::chain),
            when_set("start_at", &RunStarted::start_at),
            when_set("started_at", &RunStarted::started_at),
            when_set("traceparent", &RunStarted::traceparent),
            truth("uncounted", &RunStarted::uncounted),
            when_set("flow", &RunStarted::flow),
            all_of(&RunStarted::rank)
        );
    }
};

struct RunCancelled {
    static constexpr EventType type = EventType::run_cancelled;

    std::string_view reason;
    bool force = false;             // at once: nothing was waited for or undone
    std::vector<std::string> ends;  // child runs that end with it

    bool operator==(const RunCancelled&) const = default;

    static constexpr auto members() {
        return std::tuple(
            always("reason", &RunCancelled::reason),
            when_set("force", &RunCancelled::force),
            when_set("ends", &RunCancelled::ends)
        );
    }
};

// By a person, with the reason; or by the engine, with a code and what else it knows.
struct RunPaused {
    static constexpr EventType type = EventType::run_paused;

    std::string_view by;
    std::string_view code;
    std::string_view reason;

    bool operator==(const RunPaused&) const = default;

    static constexpr auto members() {
        return std::tuple(
            when_set("by", &RunPaused::by),
            when_set("code", &RunPaused::code),
            when_set("reason", &RunPaused::reason)
        );
    }
};

// What was done is undone before the run ends; its error is the event's.
struct CompensationStarted {
    static constexpr EventType type = EventType::compensation_started;

    RunStatus status = RunStatus::failed;  // how it will end
    std::optional<Numbers> undo;           // records; an earlier release named none and meant all
    std::string_view reason;               // of a cancel

    bool operator==(const CompensationStarted&) const = default;

    static constexpr auto members() {
        return std::tuple(
            always("status", &CompensationStarted::status),
            when_set("undo", &CompensationStarted::undo),
            when_set("reason", &CompensationStarted::reason)
        );
    }
};

// Nothing new is begun; what is under way is waited for, then undone.
struct RunStopping {
    static constexpr EventType type = EventType::run_stopping;

    RunStatus status = RunStatus::failed;  // how it will end
    std::string_view reason;               // of a cancel
    Payload output;
    Withdrawal withdrawal;

    bool operator==(const RunStopping&) const = default;

    static constexpr auto members() {
        return std::tuple(
            always("status", &RunStopping::status),
            when_set("reason", &RunStopping::reason),
            when_set("output", &RunStopping::output),
            all_of(&RunStopping::withdrawal)
        );
    }
};

// One step that the plan of a code workflow asked for.
struct PlannedCall {
    std::string_view id;
    std::string_view step;
    Payload config;

    bool operator==(const PlannedCall&) const = default;

    static constexpr auto members() {
        return std::tuple(
            always("id", &PlannedCall::id),
            always("step", &PlannedCall::step),
            when_set("config", &PlannedCall::config)
        );
    }
};

struct Planned {
    static constexpr EventType type = EventType::planned;

    Payload steps;  // PlannedCall each

    std::vector<PlannedCall> calls() const {
        std::vector<PlannedCall> all;
        if (steps) decode(*steps, all);
        return all;
    }

    bool operator==(const Planned&) const = default;

    static constexpr auto members() { return std::tuple(always("steps", &Planned::steps)); }
};

// From here on the run is one of another version. What the order says besides stays in the log.
struct RunRepinned {
    static constexpr EventType type = EventType::run_repinned;

    RepinSignal order;
    std::int32_t from = 0;                    // the version before
    std::optional<std::string_view> refused;  // why it was not done

    bool operator==(const RunRepinned&) const = default;

    static constexpr auto members() {
        return std::tuple(
            all_of(&RunRepinned::order),
            always("from", &RunRepinned::from),
            when_set("refused", &RunRepinned::refused)
        );
    }
};

// A worker met it that does not know its version.
struct RunHeld {
    static constexpr EventType type = EventType::run_held;

    std::optional<std::int64_t> version;
    std::string_view reason;

    bool operator==(const RunHeld&) const = default;

    static constexpr auto members() {
        return std::tuple(always("version", &RunHeld::version), always("reason", &RunHeld::reason));
    }
};

}  // namespace pawl::events
