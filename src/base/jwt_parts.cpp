#include "base/jwt_parts.hpp"

namespace pawl {

std::optional<JwtParts> split_jwt(std::string_view token) {
    const std::size_t first = token.find('.');
    const std::size_t last = token.rfind('.');
    if (first == last) return std::nullopt;
    JwtParts parts;
    parts.header = token.substr(0, first);
    parts.claims = token.substr(first + 1, last - first - 1);
    parts.signature = token.substr(last + 1);
    parts.signed_text = token.substr(0, last);
    if (parts.claims.find('.') != std::string_view::npos) return std::nullopt;
    return parts;
}

}  // namespace pawl
