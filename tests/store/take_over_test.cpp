#include "store/migrations.gen.hpp"
#include "store/pg/migrate.hpp"
#include "support/database.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <sstream>

namespace pawl::test {
namespace {

const std::string fixtures = PAWL_SOURCE_DIR "/tests/store/fixtures/";

std::vector<std::string> catalog(Session& session) {
    std::ifstream file(PAWL_SOURCE_DIR "/sql/tests/catalog.sql");
    std::stringstream text;
    text << file.rdbuf();
    return session.column(text.str());
}

// A database at the last migration before they were drawn together into the baseline, with a run in
// it: pg_dump's form of what those migrations made.
class TakeOver : public ::testing::Test {
protected:
    void SetUp() override {
        // The roles, which belong to the cluster.
        Session& made = from_nothing_.session();
        made.loop().run(store::migrate_up(made.connection()));
        output_of(
            "gunzip -c " + fixtures + "before_baseline.sql.gz | psql -X -q -v ON_ERROR_STOP=1 " +
            "-o /dev/null -d '" + old_.url() + "'"
        );
    }

    void expect_same_catalogs() {
        const auto made = catalog(from_nothing_.session());
        const auto taken = catalog(old_.session());
        ASSERT_GT(made.size(), 1000U);
        std::vector<std::string> missing;
        std::set_difference(
            made.begin(), made.end(), taken.begin(), taken.end(), std::back_inserter(missing)
        );
        for (const auto& one : missing) ADD_FAILURE() << "only in the one from nothing: " << one;
        std::vector<std::string> left;
        std::set_difference(
            taken.begin(), taken.end(), made.begin(), made.end(), std::back_inserter(left)
        );
        for (const auto& one : left) ADD_FAILURE() << "only in the one taken over: " << one;
    }

    void expect_nothing_lost() {
        Session& session = old_.session();
        EXPECT_EQ(session.value("select count(*)::text from pawl.live_run"), "1");
        EXPECT_EQ(session.value("select count(*)::text from pawl.event"), "1");
        EXPECT_EQ(session.value("select key from pawl.correlation"), "key-1");
        EXPECT_EQ(
            session.value("select string_agg(name, ' ' order by id) from pawl.tenant"),
            "default acme"
        );
        // The old list is history.
        EXPECT_EQ(
            session.value("select max(name) filter (where number = -1) || ' ' || count(*) filter "
                          "(where number < 0) from pawl.migration"),
            std::string(store::baseline.name) + " " + std::to_string(store::baseline.number)
        );
    }

    TestDatabase from_nothing_{TestDatabase::Content::empty};
    TestDatabase old_{TestDatabase::Content::empty};
};

TEST_F(TakeOver, GivesTheCatalogOfADatabaseFromNothing) {
    Session& session = old_.session();
    const auto before = session.loop().run(store::schema_status(session.connection()));
    EXPECT_EQ(before.old, "0092_one_truth_for_names_and_times");
    const auto applied = session.loop().run(store::migrate_up(session.connection()));
    EXPECT_TRUE(applied.taken_over);
    EXPECT_EQ(
        applied.files, static_cast<int>(std::size(store::migrations)) - store::baseline_files
    );
    EXPECT_EQ(applied.texts, static_cast<int>(std::size(store::sql_texts)));
    expect_same_catalogs();
    expect_nothing_lost();
    EXPECT_TRUE(session.loop().run(store::migrate_up(session.connection())).nothing());
    const auto after = session.loop().run(store::schema_status(session.connection()));
    EXPECT_EQ(after.pending(), 0);
    EXPECT_EQ(after.old, "");
}

TEST_F(TakeOver, ByTheScriptForPeopleToo) {
    const std::string path = testing::TempDir() + old_.name() + ".sql";
    std::ofstream(path) << store::migration_sql();
    output_of("psql -X -q -o /dev/null -d '" + old_.url() + "' -f " + path);
    std::remove(path.c_str());
    Session& session = old_.session();
    EXPECT_TRUE(session.loop().run(store::migrate_up(session.connection())).nothing());
    expect_same_catalogs();
    expect_nothing_lost();
}

}  // namespace
}  // namespace pawl::test
