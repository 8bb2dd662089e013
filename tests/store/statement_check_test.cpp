#include "store/pg/statement_check.hpp"

#include "store/sql_fixture.hpp"

namespace pawl::test {
namespace {

using StatementCheckPg = SqlStepsPg;

TEST_F(StatementCheckPg, TellsWhatTheServerCannotReadAndWhere) {
    const auto found = db_.loop().run(store::syntax_errors(
        pool_,
        {"select $1::int + n frm points",
         "insert into points values ($1, $2)",
         "select * from not_there_yet where x = $1",
         "select 1;\nselect 2",
         "select 'é',\n  frm",
         "call not_there($1)"}
    ));
    ASSERT_EQ(found.size(), 6U);
    EXPECT_EQ(found[0], "syntax error at or near \"points\" (line 1, column 24)");
    EXPECT_EQ(found[1], std::nullopt);
    EXPECT_EQ(found[2], std::nullopt) << "it may come later";
    EXPECT_EQ(found[3], "cannot insert multiple commands into a prepared statement");
    EXPECT_EQ(found[4], std::nullopt) << "a column, as far as anyone can read";
    EXPECT_EQ(found[5], std::nullopt);
    EXPECT_EQ(value("select count(*)::text from points"), "0");
    // The connection can be used by the next one.
    EXPECT_EQ(run("select 1 as n"), R"({"rows":[{"n":1}],"count":1})");
}

TEST_F(StatementCheckPg, CountsCharactersAndLines) {
    const auto found =
        db_.loop().run(store::syntax_errors(pool_, {"select 'é'\n  from from points"}));
    EXPECT_EQ(found.at(0), "syntax error at or near \"from\" (line 2, column 8)");
}

}  // namespace
}  // namespace pawl::test
