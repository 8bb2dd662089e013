#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace pawl {

// A kind of problem of a definition, for programs and for other languages: what stays the same
// while sentences are reworded, and the values that are in the sentence.
struct ProblemCode {
    std::string_view code;  // one of problem_codes()
    std::vector<std::pair<std::string_view, std::string>> values;

    bool operator==(const ProblemCode&) const = default;
};

// Of what Problem::what says. A sentence that has no code of its own is "other".
ProblemCode problem_code(std::string_view what);

// All there are, each once.
std::vector<std::string_view> problem_codes();

}  // namespace pawl
