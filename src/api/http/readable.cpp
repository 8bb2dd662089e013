#include "api/http/readable.hpp"

#include "api/http/problem.hpp"
#include "steps/storable_text.hpp"

#include <algorithm>
#include <array>

namespace pawl::api {

namespace {

constexpr std::size_t shown_max = 60;
constexpr std::string_view wrong = "must be UTF-8 text";

// Others go nowhere: browsers and proxies may put into them what they like.
bool is_read(std::string_view name) {
    constexpr std::array<std::string_view, 4> read = {
        "idempotency-key", "content-type", "traceparent", "last-event-id"};
    return http::equal_ignoring_case(name.substr(0, 3), "ce-") ||
           std::any_of(read.begin(), read.end(), [name](std::string_view known) {
               return http::equal_ignoring_case(name, known);
           });
}

}  // namespace

void refuse_unreadable(const Call& call) {
    for (const std::string& segment : call.target.segments) {
        if (steps::is_storable(segment)) continue;
        refuse(
            400,
            "invalid_path",
            "the path holds '" + steps::storable(segment, shown_max) + "', which is not UTF-8 text"
        );
    }
    for (const auto& [key, value] : call.target.query) {
        if (steps::is_storable(key) && steps::is_storable(value)) continue;
        refuse_parameter(steps::storable(key, shown_max), std::string(wrong));
    }
    for (const http::Header& header : call.request.headers) {
        if (!is_read(header.name) || steps::is_storable(header.value)) continue;
        refuse_parameter(header.name, std::string(wrong));
    }
}

}  // namespace pawl::api
