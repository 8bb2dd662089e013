#pragma once

#include "base/clock.hpp"

#include <boost/json/array.hpp>
#include <boost/json/value.hpp>

#include <optional>
#include <string>
#include <string_view>

namespace pawl {

// What a failure means for a retry.
enum class ErrorClass {
    retryable,  // network, timeout before sending, 408, 425, 429, 5xx
    permanent,  // other 4xx, validation: trying again cannot help
    ambiguous,  // the request may have been accepted
};

std::string_view name(ErrorClass error_class);
std::optional<ErrorClass> parse_error_class(std::string_view text);

// The failure behind a failure: that of the step which failed a child run.
struct ErrorCause {
    std::string code;
    ErrorClass error_class = ErrorClass::permanent;
    boost::json::array not_undone = {};  // by that run, and by those it called

    bool operator==(const ErrorCause&) const = default;
};

// Why an attempt of a step failed.
struct StepError {
    ErrorClass error_class = ErrorClass::permanent;
    std::string code;     // stable, machine readable: "timeout", "http_503", "template"
    std::string message;  // for a person
    std::optional<Duration> retry_after;  // what the peer asked for
    std::optional<ErrorCause> cause = std::nullopt;

    bool operator==(const StepError&) const = default;
};

boost::json::value to_json(const StepError& error);
// Total: a malformed value becomes a permanent error that says so.
StepError step_error_from_json(const boost::json::value& value);

}  // namespace pawl
