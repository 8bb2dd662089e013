#include "model/step_error.hpp"

#include "model/events/error_data.hpp"

namespace pawl {

namespace {

StepError malformed(std::string message) {
    return {ErrorClass::permanent, "malformed_error", std::move(message), std::nullopt};
}

}  // namespace

std::string_view name(ErrorClass error_class) {
    switch (error_class) {
        case ErrorClass::retryable: return "retryable";
        case ErrorClass::permanent: return "permanent";
        case ErrorClass::ambiguous: return "ambiguous";
    }
    return "unknown";
}

std::optional<ErrorClass> parse_error_class(std::string_view text) {
    for (ErrorClass known : {ErrorClass::retryable, ErrorClass::permanent, ErrorClass::ambiguous}) {
        if (text == name(known)) return known;
    }
    return std::nullopt;
}

json::value to_json(const StepError& error) {
    events::FailureData data;
    data.error_class = name(error.error_class);
    data.code = error.code;
    data.message = error.message;
    if (error.retry_after) data.retry_after_us = error.retry_after->count();
    if (error.cause) {
        data.cause = events::CauseData{name(error.cause->error_class), error.cause->code, {}};
        if (!error.cause->not_undone.empty()) data.cause->not_undone = error.cause->not_undone;
    }
    return events::write(std::move(data));
}

StepError step_error_from_json(const json::value& value) {
    if (!value.is_object()) return malformed("the stored error is not a JSON object");
    const auto data = events::read<events::FailureData>(value);
    const auto known = parse_error_class(data.error_class);
    if (!known || !data.code || !data.message) {
        std::string said = data.message ? ": " + std::string(*data.message) : "";
        return malformed("the stored error lacks a class, a code or a message" + said);
    }
    StepError error{*known, std::string(*data.code), std::string(*data.message), std::nullopt};
    if (data.retry_after_us) error.retry_after = Duration(*data.retry_after_us);
    const auto kind = data.cause ? parse_error_class(data.cause->error_class) : std::nullopt;
    if (kind && !data.cause->code.empty()) {
        error.cause = ErrorCause{std::string(data.cause->code), *kind, {}};
        const events::Payload& left = data.cause->not_undone;
        if (left && left->is_array()) error.cause->not_undone = left->get_array();
    }
    return error;
}

}  // namespace pawl
