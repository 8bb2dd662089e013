#include "engine/worker/canary.hpp"

namespace pawl::engine {

std::int32_t version_for(
    const store::StartVersion& head, const StartRequest& request, std::string_view otherwise
) {
    const std::string_view key = !request.subject.empty()       ? request.subject
                                 : !request.correlation.empty() ? request.correlation
                                                                : otherwise;
    return choose_version(head.version, head.canary, head.workflow, key);
}

std::string take_version(StartRequest& request, ProgramPtr other) {
    if (!other) return "";
    const auto valid = validate_input(other->definition, request.input);
    if (!valid) return valid.error().message;
    request.program = std::move(other);
    return "";
}

}  // namespace pawl::engine
