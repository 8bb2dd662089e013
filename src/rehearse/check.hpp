#pragma once

#include "rehearse/test_file.hpp"

#include <string>
#include <vector>

namespace pawl::rehearse {

// One line of a comparison: on both sides, only expected, only seen.
struct DiffLine {
    char mark = ' ';  // ' ', '-' or '+'
    std::string text;
};

// Something that did not come out as expected.
struct Mismatch {
    std::string what;  // "status", "path", "output"
    std::string message;
    std::vector<DiffLine> lines;
};

std::vector<Mismatch> check(
    const Definition& definition, const Expectation& expect, const Recording& recording
);

// "completed", "failed", "cancelled", or "waiting" while it is open.
std::string_view outcome_name(const Recording& recording);

// The shortest way from one list to the other.
std::vector<DiffLine> diff_lines(
    const std::vector<std::string>& expected, const std::vector<std::string>& seen
);

}  // namespace pawl::rehearse
