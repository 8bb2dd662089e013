#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace pawl {

// Base64 with the letters that need no escaping in URLs and headers, without padding (RFC 4648,
// section 5, as JOSE writes it).
std::string to_base64url(std::string_view bytes);

// Exactly what to_base64url writes: padding, blanks and bits that stand for nothing are refused, so
// that no two texts mean the same bytes.
std::optional<std::string> from_base64url(std::string_view text);

}  // namespace pawl
