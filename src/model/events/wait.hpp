#pragma once

#include "model/events/log_codec.hpp"
#include "model/events/task_wait.hpp"

#include <memory>
#include <variant>

// What a token waits for: the data of wait_started, a struct for each thing that can be waited for.
// Besides, the log says which child runs end, when nothing comes after the step (EndedChildren).
namespace pawl::events {

// Time alone.
struct TimeWait {
    std::optional<Instant> until;

    PAWL_LOGGED(TimeWait, (when_set, until));
};

// One of the events that a wait is for, as the definition gives it.
struct AwaitedEvent {
    Payload handle;
    Payload event;
    Payload key;  // none: the subject of the run
    Payload filter;

    PAWL_LOGGED(AwaitedEvent, (when_set, handle, event, key, filter));
};

struct EventWait {
    std::optional<Instant> until;
    std::string mode;    // all: each of them; else the first that comes
    json::array events;  // AwaitedEvent each

    bool wants_all() const { return mode == "all"; }

    PAWL_LOGGED(
        EventWait,
        (when_set, until),
        (also, constant("for", "event")),
        (when_set, mode),
        (always, events)
    );
};

struct SignalWait {
    std::optional<Instant> until;
    json::value name;  // a text, unless a template made something else of it

    PAWL_LOGGED(SignalWait, (when_set, until), (also, constant("for", "signal")), (always, name));
};

struct ChildWait {
    std::string run;
    bool in_place = false;  // it runs in the place that its caller has at the limits
    std::optional<Instant> until = {};
    // Its time was over, and it was told to end. Known from wait_noted, not from here.
    bool late = false;

    PAWL_LOGGED(
        ChildWait, (also, constant("for", "child")), (always, run), (when_set, in_place, until)
    );
};

// A peer says later how a step ended; or a person does, when it is not known.
struct CallbackWait {
    bool unknown = false;
    json::value error;  // why it is not known
    std::optional<std::int64_t> visit;
    std::optional<Instant> until;
    json::value heartbeat;           // how often the peer says that it is still at work
    std::optional<Instant> beat_by;  // when it must have done so

    PAWL_LOGGED(
        CallbackWait,
        (also, constant("for", "callback")),
        (when_set, unknown, error, visit, until, heartbeat, beat_by)
    );
};

struct LockWait {
    std::string key;
    std::optional<Instant> until = {};

    PAWL_LOGGED(LockWait, (also, constant("for", "lock")), (always, key), (when_set, until));
};

// A step is held back before its attempt: its target may not be called now, or there is no room.
struct TargetWait {
    std::string target;
    bool limit = false;  // by a limit of one's own
    std::string reason;
    std::optional<Instant> until;
    std::optional<std::int64_t> times;  // how often in a row

    PAWL_LOGGED(
        TargetWait,
        (also, constant("for", "target")),
        (always, target),
        (when_set, limit, reason, until, times)
    );
};

// Something that only a later release knows.
struct OtherWait {
    std::string what;
    std::optional<Instant> until;

    PAWL_LOGGED(OtherWait, (also, always("for", &OtherWait::what)), (when_set, until));
};

// Time alone takes no memory of its own: most tokens never wait for anything else.
class Wait {
public:
    using What = std::variant<
        EventWait,
        SignalWait,
        TaskWait,
        ChildWait,
        CallbackWait,
        LockWait,
        TargetWait,
        OtherWait>;

    Wait() = default;
    Wait(TimeWait time) : time_(time) {}
    template <Logged T>
    Wait(T what) : what_(std::make_unique<What>(std::move(what))) {}
    Wait(const Wait& other) : time_(other.time_) {
        if (other.what_) what_ = std::make_unique<What>(*other.what_);
    }
    Wait(Wait&& other) noexcept = default;
    Wait& operator=(const Wait& other) { return *this = Wait(other); }
    Wait& operator=(Wait&& other) noexcept = default;
    ~Wait() = default;

    bool for_time() const { return !what_; }
    template <class T>
    bool is() const {
        return as<T>() != nullptr;
    }
    // Null: it is for something else.
    template <class T>
    const T* as() const {
        return what_ ? std::get_if<T>(what_.get()) : nullptr;
    }
    template <class T>
    T* as() {
        return what_ ? std::get_if<T>(what_.get()) : nullptr;
    }
    // Nothing but time is waited for any more.
    void clear() {
        time_ = {};
        what_.reset();
    }

    // As the log names it; empty: time alone.
    std::string_view name() const;
    std::optional<Instant> until() const;
    void set_until(std::optional<Instant> until);
    // When it must be looked at by itself; Instant{} when only a message helps.
    Instant next_look() const;

    // The data of wait_started, after what `onto` says.
    json::object write(json::object onto = {}) &&;

    bool operator==(const Wait& other) const {
        if (what_ && other.what_) return *what_ == *other.what_;
        return !what_ && !other.what_ && time_ == other.time_;
    }

private:
    TimeWait time_;               // when there is nothing else
    std::unique_ptr<What> what_;  // null: time alone
};

// What the data of wait_started says.
Wait read_wait(const json::value& data);

// What became of a wait that goes on.
enum class WaitNote { reminded, escalated, heartbeat, timed_out };
void decode(const json::value& value, WaitNote& note);
json::value encode(WaitNote note);
inline bool is_set(WaitNote) {
    return true;
}

struct WaitNoted {
    static constexpr EventType type = EventType::wait_noted;

    WaitNote note = WaitNote::reminded;
    Payload assignee;                // who is asked now
    std::optional<Instant> beat_by;  // of a heartbeat: when the next one is due
    std::vector<std::string> ends;   // child runs that end because they are late

    PAWL_LOGGED(WaitNoted, (always, note), (when_set, assignee, beat_by, ends));
};

}  // namespace pawl::events
