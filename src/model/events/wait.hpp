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

    bool operator==(const TimeWait&) const = default;

    static constexpr auto members() { return std::tuple(when_set("until", &TimeWait::until)); }
};

// One of the events that a wait is for, as the definition gives it.
struct AwaitedEvent {
    Payload handle;
    Payload event;
    Payload key;  // none: the subject of the run
    Payload filter;

    bool operator==(const AwaitedEvent&) const = default;

    static constexpr auto members() {
        return std::tuple(
            when_set("handle", &AwaitedEvent::handle),
            when_set("event", &AwaitedEvent::event),
            when_set("key", &AwaitedEvent::key),
            when_set("filter", &AwaitedEvent::filter)
        );
    }
};

struct EventWait {
    std::optional<Instant> until;
    std::string mode;    // all: each of them; else the first that comes
    json::array events;  // AwaitedEvent each

    bool wants_all() const { return mode == "all"; }

    bool operator==(const EventWait&) const = default;

    static constexpr auto members() {
        return std::tuple(
            when_set("until", &EventWait::until),
            constant("for", "event"),
            when_set("mode", &EventWait::mode),
            always("events", &EventWait::events)
        );
    }
};

struct SignalWait {
    std::optional<Instant> until;
    json::value name;  // a text, unless a template made something else of it

    bool operator==(const SignalWait&) const = default;

    static constexpr auto members() {
        return std::tuple(
            when_set("until", &SignalWait::until),
            constant("for", "signal"),
            always("name", &SignalWait::name)
        );
    }
};

struct ChildWait {
    std::string run;
    bool in_place = false;  // it runs in the place that its caller has at the limits
    std::optional<Instant> until = {};
    // Its time was over, and it was told to end. Known from wait_noted, not from here.
    bool late = false;

    bool operator==(const ChildWait&) const = default;

    static constexpr auto members() {
        return std::tuple(
            constant("for", "child"),
            always("run", &ChildWait::run),
            when_set("in_place", &ChildWait::in_place),
            when_set("until", &ChildWait::until)
        );
    }
};

// A peer says later how a step ended; or a person does, when it is not known.
struct CallbackWait {
    bool unknown = false;
    json::value error;  // why it is not known
    std::optional<std::int64_t> visit;
    std::optional<Instant> until;
    json::value heartbeat;           // how often the peer says that it is still at work
    std::optional<Instant> beat_by;  // when it must have done so

    bool operator==(const CallbackWait&) const = default;

    static constexpr auto members() {
        return std::tuple(
            constant("for", "callback"),
            when_set("unknown", &CallbackWait::unknown),
            when_set("error", &CallbackWait::error),
            when_set("visit", &CallbackWait::visit),
            when_set("until", &CallbackWait::until),
            when_set("heartbeat", &CallbackWait::heartbeat),
            when_set("beat_by", &CallbackWait::beat_by)
        );
    }
};

struct LockWait {
    std::string key;
    std::optional<Instant> until = {};

    bool operator==(const LockWait&) const = default;

    static constexpr auto members() {
        return std::tuple(
            constant("for", "lock"),
            always("key", &LockWait::key),
            when_set("until", &LockWait::until)
        );
    }
};

// A step is held back before its attempt: its target may not be called now, or there is no room.
struct TargetWait {
    std::string target;
    bool limit = false;  // by a limit of one's own
    std::string reason;
    std::optional<Instant> until;
    std::optional<std::int64_t> times;  // how often in a row

    bool operator==(const TargetWait&) const = default;

    static constexpr auto members() {
        return std::tuple(
            constant("for", "target"),
            always("target", &TargetWait::target),
            when_set("limit", &TargetWait::limit),
            when_set("reason", &TargetWait::reason),
            when_set("until", &TargetWait::until),
            when_set("times", &TargetWait::times)
        );
    }
};

// Something that only a later release knows.
struct OtherWait {
    std::string what;
    std::optional<Instant> until;

    bool operator==(const OtherWait&) const = default;

    static constexpr auto members() {
        return std::tuple(always("for", &OtherWait::what), when_set("until", &OtherWait::until));
    }
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

    bool operator==(const WaitNoted&) const = default;

    static constexpr auto members() {
        return std::tuple(
            always("note", &WaitNoted::note),
            when_set("assignee", &WaitNoted::assignee),
            when_set("beat_by", &WaitNoted::beat_by),
            when_set("ends", &WaitNoted::ends)
        );
    }
};

}  // namespace pawl::events
