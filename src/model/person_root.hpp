#pragma once

#include <string_view>

namespace pawl {

// {{ user.first_name }}: the person that the run is about, in workflows about persons. The planner
// does not know them; the worker reads the row when it executes the step.
inline constexpr std::string_view person_root = "user";
// {{ trigger.amount }}: what started the run, another word for its input.
inline constexpr std::string_view trigger_root = "trigger";
// {{ unsubscribe_url }}, {{ preferences_url }}: links of a message, made when it is sent.
inline bool is_message_link(std::string_view root) {
    return root == "unsubscribe_url" || root == "preferences_url";
}

// Where the person is; of one whose zone is not known, UTC.
inline constexpr std::string_view person_zone = "{{ user.timezone | default: \"UTC\" }}";

}  // namespace pawl
