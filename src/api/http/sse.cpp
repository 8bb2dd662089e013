#include "api/http/sse.hpp"

#include "base/exact_json.hpp"

#include <fmt/core.h>

namespace pawl::api {

std::string sse_message(std::string_view id, std::string_view event, const json::value& data) {
    std::string text;
    if (!id.empty()) text += fmt::format("id: {}\n", id);
    text += fmt::format("event: {}\ndata: {}\n\n", event, plain_json(data));
    return text;
}

http::Headers sse_headers() {
    return {
        {"Content-Type", "text/event-stream"},
        {"Cache-Control", "no-store"},
        {"X-Accel-Buffering", "no"}};
}

}  // namespace pawl::api
