#pragma once

#include <string_view>
#include <vector>

namespace pawl::plan {

// What a sentence about a run says. It stays the same while the sentence is reworded.
enum class WhyCode {
    // of a place
    no_worker,
    begins_later,
    ready,
    at_work,
    reached,
    switched_off,
    held_back,
    backing_off,
    waits_time,
    waits_event,
    waits_signal,
    waits_person,
    waits_child,
    waits_lock,
    waits_callback,
    unknown_outcome,
    joining,
    iterating,
    // of the run
    undoing,   // before that of a place
    stopping,  // before that of a place
    waits_limit,
    paused,
    held,
    plan_next,
    ending,
    completed,
    cancelled,
    failed,
    not_undone,        // behind another one
    child_not_undone,  // behind another one
};

// What would help.
enum class HelpCode {
    nothing,
    start_worker,
    start_program,
    look_at_target,
    send_event,
    send_signal,
    decide,
    look_at_child,
    end_holder,
    settle,
    skip,
    force,
    raise_limit,
    resume,
    fix_code,
    look_at_retry,
    retry,
    retry_undoing,
};

std::string_view name(WhyCode code);
std::string_view name(HelpCode code);
std::vector<std::string_view> all_why_codes();
std::vector<std::string_view> all_help_codes();

}  // namespace pawl::plan
