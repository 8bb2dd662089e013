#include "api/http/log_path.hpp"

#include "app/tenants/auth_key.hpp"

#include <algorithm>

namespace pawl::api {

namespace {

// Shorter than any token we sign; longer than the name of a file.
constexpr std::size_t token_length_min = 60;

bool is_base64url(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
           c == '_';
}

// "payload.signature" or a JSON Web Token, also when it was cut or has percent signs in it.
bool looks_sealed(std::string_view segment) {
    return segment.size() >= token_length_min && segment.find('.') != std::string_view::npos &&
           std::all_of(segment.begin(), segment.end(), [](char c) {
               return is_base64url(c) || c == '.' || c == '%' || c == '=';
           });
}

}  // namespace

std::string log_path(std::string_view target) {
    target = target.substr(0, target.find('?'));
    std::string path;
    std::string_view before, before_that;
    while (!target.empty()) {
        const std::size_t end = std::min(target.find('/'), target.size());
        const std::string_view segment = target.substr(0, end);
        const bool secret =
            before == "callbacks" || before == "unsubscribe" ||
            (before_that.empty() && (before == "l" || before == "o" || before == "p")) ||
            before_that == "hooks" || segment.starts_with(app::api_key_start) ||
            looks_sealed(segment);
        path += secret && !segment.empty() ? "(secret)" : segment;
        if (end == target.size()) break;
        path += '/';
        before_that = before;
        before = segment;
        target.remove_prefix(end + 1);
    }
    return path;
}

}  // namespace pawl::api
