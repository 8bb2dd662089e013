#pragma once

#include <string>
#include <string_view>

namespace pawl::api {

// The text of an API key: "pawl_", 8 characters by which people tell keys apart, "_", and 32 random
// bytes in base64url. Only its hash is kept; the text is shown once, where it was made.
struct ApiKeyText {
    std::string text;
    std::string prefix;  // the 8 characters
};

inline constexpr std::string_view api_key_start = "pawl_";

ApiKeyText make_api_key();

// Whether text is written like a key, which says nothing about whether it opens anything.
bool looks_like_api_key(std::string_view text);
// The 8 characters of a text that looks like a key.
std::string_view api_key_prefix(std::string_view text);

// SHA-256 of the whole text, 32 raw bytes: what the database keeps. A key holds 256 random bits, so
// it needs no slow hash.
std::string sha256(std::string_view text);

}  // namespace pawl::api
