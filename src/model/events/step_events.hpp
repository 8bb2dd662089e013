#pragma once

#include "model/events/branch_events.hpp"
#include "model/events/log_codec.hpp"

// What events say about steps. step_completed has the result as its data.
namespace pawl::events {

// The result of a lock or an unlock.
struct LockPassed {
    std::string_view key;

    PAWL_LOGGED(LockPassed, (always, key));
};

// The result of a condition that asks the database.
struct ConditionJudged {
    bool holds = false;

    PAWL_LOGGED(ConditionJudged, (also, truth("result", &ConditionJudged::holds, true)));
};

// The result of a message: it was sent, or why it was not.
struct MessageEnded {
    std::string_view state;   // sent or skipped
    std::string_view reason;  // of one that was skipped
    std::string_view message;
    std::string_view channel;
    std::string_view connector;
    std::string_view account;
    std::string_view external_id;
    std::string_view category;
    std::string_view message_template;
    std::optional<std::int64_t> template_version;

    PAWL_LOGGED(
        MessageEnded,
        (always, state),
        (when_set, reason),
        (always, message, channel),
        (when_set, connector, account, external_id, category),
        (also, when_set("template", &MessageEnded::message_template)),
        (when_set, template_version)
    );
};

// The result of a call that does not wait for its child.
struct ChildStarted {
    std::string_view run;

    PAWL_LOGGED(ChildStarted, (also, always("run_id", &ChildStarted::run)));
};

// A step that is done in turns has had another one: a reply of a model, or a call of a tool. Its
// data is what came of the turn.
struct StepAdvanced {
    static constexpr EventType type = EventType::step_advanced;

    std::optional<std::int64_t> turn;  // the first is 0
    Payload reply;                     // what the model said
    Payload usage;                     // tokens
    Payload problem;                   // why the model is asked again
    Payload tool;                      // what was called, with its arguments
    Payload result;                    // of the tool
    Payload error;                     // why the tool failed
    Payload draft;                     // the result of the step, which people look at first

    bool operator==(const StepAdvanced&) const = default;

    static constexpr auto members() {
        return std::tuple(
            when_set("turn", &StepAdvanced::turn),
            when_set("reply", &StepAdvanced::reply),
            when_set("usage", &StepAdvanced::usage),
            when_set("problem", &StepAdvanced::problem),
            when_set("tool", &StepAdvanced::tool),
            when_set("result", &StepAdvanced::result),
            when_set("error", &StepAdvanced::error),
            when_set("draft", &StepAdvanced::draft)
        );
    }
};

// The result of an agent.
struct AgentEnded {
    std::string_view decision;  // by which handle it leaves; empty: it has not decided

    bool operator==(const AgentEnded&) const = default;

    static constexpr auto members() {
        return std::tuple(when_set("decision", &AgentEnded::decision));
    }
};

// Why is in the error of the event. Without any member its data is null.
struct StepFailed {
    static constexpr EventType type = EventType::step_failed;

    std::optional<Instant> retry_at;  // it will be tried again
    std::string_view caught;          // by which handle the run goes on; `item`: its item fails
    bool last = false;                // its list begins no more items
    std::string_view late;            // the list or scope whose time was over, if it was
    bool abandoned = false;           // the run was ended by force meanwhile
    Withdrawal withdrawal;            // of the item that fails with it
    bool withdrawn = false;           // nothing comes after it
    bool maybe = false;               // it may have taken place
    std::string_view worker;          // that tried it, "host/pid"; empty: none did

    PAWL_LOGGED(
        StepFailed,
        (when_set, retry_at, caught, last, late, abandoned),
        (all_of, withdrawal),
        (truth, withdrawn),
        (when_set, maybe, worker)
    );
};

// By a person, or since it is switched off. What the message of the person says besides stays in
// the log.
struct StepSkipped {
    static constexpr EventType type = EventType::step_skipped;

    std::string_view by;
    std::string_view reason;
    Payload value;            // what it leaves instead of a result
    std::string_view handle;  // empty: default
    bool maybe = false;       // it may have taken place
    bool disabled = false;    // it is switched off: no person skipped it
    // The awaited have its own token when its call is under way.
    Withdrawal withdrawal;

    PAWL_LOGGED(
        StepSkipped,
        (when_set, by, reason, value, handle, maybe),
        (truth, disabled),
        (all_of, withdrawal)
    );
};

}  // namespace pawl::events
