#include "support/database.hpp"

#include <fmt/core.h>
#include <gtest/gtest.h>

// Which rows of the tables that are allowed conditions look at, and how an administrator allows
// one.
namespace pawl::test {
namespace {

class ConditionTables : public ::testing::Test {
protected:
    ConditionTables() {
        script(
            "insert into pawl.tenant (name, organization) values "
            "('acme', '00000000-0000-0000-0000-00000000000a'),"
            "('rival', '00000000-0000-0000-0000-00000000000b');"
            "create table prof (uid text, merchant_id text, tier text, plan text);"
            "insert into prof values ('p1', 'acme', 'gold'),"
            "('p1', '00000000-0000-0000-0000-00000000000b', 'silver')"
        );
    }
    void script(const std::string& sql) { session_.script(sql); }
    std::string value(const std::string& sql) { return session_.value(sql); }
    // Whether p1 of this tenant has such a tier.
    std::string tier(
        const std::string& tenant,
        const std::string& operation,
        const std::string& expected,
        Session* as = nullptr
    ) {
        const std::string number =
            value("select id::text from pawl.tenant where name = '" + tenant + "'");
        return (as == nullptr ? session_ : *as)
            .value(fmt::format(
                "select pawl.check_condition({}, 'prof', 'tier', '{}', '\"{}\"', 'p1', null)::text",
                number,
                operation,
                expected
            ));
    }

    TestDatabase database_;
    Session& session_ = database_.session();
};

// Rows of several tenants have the same key.
TEST_F(ConditionTables, RowsOfOtherTenantsAreNotLookedAt) {
    script("select pawl.allow_condition_table('prof', 'uid')");
    EXPECT_EQ(tier("acme", "=", "silver"), "true") << "of whomever";
    script("select pawl.allow_condition_table('prof', 'uid', tenant => 'merchant_id')");
    EXPECT_EQ(tier("acme", "=", "silver"), "false");
    EXPECT_EQ(tier("acme", "=", "gold"), "true");
    EXPECT_EQ(tier("acme", "!=", "silver"), "true");
    EXPECT_EQ(tier("rival", "=", "silver"), "true") << "by its organization";
    EXPECT_EQ(tier("rival", "=", "gold"), "false");
    EXPECT_EQ(tier("default", "exists", "x"), "false");
    EXPECT_EQ(
        session_.refusal("select pawl.allow_condition_table('prof', 'uid', tenant => 'shop')")
            .message,
        "public.prof has no column 'shop'"
    );
    script("select pawl.allow_condition_table('prof', 'uid')");
    EXPECT_EQ(tier("acme", "=", "silver"), "true") << "what is said last counts";
    script("select pawl.allow_condition_table('prof', 'uid', tenant => 'merchant_id')");
    script("alter table prof drop column merchant_id");
    EXPECT_EQ(
        session_.refusal("select pawl.check_condition(2, 'prof', 'tier', '=', '1', 'p1', null)")
            .message,
        "the table public.prof has no column 'merchant_id'"
    );
    EXPECT_EQ(
        value("select pawl.query_problem(2, 'prof', 'tier', null)"),
        "the table public.prof has no column 'merchant_id'"
    );
}

TEST_F(ConditionTables, ALoginLooksAtRowsOfItsOwnTenant) {
    script(
        "select pawl.allow_condition_table('prof', 'uid', tenant => 'merchant_id');"
        "create role pawl_test_profs login; select pawl.allow_sql_role('pawl_test_profs', 'acme');"
        "grant select on prof to pawl_test_profs"
    );
    {
        Session login(database_.url() + "&user=pawl_test_profs");
        EXPECT_EQ(tier("acme", "=", "gold", &login), "true");
        EXPECT_EQ(tier("rival", "=", "silver", &login), "false");
        EXPECT_EQ(tier("rival", "=", "gold", &login), "true") << "whatever number it gives";
        EXPECT_EQ(
            login.refusal("select pawl.check_condition(2, 'other', 'x', '=', '1', '1', null)")
                .sqlstate,
            "PW010"
        );
    }
    script("drop owned by pawl_test_profs; drop role pawl_test_profs");
}

// What the hint says can be done as it is written, where that is known.
TEST_F(ConditionTables, HintsNameWhatIsThere) {
    const auto problem = [this](const std::string& arguments) {
        return value("select pawl.query_problem(1, " + arguments + ")");
    };
    const std::string denied =
        "conditions may not ask tier of the table prof: an administrator allows it with select "
        "pawl.allow_condition_table('public.prof', ";
    EXPECT_EQ(problem("'prof', 'tier', null"), denied + "'COLUMN_WITH_THE_SUBJECT')");
    script("select pawl.set_person_source('prof', 'uid', tenant => 'merchant_id')");
    EXPECT_EQ(problem("'prof', 'tier', null"), denied + "'uid', tenant => 'merchant_id')");
    script("select pawl.allow_condition_table('prof', 'uid', '{plan}')");
    EXPECT_EQ(problem("'prof', 'tier', null"), denied + "'uid', '{plan,tier}')");
    EXPECT_EQ(
        problem("'prof', 'plan', 'nope'"),
        "conditions may not ask nope of the table prof: an administrator allows it with select "
        "pawl.allow_condition_table('public.prof', 'uid', '{plan,nope}')"
    );
    script("select pawl.allow_condition_table('prof', 'uid')");
    EXPECT_EQ(problem("'prof', 'plan', 'nope'"), "the table public.prof has no column 'nope'");
    for (const char* table : {"pg_catalog.pg_authid", "information_schema.tables", "pawl.run"}) {
        EXPECT_EQ(
            problem(fmt::format("'{}', 'x', null", table)),
            fmt::format(
                "conditions may not ask x of the table {}: it is no table of an application", table
            )
        );
        EXPECT_EQ(
            session_
                .refusal(fmt::format(
                    "select pawl.check_condition(1, '{}', 'x', '=', '1', '1', null)", table
                ))
                .hint,
            "Name a table of the application."
        );
    }
}

}  // namespace
}  // namespace pawl::test
