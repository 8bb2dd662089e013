#include "api/http/if_match.hpp"

#include "api/http/problem.hpp"

namespace pawl::api {

std::string seen_by(const Call& call) {
    const std::string* given = http::find_header(call.request.headers, "If-Match");
    if (given == nullptr) return {};
    std::string_view text = *given;
    if (text.starts_with("W/")) text.remove_prefix(2);
    if (text.size() < 2 || !text.starts_with('"') || !text.ends_with('"')) {
        refuse_parameter("If-Match", "must be the etag of what you saw, in quotes");
    }
    return std::string(text.substr(1, text.size() - 2));
}

}  // namespace pawl::api
