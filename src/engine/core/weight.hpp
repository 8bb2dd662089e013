#pragma once

#include "model/event.hpp"

#include <cstddef>
#include <vector>

namespace pawl::engine {

// About how much memory it takes to hold what these events say, in bytes. Cheap, not exact.
std::size_t weight(const std::vector<Event>& events);
std::size_t weight(const boost::json::object& object);

}  // namespace pawl::engine
