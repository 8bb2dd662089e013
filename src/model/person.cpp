#include "model/person.hpp"

#include <algorithm>

namespace pawl {

namespace {

char lower(char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

// How many bytes the blank has that the text begins with; 0: it begins with none.
std::size_t blank_at(std::string_view text) {
    static constexpr std::string_view ordinary = " \t\n\r\f\v";
    // U+00A0, U+1680, U+202F, U+205F, U+3000
    static constexpr std::string_view others[] = {
        "\xc2\xa0", "\xe1\x9a\x80", "\xe2\x80\xaf", "\xe2\x81\x9f", "\xe3\x80\x80"};
    if (text.empty()) return 0;
    if (ordinary.find(text[0]) != std::string_view::npos) return 1;
    for (const std::string_view blank : others) {
        if (text.starts_with(blank)) return blank.size();
    }
    // U+2000 to U+200A
    const bool wide =
        text.starts_with("\xe2\x80") && text.size() > 2 && text[2] >= '\x80' && text[2] <= '\x8a';
    return wide ? 3 : 0;
}

}  // namespace

std::string person_name(std::string_view written) {
    std::string name;
    name.reserve(written.size());
    bool apart = false;
    while (!written.empty()) {
        if (const std::size_t blank = blank_at(written); blank > 0) {
            apart = !name.empty();
            written.remove_prefix(blank);
            continue;
        }
        if (apart) name += ' ';
        apart = false;
        name += written[0];
        written.remove_prefix(1);
    }
    return name;
}

bool is_same_person(std::string_view a, std::string_view b) {
    const std::string one = person_name(a);
    const std::string other = person_name(b);
    return std::equal(one.begin(), one.end(), other.begin(), other.end(), [](char x, char y) {
        return lower(x) == lower(y);
    });
}

}  // namespace pawl
