#pragma once

#include "base/clock.hpp"
#include "base/error.hpp"

#include <boost/json/fwd.hpp>

#include <string>
#include <string_view>

namespace pawl {

// The longest time anything may be told to take or wait: far beyond use, and far from overflow.
inline constexpr Duration duration_max = std::chrono::hours(24) * 3660;

// "500ms", "30s", "5m", "1h30m", "2d", "PT5M", "P1DT2H", or a bare number of seconds. Never
// negative, at most duration_max.
Result<Duration> parse_duration(std::string_view text);

// The same from JSON, where a number means seconds.
Result<Duration> duration_from_json(const boost::json::value& value);

// The shortest text that parse_duration reads back exactly: "5m", "90s", "1500us".
std::string format_duration(Duration duration);

// Clamped at the ends of time, so that a log that was tampered with cannot overflow.
Instant saturating_add(Instant at, Duration duration);

}  // namespace pawl
