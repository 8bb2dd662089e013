#include "http/message.hpp"

#include <algorithm>

namespace pawl::http {

namespace {

// The C library's tolower depends on the locale; header names are ASCII.
char lower(char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c;
}

bool is_token_char(char c) {
    if ((c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z')) return true;
    return c != '\0' && std::string_view("!#$%&'*+-.^_`|~").find(c) != std::string_view::npos;
}

bool is_value_char(char c) {
    const auto byte = static_cast<unsigned char>(c);
    return c == '\t' || (byte >= 0x20 && byte != 0x7f);
}

}  // namespace

bool equal_ignoring_case(std::string_view a, std::string_view b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](char x, char y) {
        return lower(x) == lower(y);
    });
}

const std::string* find_header(const Headers& headers, std::string_view name) {
    for (const Header& header : headers) {
        if (equal_ignoring_case(header.name, name)) return &header.value;
    }
    return nullptr;
}

bool is_token(std::string_view text) {
    return !text.empty() && std::all_of(text.begin(), text.end(), is_token_char);
}

bool is_field_value(std::string_view text) {
    return std::all_of(text.begin(), text.end(), is_value_char);
}

}  // namespace pawl::http
