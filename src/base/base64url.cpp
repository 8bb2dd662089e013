#include "base/base64url.hpp"

#include <sodium.h>

#include <algorithm>

namespace pawl {

namespace {

constexpr int variant = sodium_base64_VARIANT_URLSAFE_NO_PADDING;

}  // namespace

std::string to_base64url(std::string_view bytes) {
    std::string text(sodium_base64_ENCODED_LEN(bytes.size(), variant), '\0');
    sodium_bin2base64(
        text.data(),
        text.size(),
        reinterpret_cast<const unsigned char*>(bytes.data()),
        bytes.size(),
        variant
    );
    text.pop_back();  // the NUL at its end
    return text;
}

std::optional<std::string> from_base64url(std::string_view text) {
    // Where char is signed, libsodium takes some characters beyond ASCII for others.
    const bool ascii = std::all_of(text.begin(), text.end(), [](char c) {
        return static_cast<unsigned char>(c) < 0x80;
    });
    if (!ascii) return std::nullopt;
    std::string bytes(text.size() / 4 * 3 + 3, '\0');
    std::size_t length = 0;
    const int failed = sodium_base642bin(
        reinterpret_cast<unsigned char*>(bytes.data()),
        bytes.size(),
        text.data(),
        text.size(),
        nullptr,  // no character is passed over
        &length,
        nullptr,  // it must end where the text ends
        variant
    );
    if (failed != 0) return std::nullopt;
    bytes.resize(length);
    return bytes;
}

}  // namespace pawl
