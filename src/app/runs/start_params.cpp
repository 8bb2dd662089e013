#include "app/runs/start_params.hpp"

#include "app/refusal.hpp"
#include "model/duration.hpp"

#include <algorithm>

namespace pawl::app {

namespace {

// "a, b" as the context of a validation error has it.
std::vector<std::string> names_in(const Error& error) {
    std::vector<std::string> names;
    for (const auto& [key, value] : error.context) {
        if (key != "missing") continue;
        std::string_view rest = value;
        while (!rest.empty()) {
            const std::size_t end = std::min(rest.find(", "), rest.size());
            names.emplace_back(rest.substr(0, end));
            rest.remove_prefix(std::min(end + 2, rest.size()));
        }
    }
    return names;
}

std::string as_pointer(std::string_view path) {
    std::string pointer(path);
    for (char& c : pointer) {
        if (c == '.') c = '/';
    }
    return pointer;
}

// What check_fits says has the places, what is missing the names.
bool does_not_fit(const Error& error) {
    return !error.context.empty() && error.context.front().first != "missing";
}

}  // namespace

Error unfit_input(const Error& wrong, const std::string& pointer) {
    Error error = refusal(Errc::invalid, "input_does_not_fit", wrong.message);
    for (const auto& [place, what] : wrong.context)
        error.context.emplace_back(pointer + place, what);
    return error;
}

std::optional<Error> check_input(
    const engine::Program& program, const json::value& data, const std::string& pointer
) {
    const auto valid = validate_input(program.definition, data);
    if (valid) return std::nullopt;
    if (does_not_fit(valid.error())) return unfit_input(valid.error(), pointer);
    Error missing = refusal(Errc::invalid, "missing_input", valid.error().message);
    for (const std::string& name : names_in(valid.error())) {
        std::string_view path = name;
        if (path.starts_with("input.")) path.remove_prefix(6);
        missing.context.emplace_back(pointer + "/" + as_pointer(path), "is missing");
    }
    return missing;
}

StartChoice choice_of(const StartParams& params) {
    return {params.subject.empty() ? params.correlation_id : params.subject, params.version};
}

engine::StartRequest to_request(engine::ProgramPtr program, StartParams params) {
    engine::StartRequest request;
    request.program = std::move(program);
    request.input = std::move(params.data);
    request.subject = std::move(params.subject);
    request.correlation = std::move(params.correlation_id);
    request.priority = params.priority;
    request.due_at = params.start_at;
    if (params.delay) request.due_at = saturating_add(wall_now(), *params.delay);
    if (!params.triggered_by.empty()) request.triggered_by = std::move(params.triggered_by);
    request.traceparent = std::move(params.traceparent);
    return request;
}

}  // namespace pawl::app
