#include "model/problems.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace pawl {
namespace {

std::vector<std::string> found(std::string_view text) {
    std::vector<std::string> lines;
    for (const Problem& problem : definition_problems(text)) {
        lines.push_back(fmt::format("{}: {}: {}", problem.line, problem.path, problem.what));
    }
    return lines;
}

using Lines = std::vector<std::string>;

TEST(Problems, ADefinitionWithoutAny) {
    EXPECT_EQ(found("name: x\nsteps: [{name: a, code: f}]\n"), Lines{});
}

TEST(Problems, AllOfADefinitionByLine) {
    const auto lines = found(R"(name: x
timeout: 0s
steps:
  - name: a
    code: f
    retry: {attempts: many, atempts: 3}
  - name: b
    code: f
    timout: 3s
)");
    EXPECT_EQ(
        lines,
        (Lines{
            "2: timeout: must be longer than zero",
            "6: steps[0].retry.attempts: must be a whole number from 1 to 100 (in 'a')",
            "6: steps[0].retry.atempts: unknown key, did you mean 'attempts'? (in 'a')",
            "9: steps[1].timout: unknown key, did you mean 'timeout'? (in 'b')"})
    );
}

TEST(Problems, TheFirstIsTheOneThatParsingReports) {
    const std::string_view text = "name: 5\nsteps: []\n";
    EXPECT_EQ(parse_definition(text).error().message, "line 1, name: must be text");
    EXPECT_EQ(
        found(text), (Lines{"1: name: must be text", "2: steps: must be a list of at least one"})
    );
}

TEST(Problems, WhatIsNotYamlHasItsLineToo) {
    EXPECT_EQ(
        found("name: x\nsteps: [\n"), Lines{"3: : not valid YAML: end of sequence flow not found"}
    );
    EXPECT_EQ(found(""), Lines{"0: : the definition is empty"});
}

TEST(Problems, WhatFollowsFromAnEarlierOneIsLeftOut) {
    Problems problems;
    problems.add(4, "steps[1].retry.attempts", "must be a number");
    problems.add(4, "steps[1].retry.attempts", "must be positive");
    problems.add(3, "steps[1]", "has no retry policy");
    EXPECT_EQ(problems.all().size(), 1U);
    problems.add(9, "steps[11]", "has no name");
    problems.add(4, "steps[1].retry.attempts.x", "is something else");
    EXPECT_EQ(problems.all().size(), 3U);
}

TEST(Problems, NotMoreThanAPersonReads) {
    std::string text = "name: x\nsteps:\n";
    for (int i = 0; i < 50; ++i) text += fmt::format("  - {{name: n{}, code: f, zz: 1}}\n", i);
    EXPECT_EQ(found(text).size(), Problems::kept_max);
}

}  // namespace
}  // namespace pawl
