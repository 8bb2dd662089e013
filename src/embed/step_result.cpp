#include "pawl/step.hpp"

#include <utility>

namespace pawl {

StepResult StepResult::ok(boost::json::value result) {
    StepResult made;
    made.result_ = std::move(result);
    return made;
}

StepResult StepResult::fail(
    FailureKind kind,
    std::string code,
    std::string message,
    std::optional<std::chrono::milliseconds> retry_after
) {
    StepResult made;
    made.failed_ = true;
    made.kind_ = kind;
    made.code_ = std::move(code);
    made.message_ = std::move(message);
    made.retry_after_ = retry_after;
    return made;
}

}  // namespace pawl
