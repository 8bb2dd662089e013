#pragma once

#include "base/json.hpp"
#include "http/server.hpp"

#include <string>
#include <string_view>

namespace pawl::api {

// One message of a server-sent event stream. `data` is JSON on one line.
std::string sse_message(std::string_view id, std::string_view event, const json::value& data);
inline constexpr std::string_view sse_heartbeat = ": still here\n\n";
// The first thing on a stream: how soon to come back after a cut.
inline constexpr std::string_view sse_opening = "retry: 1000\n\n";
inline constexpr auto sse_heartbeat_every = std::chrono::seconds(15);

http::Headers sse_headers();

}  // namespace pawl::api
