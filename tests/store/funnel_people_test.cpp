#include "support/database.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

// Who is in a workflow, and where.
namespace pawl::test {
namespace {

class FunnelPeople : public ::testing::Test {
protected:
    // Runs at two nodes, in several states and versions, with what is counted of them.
    FunnelPeople() {
        session_.script(
            "set jit = off;"
            "insert into pawl.run_place (bucket, run_id, token, tenant, workflow, version, node, "
            "state, since) select 0, gen_random_uuid(), n % 2, 1, 7, 1 + n % 5 / 3, "
            "case when n % 3 = 0 then 'hello' else 'week' end, case when n % 3 = 0 then 'event' "
            "when n % 7 = 0 then 'retry' when n % 7 = 1 then 'task' else 'time' end, now() "
            "from generate_series(1, 60) n;"
            "insert into pawl.funnel_count (tenant, workflow, span, at, version, node, what, "
            "detail, count) select tenant, workflow, 'n', '-infinity', version, node, 'waiting', "
            "state, count(*) from pawl.run_place group by tenant, workflow, version, node, state"
        );
    }
    // `asked`: node, state and version.
    std::vector<std::string> page_by_page(const std::string& asked) {
        return session_.column(fmt::format(
            "with recursive page as (select p.*, 1 as n from pawl.people_at(1, 7, {0}, null, null, "
            "null, 1) p union all select p.*, n + 1 from page o, lateral pawl.people_at(1, 7, {0}, "
            "o.node, o.run_id, o.token, 1) p) "
            "select node || ' ' || run_id || ' ' || token from page order by n",
            asked
        ));
    }
    std::vector<std::string> all(const std::string& asked) {
        return session_.column(fmt::format(
            "select r.node || ' ' || r.run_id || ' ' || r.token from pawl.run_place r, "
            "(select {}) as q (node, state, version) where r.node = coalesce(q.node, r.node) and "
            "r.state = coalesce(q.state, r.state) and r.version = coalesce(q.version, r.version) "
            "order by r.node, r.run_id, r.token",
            asked
        ));
    }

    TestDatabase database_;
    Session& session_ = database_.session();
};

TEST_F(FunnelPeople, AreListedByNodeStateAndVersion) {
    EXPECT_EQ(all("null::text, null::text, null::int").size(), 60u);
    for (const char* at : {"null::text", "'week'", "'hello'", "'none'"}) {
        for (const char* state : {"null::text", "'time'", "'event'", "'retry'", "'task'", "'x'"}) {
            for (const char* version : {"null::int", "1", "2", "3"}) {
                const auto asked = fmt::format("{}, {}, {}", at, state, version);
                EXPECT_EQ(page_by_page(asked), all(asked)) << asked;
            }
        }
    }
}

TEST_F(FunnelPeople, AreNotLookedThroughForAStateThatNoneIsIn) {
    session_.script(
        "insert into pawl.run_place (bucket, run_id, token, tenant, workflow, version, node, "
        "state, since) select 0, pawl.uuid7(), 0, 1, 7, 1, 'week', 'time', now() "
        "from generate_series(1, 20000); analyze pawl.run_place"
    );
    const auto blocks_read = [&] {
        return std::stoi(session_.value(
            "select (pg_stat_get_xact_blocks_fetched('pawl.run_place'::regclass) + "
            "sum(pg_stat_get_xact_blocks_fetched(i.indexrelid)))::text from pg_index i "
            "where i.indrelid = 'pawl.run_place'::regclass"
        ));
    };
    const auto read_by = [&](const std::string& asked) {
        session_.script("begin");
        const int before = blocks_read();
        EXPECT_EQ(
            session_.value(
                "select count(*)::text from pawl.people_at(1, 7, " + asked +
                ", null, null, null, 50)"
            ),
            "0"
        ) << asked;
        const int blocks = blocks_read() - before;
        session_.script("rollback");
        return blocks;
    };
    EXPECT_LT(read_by("null, 'child', null"), 20);
    EXPECT_LT(read_by("'week', 'event', null"), 20);
    EXPECT_LT(read_by("'week', null, 3"), 20);
    EXPECT_LT(read_by("'hello', 'retry', 1"), 20);
}

}  // namespace
}  // namespace pawl::test
