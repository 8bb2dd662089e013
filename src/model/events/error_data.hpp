#pragma once

#include "model/events/log_codec.hpp"

// What the error of an event says: a StepError, and what the run knows besides.
namespace pawl::events {

// The failure behind a failure.
struct CauseData {
    std::string_view error_class;
    std::string_view code;
    Payload not_undone;  // ChildNotUndone each

    bool operator==(const CauseData&) const = default;

    static constexpr auto members() {
        return std::tuple(
            always("class", &CauseData::error_class),
            always("code", &CauseData::code),
            when_set("not_undone", &CauseData::not_undone)
        );
    }
};

// Why an attempt failed.
struct FailureData {
    std::string_view error_class;
    std::optional<std::string_view> code;
    std::optional<std::string_view> message;
    std::optional<std::int64_t> retry_after_us;
    std::optional<CauseData> cause;

    bool operator==(const FailureData&) const = default;

    static constexpr auto members() {
        return std::tuple(
            always("class", &FailureData::error_class),
            always("code", &FailureData::code),
            always("message", &FailureData::message),
            when_set("retry_after_us", &FailureData::retry_after_us),
            when_set("cause", &FailureData::cause)
        );
    }
};

// Where it failed, and what was left undone for it. Written onto a failure.
struct FailurePlace {
    std::string_view step = {};
    Payload not_undone = {};           // NotUndone each
    Payload children_not_undone = {};  // ChildNotUndone each

    bool operator==(const FailurePlace&) const = default;

    static constexpr auto members() {
        return std::tuple(
            when_set("step", &FailurePlace::step),
            when_set("not_undone", &FailurePlace::not_undone),
            when_set("children_not_undone", &FailurePlace::children_not_undone)
        );
    }
};

struct ErrorData {
    FailureData failure;
    FailurePlace place;

    bool operator==(const ErrorData&) const = default;

    static constexpr auto members() {
        return std::tuple(all_of(&ErrorData::failure), all_of(&ErrorData::place));
    }
};

// A step of the run that could not be undone.
struct NotUndone {
    std::optional<std::string_view> step;
    std::optional<std::string_view> by;  // the step that was to undo it
    std::optional<std::int64_t> record;
    Payload error;
    std::optional<std::int64_t> index;  // of its item

    bool operator==(const NotUndone&) const = default;

    static constexpr auto members() {
        return std::tuple(
            when_set("step", &NotUndone::step),
            when_set("by", &NotUndone::by),
            when_set("record", &NotUndone::record),
            when_set("error", &NotUndone::error),
            when_set("index", &NotUndone::index)
        );
    }
};

// The same of a run that it called.
struct ChildNotUndone {
    std::string_view run;
    std::optional<std::string_view> step;
    std::optional<std::string_view> by;
    std::optional<std::int64_t> index;
    Payload error;

    bool operator==(const ChildNotUndone&) const = default;

    static constexpr auto members() {
        return std::tuple(
            always("run", &ChildNotUndone::run),
            when_set("step", &ChildNotUndone::step),
            when_set("by", &ChildNotUndone::by),
            when_set("index", &ChildNotUndone::index),
            when_set("error", &ChildNotUndone::error)
        );
    }
};

// The members that most readers want; empty when there is none.
std::string_view error_code(const json::value& error);
std::string_view error_message(const json::value& error);
std::string_view error_step(const json::value& error);

// Says where, in an error that is one.
void set_place(json::value& error, FailurePlace place);

}  // namespace pawl::events
