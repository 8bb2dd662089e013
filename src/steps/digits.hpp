#pragma once

namespace pawl::steps {

constexpr char lower(char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c;
}

constexpr bool is_letter(char c) {
    return lower(c) >= 'a' && lower(c) <= 'z';
}

// What a digit of either base is worth, or -1. Base64 has two alphabets: both are read.
constexpr int hex_digit(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    return lower(c) >= 'a' && lower(c) <= 'f' ? lower(c) - 'a' + 10 : -1;
}

constexpr int base64_digit(char c) {
    if (c >= 'A' && c <= 'Z') return c - 'A';
    if (c >= 'a' && c <= 'z') return c - 'a' + 26;
    if (c >= '0' && c <= '9') return c - '0' + 52;
    if (c == '+' || c == '-') return 62;
    return c == '/' || c == '_' ? 63 : -1;
}

}  // namespace pawl::steps
