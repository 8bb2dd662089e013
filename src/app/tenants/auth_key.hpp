#pragma once

#include <string>
#include <string_view>

namespace pawl::app {

// The text of an API key: "pawl_", 8 characters by which people tell keys apart, "_", and 32 random
// bytes in base64url. Only its SHA-256 is kept (256 random bits need no slow hash); the text is
// shown once, where it was made.
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

// The prefix as people see it: "pawl_abcd2345".
std::string display_prefix(const std::string& prefix);
// The prefix in what people write: the 8 characters, what display_prefix shows, or a whole key.
std::string read_prefix(std::string text);

}  // namespace pawl::app
