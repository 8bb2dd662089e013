#include "plan/why_codes.hpp"

#include "base/enum_names.hpp"

namespace pawl::plan {

namespace {

constexpr int why_code_count = static_cast<int>(WhyCode::child_not_undone) + 1;
constexpr int help_code_count = static_cast<int>(HelpCode::retry_undoing) + 1;

// In the order of WhyCode.
constexpr EnumNames<WhyCode, why_code_count> why_codes{
    {"no_worker",       "begins_later", "ready",       "at_work",    "reached",
     "switched_off",    "held_back",    "backing_off", "waits_time", "waits_event",
     "waits_signal",    "waits_person", "waits_child", "waits_lock", "waits_callback",
     "unknown_outcome", "joining",      "iterating",   "undoing",    "stopping",
     "waits_limit",     "paused",       "held",        "plan_next",  "ending",
     "completed",       "cancelled",    "failed",      "not_undone", "child_not_undone"}};

// In the order of HelpCode.
constexpr EnumNames<HelpCode, help_code_count> help_codes{
    {"nothing",
     "start_worker",
     "start_program",
     "look_at_target",
     "send_event",
     "send_signal",
     "decide",
     "look_at_child",
     "end_holder",
     "settle",
     "skip",
     "force",
     "raise_limit",
     "resume",
     "fix_code",
     "look_at_retry",
     "retry",
     "retry_undoing"}};

}  // namespace

std::string_view name(WhyCode code) {
    return why_codes.name(code);
}

std::string_view name(HelpCode code) {
    return help_codes.name(code);
}

std::vector<std::string_view> all_why_codes() {
    return {why_codes.names.begin(), why_codes.names.end()};
}

std::vector<std::string_view> all_help_codes() {
    return {help_codes.names.begin(), help_codes.names.end()};
}

}  // namespace pawl::plan
