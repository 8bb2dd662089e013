#include "model/problem_code.hpp"

#include <gtest/gtest.h>

#include <set>

namespace pawl {
namespace {

using Values = std::vector<std::pair<std::string_view, std::string>>;

TEST(ProblemCode, HasTheValuesOfItsSentence) {
    EXPECT_EQ(
        problem_code("'pay' cannot be reached from 'begin': lead an edge to it, or take it out"),
        (ProblemCode{"unreachable", {{"step", "pay"}, {"start", "begin"}}})
    );
    EXPECT_EQ(
        problem_code("must be a whole number from 1 to 100 (in 'pay')"),
        (ProblemCode{"must_be_whole", {{"least", "1"}, {"most", "100"}}})
    );
}

TEST(ProblemCode, TellsHintsApart) {
    EXPECT_EQ(
        problem_code("unknown key, did you mean 'method'? (in 'pay')"),
        (ProblemCode{"unknown_key", {{"similar", "method"}}})
    );
    EXPECT_EQ(
        problem_code("'htp' is not a step type: use one of code, http"),
        (ProblemCode{"unknown_type", {{"type", "htp"}, {"known", "code, http"}}})
    );
    EXPECT_EQ(
        problem_code("there is no node 'x': add it, or lead the edge to another one"),
        (ProblemCode{"unknown_step", {{"step", "x"}}})
    );
}

TEST(ProblemCode, SeesBehindThePlaceInACondition) {
    EXPECT_EQ(
        problem_code("query.value: is missing: '=' needs something to compare with"),
        (ProblemCode{"condition_value_missing", {{"operator", "="}}})
    );
}

// Whatever people write into names and values: a quote, a brace, nothing.
TEST(ProblemCode, TakesAnyValue) {
    EXPECT_EQ(problem_code("'' is used twice: give one of them another name").values[0].second, "");
    EXPECT_EQ(
        problem_code("'a' {b}' is not a duration: write it like \"30s\"").values,
        (Values{{"text", "a' {b}"}})
    );
    EXPECT_EQ(problem_code("").code, "other");
    EXPECT_EQ(problem_code("nothing of this kind is known").code, "other");
}

TEST(ProblemCode, AreListedOnce) {
    const auto codes = problem_codes();
    EXPECT_GT(codes.size(), 100u);
    EXPECT_EQ(std::set<std::string_view>(codes.begin(), codes.end()).size(), codes.size());
}

}  // namespace
}  // namespace pawl
