#include "api/auth/auth_header.hpp"

#include <string_view>

namespace pawl::api {

namespace {

constexpr std::string_view scheme = "Bearer";

std::string_view trimmed(std::string_view text) {
    while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
    while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
    return text;
}

// What follows "Bearer", or nothing when it is another scheme.
std::string_view bearer(std::string_view value) {
    value = trimmed(value);
    if (value.size() <= scheme.size() || value[scheme.size()] != ' ' ||
        !http::equal_ignoring_case(value.substr(0, scheme.size()), scheme)) {
        return {};
    }
    return trimmed(value.substr(scheme.size()));
}

}  // namespace

Result<std::string> credential_of(const http::Headers& headers) {
    const std::string* authorization = http::find_header(headers, "Authorization");
    if (authorization != nullptr) {
        if (const auto text = bearer(*authorization); !text.empty()) return std::string(text);
    }
    if (const std::string* key = http::find_header(headers, "apikey")) {
        if (const auto text = trimmed(*key); !text.empty()) return std::string(text);
    }
    const char* why = authorization != nullptr
                          ? "malformed Authorization header: write 'Authorization: Bearer KEY'"
                          : "no credentials: send 'Authorization: Bearer KEY', with an API key "
                            "(pawl keys create) or a token";
    return Error{Errc::unauthenticated, why, {}};
}

}  // namespace pawl::api
