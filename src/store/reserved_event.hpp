#pragma once

#include <fmt/core.h>

#include <string>
#include <string_view>

namespace pawl::store {

// Names of events that the engine alone sends, such as pawl.task.opened: who hears of one may trust
// that it happened.
inline bool is_reserved_event(std::string_view name) {
    return name.starts_with("pawl.");
}

inline std::string reserved_event_problem(std::string_view name) {
    return fmt::format("'{}': names that begin with pawl. are the engine's own", name);
}

}  // namespace pawl::store
