#include "model/suggest.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <numeric>

namespace pawl {

namespace {

std::size_t edit_distance(std::string_view a, std::string_view b) {
    std::vector<std::size_t> row(b.size() + 1);
    std::iota(row.begin(), row.end(), std::size_t{0});
    for (std::size_t i = 0; i < a.size(); ++i) {
        std::size_t diagonal = row[0];
        row[0] = i + 1;
        for (std::size_t j = 0; j < b.size(); ++j) {
            const std::size_t changed = diagonal + (a[i] == b[j] ? 0 : 1);
            diagonal = row[j + 1];
            row[j + 1] = std::min({changed, row[j] + 1, row[j + 1] + 1});
        }
    }
    return row[b.size()];
}

}  // namespace

std::string suggest(std::string_view word, const std::vector<std::string_view>& known) {
    constexpr std::size_t word_max = 64;  // longer ones are no misspellings, only work
    constexpr std::size_t known_max = 1000;
    if (word.empty() || word.size() > word_max) return {};
    std::string_view best;
    // Of a single letter nothing would stay the same: it is not like any other.
    std::size_t best_distance = word.size() == 1   ? 1
                                : word.size() <= 3 ? 2
                                : word.size() <= 6 ? 3
                                                   : 4;
    for (std::size_t i = 0; i < std::min(known.size(), known_max); ++i) {
        const std::string_view candidate = known[i];
        if (candidate.size() > word_max) continue;
        const std::size_t distance = edit_distance(word, candidate);
        if (distance < best_distance) {
            best_distance = distance;
            best = candidate;
        }
    }
    return best.empty() ? std::string() : fmt::format(", did you mean '{}'?", best);
}

}  // namespace pawl
