#include "model/semantic_version.hpp"

#include <algorithm>
#include <cstddef>

namespace pawl {

namespace {

constexpr std::size_t length_max = 100;

bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

// A number without leading zeros.
bool is_number(std::string_view text) {
    if (text.empty() || (text.size() > 1 && text.front() == '0')) return false;
    return std::all_of(text.begin(), text.end(), is_digit);
}

bool is_word(std::string_view text) {
    return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
        return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-';
    });
}

// Whether all parts between dots are fine; `count` of them, 0: any number.
template <typename Check>
bool all_parts(std::string_view text, std::size_t count, Check check) {
    std::size_t found = 0;
    for (;;) {
        const std::size_t dot = std::min(text.find('.'), text.size());
        if (!check(text.substr(0, dot))) return false;
        ++found;
        if (dot == text.size()) break;
        text.remove_prefix(dot + 1);
    }
    return count == 0 || found == count;
}

// Of a prerelease: numbers must be real ones.
bool is_prerelease_part(std::string_view text) {
    return is_word(text) && (is_number(text) || !std::all_of(text.begin(), text.end(), is_digit));
}

}  // namespace

bool is_semantic_version(std::string_view text) {
    if (text.size() > length_max) return false;
    if (const auto plus = text.find('+'); plus != text.npos) {
        if (!all_parts(text.substr(plus + 1), 0, is_word)) return false;
        text = text.substr(0, plus);
    }
    if (const auto dash = text.find('-'); dash != text.npos) {
        if (!all_parts(text.substr(dash + 1), 0, is_prerelease_part)) return false;
        text = text.substr(0, dash);
    }
    return all_parts(text, 3, is_number);
}

}  // namespace pawl
