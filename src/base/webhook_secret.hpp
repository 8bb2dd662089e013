#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace pawl {

// Standard Webhooks, with symmetric keys.

// "whsec_" and 32 random bytes in base64.
std::string new_webhook_secret();

// The bytes of a secret; nothing when the text is none (24 to 64 bytes).
std::optional<std::string> webhook_key(std::string_view secret);

// "v1,<base64>": HMAC-SHA256 over "<id>.<unix seconds>.<body>".
std::string webhook_signature(
    std::string_view key, std::string_view id, std::int64_t timestamp, std::string_view body
);

// In hex, for names of things.
std::string sha256_hex(std::string_view text);

}  // namespace pawl
