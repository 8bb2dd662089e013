#include "model/person.hpp"

#include <algorithm>

namespace pawl {

namespace {

constexpr std::string_view blanks = " \t\n\r\f\v";

char lower(char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

}  // namespace

std::string_view person_name(std::string_view written) {
    const auto first = written.find_first_not_of(blanks);
    if (first == std::string_view::npos) return {};
    return written.substr(first, written.find_last_not_of(blanks) - first + 1);
}

bool is_same_person(std::string_view a, std::string_view b) {
    const std::string_view one = person_name(a);
    const std::string_view other = person_name(b);
    return std::equal(one.begin(), one.end(), other.begin(), other.end(), [](char x, char y) {
        return lower(x) == lower(y);
    });
}

}  // namespace pawl
