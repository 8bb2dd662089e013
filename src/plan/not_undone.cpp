#include "plan/not_undone.hpp"

#include "model/events/error_data.hpp"

#include <fmt/core.h>

#include <algorithm>

namespace pawl::plan {

namespace {

void add(json::array& all, const json::array& more) {
    for (const json::value& one : more) {
        if (std::find(all.begin(), all.end(), one) == all.end()) all.push_back(one);
    }
}

void add(json::array& all, const events::Payload& more) {
    if (more && more->is_array()) add(all, more->get_array());
}

// Its own, and what its children told it.
json::array not_undone_of(std::string_view run, const json::value& error) {
    json::array all;
    const auto left = events::read<events::FailurePlace>(error);
    if (left.not_undone && left.not_undone->is_array()) {
        for (const json::value& one : left.not_undone->get_array()) {
            auto own = events::read<events::NotUndone>(one);
            all.push_back(events::write(events::ChildNotUndone{
                run, own.step, own.by, own.index, std::move(own.error)}));
        }
    }
    add(all, left.children_not_undone);
    return all;
}

}  // namespace

StepError child_error(const events::ChildSignal& child) {
    constexpr std::size_t told_max = 3;
    const json::value* error = child.error.get();
    std::string message = fmt::format("the child run {} {}", child.run, child.status);
    std::string code = "child_" + std::string(child.status.empty() ? "failed" : child.status);
    StepError failed{ErrorClass::permanent, std::move(code), "", std::nullopt};
    if (error != nullptr && error->is_object()) {
        const StepError own = step_error_from_json(*error);
        message += fmt::format(": {}", events::error_message(*error));
        // Of children of children, the step that failed first.
        if (own.cause) {
            failed.cause = own.cause;
        } else if (!events::error_code(*error).empty()) {
            failed.cause = ErrorCause{own.code, own.error_class, {}};
        }
        json::array left = not_undone_of(child.run, *error);
        for (std::size_t i = 0; i < std::min(left.size(), told_max); ++i) {
            const std::string said = describe_not_undone(left[i]);
            if (message.find(said) == std::string::npos) message += "; " + said;
        }
        if (failed.cause) failed.cause->not_undone = std::move(left);
    }
    failed.message = std::move(message);
    return failed;
}

json::array not_undone_by_children(const RunState& state) {
    json::array all;
    for (const StepRecord& record : state.records) {
        if (record.error && record.error->cause) add(all, record.error->cause->not_undone);
    }
    if (const auto cause = events::read<events::FailureData>(state.error).cause) {
        add(all, cause->not_undone);
    }
    return all;
}

json::value children_error(json::array left) {
    if (left.empty()) return nullptr;
    const StepError error{
        ErrorClass::permanent,
        "children_not_undone",
        describe_not_undone(left.front()),
        std::nullopt};
    json::value noted = to_json(error);
    events::set_place(noted, {.children_not_undone = std::move(left)});
    return noted;
}

std::string describe_not_undone(const json::value& one) {
    const auto left = events::read<events::ChildNotUndone>(one);
    return fmt::format(
        "'{}' could not undo '{}' in {}: {}",
        left.by.value_or(""),
        left.step.value_or(""),
        left.run,
        left.error ? events::error_message(*left.error) : ""
    );
}

json::array untold_by_children(const RunState& state) {
    json::array untold;
    for (json::value& one : not_undone_by_children(state)) {
        const std::string said = describe_not_undone(one);
        const bool told = state.status == RunStatus::failed &&
                          events::error_message(state.error).find(said) != std::string_view::npos;
        if (!told) untold.push_back(std::move(one));
    }
    return untold;
}

}  // namespace pawl::plan
