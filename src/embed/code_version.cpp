#include "embed/code_version.hpp"

#include <charconv>

namespace pawl::embed {

std::optional<std::vector<int>> parse_code_version(std::string_view text) {
    std::vector<int> numbers;
    const char* at = text.data();
    const char* end = at + text.size();
    while (numbers.size() < 3) {
        int number = 0;
        const auto [next, wrong] = std::from_chars(at, end, number);
        if (wrong != std::errc() || number < 0) return std::nullopt;
        numbers.push_back(number);
        at = next;
        if (numbers.size() == 3) break;
        if (at == end || *at != '.') return std::nullopt;
        ++at;
    }
    if (at != end) return std::nullopt;
    return numbers;
}

}  // namespace pawl::embed
