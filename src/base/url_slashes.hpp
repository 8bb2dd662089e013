#pragma once

#include <string_view>

namespace pawl {

// Where the slashes behind the scheme of a URL stand; npos: it has no scheme or no slashes.
inline std::size_t slashes_after_scheme(std::string_view url) {
    const std::size_t end = url.find_first_of(":/?#\\");
    const bool scheme = end != url.npos && url.substr(end).starts_with(":/");
    return scheme ? end + 1 : url.npos;
}

// "http:/h" and "http:///h": libcurl takes either for "http://h"; a person who reads a definition
// sees a path there.
inline bool has_wrong_slashes(std::string_view url) {
    const std::size_t at = slashes_after_scheme(url);
    if (at == url.npos) return false;
    const std::string_view rest = url.substr(at);
    return !rest.starts_with("//") || rest.substr(2).starts_with('/');
}

}  // namespace pawl
