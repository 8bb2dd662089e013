#pragma once

#include <string>
#include <string_view>

namespace pawl {

// HMAC with SHA-256, as bytes.
std::string hmac_sha256(std::string_view key, std::string_view text);

}  // namespace pawl
