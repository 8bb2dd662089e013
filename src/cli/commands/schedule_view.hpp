#pragma once

#include "base/json.hpp"
#include "cli/parse/globals.hpp"

#include <boost/json/array.hpp>

namespace pawl::cli {

// Schedules as the API has them, for people.
void print_schedules(const Globals& globals, const json::array& schedules);
// One, with its next times and its last runs.
void print_schedule(const Globals& globals, const json::value& schedule);

}  // namespace pawl::cli
