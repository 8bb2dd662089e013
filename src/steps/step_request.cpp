#include "steps/step_request.hpp"

#include "steps/storable_text.hpp"

#include <utility>

namespace pawl::steps {

namespace {

// Enough for a stack trace's head; the whole of it belongs in a log.
constexpr std::size_t message_bytes_max = 2000;

}  // namespace

StepOutcome pending(events::Wait waits_for) {
    StepOutcome outcome;
    outcome.pending = std::move(waits_for).write();
    return outcome;
}

Duration default_timeout(NodeType type) {
    // A program that only computes and takes longer than this will not end at all.
    if (type == NodeType::transform) return std::chrono::seconds(2);
    return std::chrono::seconds(60);
}

StepOutcome completed(json::value result) {
    return {std::move(result), std::nullopt};
}

StepOutcome failed(StepError error) {
    error.code = storable(error.code, message_bytes_max);
    error.message = storable(error.message, message_bytes_max);
    return {nullptr, std::move(error)};
}

StepOutcome failed(ErrorClass error_class, std::string code, std::string_view message) {
    StepError error;
    error.error_class = error_class;
    error.code = std::move(code);
    error.message = message;
    return failed(std::move(error));
}

StepOutcome invalid_config(std::string_view message) {
    return failed(ErrorClass::permanent, "invalid_config", message);
}

}  // namespace pawl::steps
