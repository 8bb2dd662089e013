#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace pawl {

// Base64 with padding (RFC 4648, section 4), as headers, mail and signatures carry it.
std::string to_base64(std::string_view bytes);
// Nothing when the text is empty or no such base64.
std::optional<std::string> from_base64(std::string_view text);

}  // namespace pawl
