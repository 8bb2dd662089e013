#include "app/tenants/auth_key.hpp"

#include "base/base64url.hpp"
#include "base/random_bytes.hpp"

#include <algorithm>

namespace pawl::app {

namespace {

constexpr std::size_t prefix_length = 8;
constexpr std::size_t secret_bytes = 32;
constexpr std::size_t secret_length = 43;
constexpr std::size_t secret_at = api_key_start.size() + prefix_length + 1;

// Lower case and digits only: it is typed by people, and an underscore would look like a border.
std::string random_prefix() {
    constexpr std::string_view letters = "abcdefghijklmnopqrstuvwxyz234567";
    std::string prefix;
    for (const char byte : random_bytes(prefix_length)) {
        prefix += letters[static_cast<unsigned char>(byte) % letters.size()];
    }
    return prefix;
}

bool is_prefix_char(char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
}

}  // namespace

ApiKeyText make_api_key() {
    ApiKeyText key;
    key.prefix = random_prefix();
    key.text =
        std::string(api_key_start) + key.prefix + "_" + to_base64url(random_bytes(secret_bytes));
    return key;
}

bool looks_like_api_key(std::string_view text) {
    if (!text.starts_with(api_key_start) || text.size() != secret_at + secret_length) return false;
    const std::string_view prefix = api_key_prefix(text);
    return std::all_of(prefix.begin(), prefix.end(), is_prefix_char) &&
           text[secret_at - 1] == '_' && from_base64url(text.substr(secret_at)).has_value();
}

std::string_view api_key_prefix(std::string_view text) {
    return text.substr(api_key_start.size(), prefix_length);
}

std::string display_prefix(const std::string& prefix) {
    return std::string(api_key_start) + prefix;
}

std::string read_prefix(std::string text) {
    if (!text.starts_with(api_key_start)) return text;
    text.erase(0, api_key_start.size());
    return text.substr(0, text.find('_'));
}

}  // namespace pawl::app
