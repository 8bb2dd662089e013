#include "steps/program_check.hpp"

#include <gtest/gtest.h>

namespace pawl::steps {
namespace {

std::string wrong_with(const char* step) {
    const auto definition =
        parse_definition(std::string("name: x\nsteps: [{name: a, ") + step + "}]").value();
    const auto problems = check_programs_now(definition, {});
    return problems.empty() ? "" : problems[0].path + ": " + problems[0].what;
}

TEST(ProgramCheck, FunctionsThatAreNotRegistered) {
    EXPECT_EQ(wrong_with("code: echo"), "");
    EXPECT_EQ(
        wrong_with("code: ecoh"),
        "a.function: there is no function 'ecoh', did you mean 'echo'?: noop, echo, fail are built "
        "in, others are registered by a C++ program"
    );
}

TEST(ProgramCheck, StatementsThatAreNotSql) {
    EXPECT_EQ(wrong_with("sql: 'select 1'"), "");
    EXPECT_EQ(wrong_with("sql: '/* now */ (WITH x as (select 1) select * from x)'"), "");
    EXPECT_EQ(
        wrong_with("sql: 'selct 1'"),
        "a.statement: 'selct' is not a command of SQL, did you mean 'select'?"
    );
}

}  // namespace
}  // namespace pawl::steps
