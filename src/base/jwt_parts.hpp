#pragma once

#include <optional>
#include <string_view>

namespace pawl {

// The three parts of a JSON Web Token, as they stand in it.
struct JwtParts {
    std::string_view header;
    std::string_view claims;
    std::string_view signature;
    std::string_view signed_text;  // header and claims
};

// Nothing: it has not three parts.
std::optional<JwtParts> split_jwt(std::string_view token);

}  // namespace pawl
