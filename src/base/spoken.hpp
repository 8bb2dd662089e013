#pragma once

#include "base/clock.hpp"

#include <cstdint>
#include <string>
#include <string_view>

// Numbers and times as people read them, in one form everywhere.
namespace pawl {

// "28.5ms", "45.3s", "1m 5s", "2d 3h": what is read can be written in a definition.
std::string human_duration(Duration duration);

// "08:00:06" when that is on the (UTC) day of `now`, else "2026-12-17 08:00:06".
std::string human_moment(Instant at, Instant now);

// "1 run", "2 runs".
std::string counted(std::uint64_t count, std::string_view noun);

// "once", "3 times".
std::string times(std::uint64_t count);

}  // namespace pawl
