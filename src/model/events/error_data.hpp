#pragma once

#include "model/events/log_codec.hpp"

// What the error of an event says: a StepError, and what the run knows besides.
namespace pawl::events {

// The failure behind a failure.
struct CauseData {
    std::string_view error_class;
    std::string_view code;
    Payload not_undone;  // ChildNotUndone each

    PAWL_LOGGED(
        CauseData,
        (also, always("class", &CauseData::error_class)),
        (always, code),
        (when_set, not_undone)
    );
};

// Why an attempt failed.
struct FailureData {
    std::string_view error_class;
    std::optional<std::string_view> code;
    std::optional<std::string_view> message;
    std::optional<std::int64_t> retry_after_us;
    std::optional<CauseData> cause;

    PAWL_LOGGED(
        FailureData,
        (also, always("class", &FailureData::error_class)),
        (always, code, message),
        (when_set, retry_after_us, cause)
    );
};

// Where it failed, and what was left undone for it. Written onto a failure.
struct FailurePlace {
    std::string_view step = {};
    Payload not_undone = {};           // NotUndone each
    Payload children_not_undone = {};  // ChildNotUndone each

    PAWL_LOGGED(FailurePlace, (when_set, step, not_undone, children_not_undone));
};

struct ErrorData {
    FailureData failure;
    FailurePlace place;

    PAWL_LOGGED(ErrorData, (all_of, failure, place));
};

// A step of the run that could not be undone.
struct NotUndone {
    std::optional<std::string_view> step;
    std::optional<std::string_view> by;  // the step that was to undo it
    std::optional<std::int64_t> record;
    Payload error;
    std::optional<std::int64_t> index;  // of its item

    PAWL_LOGGED(NotUndone, (when_set, step, by, record, error, index));
};

// The same of a run that it called.
struct ChildNotUndone {
    std::string_view run;
    std::optional<std::string_view> step;
    std::optional<std::string_view> by;
    std::optional<std::int64_t> index;
    Payload error;

    PAWL_LOGGED(ChildNotUndone, (always, run), (when_set, step, by, index, error));
};

// The members that most readers want; empty when there is none.
std::string_view error_code(const json::value& error);
std::string_view error_message(const json::value& error);
std::string_view error_step(const json::value& error);

// Says where, in an error that is one.
void set_place(json::value& error, FailurePlace place);

}  // namespace pawl::events
