#include "store/sql_fixture.hpp"

namespace pawl::test {
namespace {

class SqlPagesPg : public SqlStepsPg {
protected:
    std::string stream(const std::string& statement, const std::string& key = "") {
        auto asked = request(statement, "[]", key);
        asked.config["stream"] = true;
        return run(std::move(asked));
    }
    std::string read(const std::string& key, int page) { return read(steps_, key, page); }
    std::string read(store::SqlSteps& steps, const std::string& key, int page) {
        auto asked = request("");
        asked.config = {{"page_of", {{"run", to_string(run_)}, {"key", key}, {"page", page}}}};
        return text(db_.loop().run(steps::read_page(steps, 0, std::move(asked))));
    }
    std::string pages() { return value("select count(*)::text from pawl.sql_page"); }
};

TEST_F(SqlPagesPg, RowsAreKeptInPagesWithTheirEffect) {
    const std::string given = fmt::format(
        R"({{"rows":{{"run":"{}","key":"k","pages":51,"count":50001}},"count":50001}})",
        to_string(run_)
    );
    EXPECT_EQ(stream("select i from generate_series(1, 50001) i", "k"), given);
    // Once; read back, its keys have another order.
    EXPECT_EQ(stream("select 1 / 0", "k").size(), given.size());
    EXPECT_EQ(pages(), "51");
    EXPECT_EQ(
        value("select count(distinct r)::text || ' ' || min(r ->> 'i') from pawl.sql_page, "
              "jsonb_array_elements(rows) r"),
        "50001 1"
    );
    EXPECT_EQ(read("k", 51), R"({"page":51,"items":[{"i":50001}]})");
    EXPECT_EQ(read("k", 52), "permanent items");
    EXPECT_EQ(read("other", 1), "permanent items");
    EXPECT_EQ(
        stream("select 1 where false", "none"),
        fmt::format(
            R"({{"rows":{{"run":"{}","key":"none","pages":0,"count":0}},"count":0}})",
            to_string(run_)
        )
    );
}

TEST_F(SqlPagesPg, LargeRowsHaveSmallPagesAndTooManyAreRefused) {
    stream("select repeat('x', 300000) as t from generate_series(1, 4)");
    EXPECT_EQ(pages(), "4");
    EXPECT_EQ(stream("select i from generate_series(1, 100001) i"), "permanent too_large");
    EXPECT_EQ(
        stream("select repeat('x', 1000000) as t from generate_series(1, 40)"),
        "permanent too_large"
    );
    EXPECT_EQ(pages(), "4") << "nothing of it has happened";
}

TEST_F(SqlPagesPg, ALoginOfItsOwnWritesAndReadsThoseOfItsTenantOnly) {
    Session& session = db_.database().session();
    db_.other_tenant();
    const Login mine(session, "pawl_test_pages_mine");
    const Login other(session, "pawl_test_pages_other", "other");
    const auto url_as = [&](const std::string& role) {
        return db_.database().url() + "&user=" + role;
    };
    pg::Pool my_pool(db_.loop().context().get_executor(), sql_pool(url_as("pawl_test_pages_mine")));
    pg::Pool other_pool(
        db_.loop().context().get_executor(), sql_pool(url_as("pawl_test_pages_other"))
    );
    store::SqlSteps my_steps(my_pool, "");
    store::SqlSteps other_steps(other_pool, "");
    auto asked = request("select i from generate_series(1, 2) i", "[]", "k");
    asked.config["stream"] = true;
    EXPECT_TRUE(
        text(db_.loop().run(steps::run_sql(my_steps, 0, std::move(asked)))).find("\"pages\":1") !=
        std::string::npos
    );
    EXPECT_EQ(read(my_steps, "k", 1), R"({"page":1,"items":[{"i":1},{"i":2}]})");
    EXPECT_EQ(read(other_steps, "k", 1), "permanent items");
}

TEST_F(SqlPagesPg, PagesStayAsLongAsTheirRun) {
    stream("select 1 as i", "k");
    script("update pawl.sql_effect set at = now() - interval '2 days'");
    db_.loop().run(steps_.purge(0));
    EXPECT_EQ(pages(), "1") << "the run is open";
    const std::string run = "'" + to_string(run_) + "'";
    script(
        "insert into pawl.run (run_id, started_at, closed_at, tenant, workflow, version, bucket, "
        "status) select run_id, now(), now(), tenant, workflow, version, bucket, 1 from "
        "pawl.live_run where run_id = " +
        run
    );
    script("delete from pawl.live_run where run_id = " + run);
    script("update pawl.sql_effect set at = now() - interval '2 days'");
    db_.loop().run(steps_.purge(0));
    EXPECT_EQ(pages(), "1") << "another run may go on from it";
    EXPECT_EQ(read("k", 1), R"({"page":1,"items":[{"i":1}]})");
    script("delete from pawl.run where run_id = " + run);
    script("update pawl.sql_effect set at = now() - interval '2 days'");
    db_.loop().run(steps_.purge(0));
    EXPECT_EQ(pages(), "0");
}

}  // namespace
}  // namespace pawl::test
