#include "steps/classify.hpp"

#include "http/date.hpp"

#include <fmt/core.h>

#include <utility>

namespace pawl::steps {

namespace {

bool is_retryable(int status) {
    return status == 408 || status == 425 || status == 429 || (status >= 500 && status <= 599);
}

StepError from_status(const http::Response& response, Instant now) {
    StepError error;
    error.code = fmt::format("http_{}", response.status);
    error.message = fmt::format("the peer answered with status {}", response.status);
    if (!is_retryable(response.status)) return error;
    error.error_class = ErrorClass::retryable;
    error.retry_after = http::find_retry_after(response.headers, now);
    return error;
}

StepError from_fault(const http::Fault& fault) {
    StepError error;
    error.message = fault.message;
    const auto set = [&](ErrorClass error_class, const char* code) {
        error.error_class = error_class;
        error.code = code;
    };
    switch (fault.kind) {
        case http::FaultKind::refused_before_sent: set(ErrorClass::retryable, "network"); break;
        case http::FaultKind::timeout_in_line:
        case http::FaultKind::timeout_before_sent: set(ErrorClass::retryable, "timeout"); break;
        case http::FaultKind::timeout_after_sent: set(ErrorClass::ambiguous, "timeout"); break;
        case http::FaultKind::interrupted_after_sent: set(ErrorClass::ambiguous, "network"); break;
        case http::FaultKind::too_large: set(ErrorClass::permanent, "too_large"); break;
        case http::FaultKind::bad_url: set(ErrorClass::permanent, "bad_url"); break;
        case http::FaultKind::bad_request: set(ErrorClass::permanent, "bad_request"); break;
        case http::FaultKind::forbidden_address:
            set(ErrorClass::permanent, "forbidden_address");
            break;
        case http::FaultKind::bad_redirect: set(ErrorClass::permanent, "bad_redirect"); break;
    }
    return error;
}

}  // namespace

std::optional<StepError> classify(const http::Outcome& outcome, Instant now) {
    if (!outcome) return from_fault(outcome.error());
    if (outcome->status >= 200 && outcome->status <= 299) return std::nullopt;
    return from_status(*outcome, now);
}

StepError unusable_answer(std::string message) {
    StepError error;
    error.error_class = ErrorClass::permanent;
    error.code = "invalid_response";
    error.message = std::move(message);
    return error;
}

}  // namespace pawl::steps
