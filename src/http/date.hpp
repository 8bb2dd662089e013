#pragma once

#include "base/clock.hpp"
#include "http/message.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace pawl::http {

// "Sun, 06 Nov 1994 08:49:37 GMT"
std::string format_date(Instant at);
// The three forms RFC 9110 asks recipients to accept.
std::optional<Instant> parse_date(std::string_view text);

// How long a Retry-After header (seconds or a date) asks to wait from `now`; nothing when it makes
// no sense. At most a day: a peer must not be able to park a run for years.
std::optional<Duration> parse_retry_after(std::string_view text, Instant now);
// The same of an answer's headers; nothing when they have none.
std::optional<Duration> find_retry_after(const Headers& headers, Instant now);

}  // namespace pawl::http
