#include "workers/draft_diff.hpp"

#include <algorithm>
#include <vector>

namespace pawl::workers {

namespace {

// Longer drafts are compared as a whole: the table below grows with the product.
constexpr std::size_t lines_max = 500;

std::vector<std::string_view> lines_of(std::string_view text) {
    std::vector<std::string_view> lines;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        lines.push_back(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return lines;
}

// How many lines two texts have in common, from every pair of places on to their ends.
std::vector<std::vector<std::size_t>> common_from(
    const std::vector<std::string_view>& a, const std::vector<std::string_view>& b
) {
    std::vector common(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
    for (std::size_t i = a.size(); i-- > 0;) {
        for (std::size_t j = b.size(); j-- > 0;) {
            common[i][j] = a[i] == b[j] ? common[i + 1][j + 1] + 1
                                        : std::max(common[i + 1][j], common[i][j + 1]);
        }
    }
    return common;
}

}  // namespace

std::string draft_diff(std::string_view before, std::string_view after) {
    if (before == after) return {};
    const auto a = lines_of(before);
    const auto b = lines_of(after);
    std::string out;
    const auto add = [&out](std::string_view mark, std::string_view line) {
        out.append(mark).append(line).append("\n");
    };
    if (a.size() > lines_max || b.size() > lines_max) {
        for (const auto line : a) add("- ", line);
        for (const auto line : b) add("+ ", line);
        return out;
    }
    const auto common = common_from(a, b);
    std::size_t i = 0;
    std::size_t j = 0;
    while (i < a.size() || j < b.size()) {
        if (i < a.size() && j < b.size() && a[i] == b[j]) {
            add("  ", a[i++]);
            ++j;
        } else if (j == b.size() || (i < a.size() && common[i + 1][j] >= common[i][j + 1])) {
            add("- ", a[i++]);
        } else {
            add("+ ", b[j++]);
        }
    }
    return out;
}

}  // namespace pawl::workers
