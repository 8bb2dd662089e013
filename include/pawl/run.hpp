#pragma once

// What a plan sees of a run. Values only: no I/O, no clock.

#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include <chrono>
#include <string>
#include <string_view>
#include <vector>

namespace pawl {

// A step that an earlier plan asked for. Borrowed from the run: valid during plan() only.
struct StepView {
    std::string_view id;    // as the plan named it: "draft", or "draft#2"
    std::string_view name;  // of the step, as the workflow declares it
    // How it ended: "default", the outcome of a wait or a person ("approved", "rejected",
    // "timeout"), or "error". Empty: it is under way.
    std::string_view outcome;
    const boost::json::object* config = nullptr;  // from the plan; never null
    const boost::json::value* result = nullptr;   // null until it has ended
    std::string_view error_code;                  // of a step that may fail and did
    std::string_view error_message;

    bool ended() const { return !outcome.empty(); }
    bool failed() const { return outcome == "error"; }
};

// A run as its log describes it. Borrows everything; the engine makes one for each call of plan().
struct Run {
    std::string_view workflow;
    std::string_view version;  // of the workflow: major.minor.patch
    std::string_view subject;  // empty: none
    // By the database's clock. A retry has the start time of the run that it continues.
    std::chrono::sys_time<std::chrono::microseconds> started_at;
    const boost::json::value* input = nullptr;  // never null
    std::vector<StepView> steps;                // in the order they were asked for

    // The step with this id; null if no plan has asked for it.
    const StepView* find(std::string_view id) const {
        for (const StepView& step : steps) {
            if (step.id == id) return &step;
        }
        return nullptr;
    }
    // A member of the input as text; empty if it is missing or not text.
    std::string_view text(std::string_view key) const {
        const auto* object = input == nullptr ? nullptr : input->if_object();
        const auto* value = object == nullptr ? nullptr : object->if_contains(key);
        if (value == nullptr || !value->is_string()) return {};
        return {value->get_string().data(), value->get_string().size()};
    }
};

}  // namespace pawl
