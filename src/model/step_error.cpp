#include "model/step_error.hpp"

#include "base/json.hpp"

#include <boost/json/object.hpp>

namespace pawl {

namespace {

const json::string* text_member(const json::object& object, std::string_view key) {
    const json::value* member = object.if_contains(key);
    return member == nullptr ? nullptr : member->if_string();
}

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
    json::object object;
    object.reserve(5);
    object["class"] = name(error.error_class);
    object["code"] = error.code;
    object["message"] = error.message;
    if (error.retry_after) object["retry_after_us"] = error.retry_after->count();
    if (error.cause) {
        json::object cause{{"class", name(error.cause->error_class)}, {"code", error.cause->code}};
        if (!error.cause->not_undone.empty()) cause["not_undone"] = error.cause->not_undone;
        object["cause"] = std::move(cause);
    }
    return object;
}

StepError step_error_from_json(const json::value& value) {
    const json::object* object = value.if_object();
    if (object == nullptr) return malformed("the stored error is not a JSON object");
    const json::string* error_class = text_member(*object, "class");
    const json::string* code = text_member(*object, "code");
    const json::string* message = text_member(*object, "message");
    const auto known =
        error_class == nullptr ? std::nullopt : parse_error_class(std::string_view(*error_class));
    if (!known || code == nullptr || message == nullptr) {
        std::string said = message == nullptr ? "" : ": " + std::string(*message);
        return malformed("the stored error lacks a class, a code or a message" + said);
    }
    StepError error{*known, std::string(*code), std::string(*message), std::nullopt};
    if (const json::value* after = object->if_contains("retry_after_us")) {
        if (const auto* micros = after->if_int64()) error.retry_after = Duration(*micros);
    }
    const json::value* cause = object->if_contains("cause");
    if (cause != nullptr && cause->is_object()) {
        const auto kind = parse_error_class(text_in(*cause, "class"));
        const std::string_view of = text_in(*cause, "code");
        if (kind && !of.empty()) error.cause = ErrorCause{std::string(of), *kind, {}};
        const json::value* left = find(*cause, "not_undone");
        if (error.cause && left != nullptr && left->is_array()) {
            error.cause->not_undone = left->get_array();
        }
    }
    return error;
}

}  // namespace pawl
