#include "model/event.hpp"
#include "store/migrations.gen.hpp"
#include "support/database.hpp"

#include <fmt/core.h>
#include <gtest/gtest.h>

#include <regex>

namespace pawl::test {
namespace {

class Schema : public ::testing::Test {
protected:
    // Rows of a lint query are what is wrong.
    void expect_none(const std::string& what, const std::string& sql) {
        for (const auto& found : session_.column(sql)) ADD_FAILURE() << what << ": " << found;
    }

    TestDatabase database_;
    Session& session_ = database_.session();
};

TEST_F(Schema, NamesInSqlAreTheNamesInCode) {
    const auto in_sql = [this](const char* function, int number) {
        return session_.value(
            fmt::format("select coalesce(pawl.{}({}::smallint), '-')", function, number)
        );
    };
    for (int i = 0; i < event_type_count; ++i) {
        EXPECT_EQ(in_sql("event_type_name", i), name(static_cast<EventType>(i)));
    }
    EXPECT_EQ(in_sql("event_type_name", event_type_count), "-");
    for (int i = 0; i <= 3; ++i) {
        EXPECT_EQ(in_sql("run_status_name", i), name(static_cast<RunStatus>(i)));
    }
    EXPECT_EQ(in_sql("run_status_name", 4), "-");
    const char* states[] = {"ready", "leased", "parked", "queued", "-"};
    for (int i = 0; i < 5; ++i) EXPECT_EQ(in_sql("live_state_name", i), states[i]);
}

// --- Catalog lint -------------------------------------------------------------------------------

TEST_F(Schema, EveryTableHasAPrimaryKey) {
    expect_none(
        "no primary key",
        "select c.relname::text from pg_class c where c.relnamespace = 'pawl'::regnamespace "
        "and c.relkind in ('r', 'p') and not exists (select 1 from pg_constraint k "
        "where k.conrelid = c.oid and k.contype = 'p')"
    );
}

TEST_F(Schema, TablesThatGrowLeadTheirKeyWithTheBucket) {
    expect_none(
        "primary key does not begin with bucket",
        "select c.relname::text from pg_class c join pg_constraint k on k.conrelid = c.oid "
        "join pg_attribute a on a.attrelid = c.oid and a.attnum = k.conkey[1] "
        "where c.relnamespace = 'pawl'::regnamespace and k.contype = 'p' and a.attname <> 'bucket' "
        "and exists (select 1 from pg_attribute b where b.attrelid = c.oid "
        "and b.attname = 'run_id')"
    );
}

TEST_F(Schema, ConstraintsAreNamedByPeople) {
    // Partitions inherit theirs and get generated names.
    expect_none(
        "generated constraint name",
        "select conname::text from pg_constraint where connamespace = 'pawl'::regnamespace "
        "and conparentid = 0 and conname !~ '_(pk|fk|unique|check)$'"
    );
}

TEST_F(Schema, NoColumnTypeThatWeRegret) {
    expect_none(
        "column type",
        "select c.relname || '.' || a.attname || ' ' || format_type(a.atttypid, a.atttypmod) "
        "from pg_attribute a join pg_class c on c.oid = a.attrelid "
        "where c.relnamespace = 'pawl'::regnamespace and c.relkind in ('r', 'p') "
        "and a.attnum > 0 and not a.attisdropped and format_type(a.atttypid, a.atttypmod) ~ "
        "'^(timestamp without|time |character|json$|money|real)' "
        // Written in the transactions of users and read once: to parse it there costs them time.
        "and (c.relname, a.attname) <> ('change_batch', 'changes')"
    );
    expect_none(
        "serial (use identity)",
        "select c.relname || '.' || a.attname from pg_attrdef d join pg_attribute a "
        "on a.attrelid = d.adrelid and a.attnum = d.adnum join pg_class c on c.oid = a.attrelid "
        "where c.relnamespace = 'pawl'::regnamespace "
        "and pg_get_expr(d.adbin, d.adrelid) like 'nextval%'"
    );
}

TEST_F(Schema, ForeignKeysAreIndexedAndNeverOnHotTables) {
    expect_none(
        "foreign key on a table that grows",
        "select conname::text from pg_constraint k where k.contype = 'f' "
        "and k.connamespace = 'pawl'::regnamespace and exists (select 1 from pg_attribute a "
        "where a.attrelid = k.conrelid and a.attname = 'bucket')"
    );
    expect_none(
        "foreign key without index",
        "select conname::text from pg_constraint k where k.contype = 'f' "
        "and k.connamespace = 'pawl'::regnamespace and not exists (select 1 from pg_index i "
        "where i.indrelid = k.conrelid and i.indkey[0] = k.conkey[1])"
    );
}

TEST_F(Schema, HotFunctionsTakeTheBucketFirstAndPinTheirPlans) {
    for (const std::string name : {"start_runs", "claim_runs", "commit_runs", "pending_signals"}) {
        EXPECT_EQ(
            session_.value(
                "select p.proargnames[1] || ' ' || (p.proconfig @> "
                "'{plan_cache_mode=force_generic_plan,enable_hashjoin=off}')::text "
                "from pg_proc p where p.oid = to_regproc('pawl." +
                name + "')"
            ),
            "p_bucket true"
        ) << name;
    }
}

// --- Migration text lint ------------------------------------------------------------------------

TEST(MigrationText, SetsALockTimeoutAndSaysWhetherItBreaks) {
    const std::regex dangerous(
        R"(\bdrop\s+column\b|\brename\b|\bset\s+not\s+null\b|\balter\s+column\s+\w+\s+type\b)",
        std::regex::icase
    );
    for (const auto& migration : store::migrations) {
        // What a function may do later is not done by the migration.
        const std::string sql =
            std::regex_replace(migration.sql, std::regex(R"(execute format\('[^']*')"), "");
        const auto marker = sql.find("-- breaking: ");
        ASSERT_NE(marker, std::string::npos) << migration.name;
        const bool breaking = sql.compare(marker + 13, 3, "yes") == 0;
        EXPECT_TRUE(breaking || sql.compare(marker + 13, 2, "no") == 0) << migration.name;
        EXPECT_TRUE(breaking || !std::regex_search(sql, dangerous)) << migration.name;
        EXPECT_NE(sql.find("set local lock_timeout"), std::string::npos) << migration.name;
        // Transactions are the runner's business.
        EXPECT_FALSE(std::regex_search(sql, std::regex(R"(\n(commit|rollback);)")));
    }
}

}  // namespace
}  // namespace pawl::test
