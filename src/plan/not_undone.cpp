#include "plan/not_undone.hpp"

#include <fmt/core.h>

#include <algorithm>

namespace pawl::plan {

namespace {

const json::array* list_in(const json::value& value, std::string_view key) {
    const json::value* list = find(value, key);
    return list == nullptr ? nullptr : list->if_array();
}

void add(json::array& all, const json::array* more) {
    if (more == nullptr) return;
    for (const json::value& one : *more) {
        if (std::find(all.begin(), all.end(), one) == all.end()) all.push_back(one);
    }
}

// Its own, and what its children told it.
json::array not_undone_of(std::string_view run, const json::value& error) {
    json::array all;
    if (const json::array* own = list_in(error, "not_undone")) {
        for (const json::value& one : *own) {
            json::object entry{{"run", run}};
            for (const std::string_view key : {"step", "by", "index", "error"}) {
                if (const json::value* part = find(one, key)) entry[key] = *part;
            }
            all.push_back(std::move(entry));
        }
    }
    add(all, list_in(error, "children_not_undone"));
    return all;
}

std::string describe_not_undone(const json::value& one) {
    const json::value* error = find(one, "error");
    return fmt::format(
        "'{}' could not undo '{}' in {}: {}",
        text_in(one, "by"),
        text_in(one, "step"),
        text_in(one, "run"),
        error == nullptr ? std::string_view() : text_in(*error, "message")
    );
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
        message += fmt::format(": {}", text_in(*error, "message"));
        // Of children of children, the step that failed first.
        if (own.cause) {
            failed.cause = own.cause;
        } else if (!text_in(*error, "code").empty()) {
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
        if (record.error && record.error->cause) add(all, &record.error->cause->not_undone);
    }
    if (const json::value* cause = find(state.error, "cause"))
        add(all, list_in(*cause, "not_undone"));
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
    noted.get_object()["children_not_undone"] = std::move(left);
    return noted;
}

std::string tell_not_undone_by_children(const RunState& state) {
    std::string sentences;
    for (const json::value& one : not_undone_by_children(state)) {
        const std::string said = describe_not_undone(one);
        const bool told = state.status == RunStatus::failed &&
                          text_in(state.error, "message").find(said) != std::string_view::npos;
        if (told) continue;
        sentences += fmt::format(" A child run is not undone: {}.", said);
    }
    return sentences;
}

}  // namespace pawl::plan
