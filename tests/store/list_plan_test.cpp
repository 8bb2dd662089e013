#include "store/plans.hpp"

#include <fmt/core.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <climits>
#include <optional>
#include <regex>

// Lists read what they show, however much else there is.
namespace pawl::test {
namespace {

class ListPlans : public PlanTest {
protected:
    // Tenant 2 has five runs, older than twenty thousand of tenant 1; of these none is of the
    // workflow 'rare' but the first three. Each third failed, and all but the oldest dead letters
    // were replayed.
    void SetUp() override {
        session_.script(
            "insert into pawl.tenant (name) values ('other');"
            "insert into pawl.workflow (tenant, name) values (1, 'busy'), (1, 'rare'), (2, 'a');"
            "create function closed(p_tenant int, p_name text, p_count int) returns void "
            "language sql as $$ insert into pawl.run (run_id, started_at, closed_at, tenant, "
            "workflow, version, bucket, status, output) select pawl.uuid7_bound(now() + "
            "((select count(*) from pawl.run) + i) * interval '1 ms'), now(), now(), p_tenant, "
            "w.id, 1, 0, 1 + (i % 3 = 0)::int, '{}' from generate_series(1, p_count) i, "
            "pawl.workflow w where w.tenant = p_tenant and w.name = p_name $$;"
            "select closed(2, 'a', 5); select closed(1, 'rare', 3); select closed(1, 'busy', "
            "20000);"
            "insert into pawl.dead_letter (bucket, run_id, tenant, workflow, version, node, error, "
            "fingerprint, at, replayed_as) select 0, r.run_id, r.tenant, r.workflow, 1, 'n', "
            "'{\"message\": \"no\"}', md5(r.workflow::text), pawl.uuid7_time(r.run_id), "
            "case when r.workflow = w.id then pawl.uuid7() end "
            "from pawl.run r, pawl.workflow w where r.status = 2 and w.name = 'busy'"
        );
        session_.script("vacuum analyze");
    }

    // Pages that the statement reads in a session that has planned it before: the least of some
    // tries, because what other databases of the cluster do makes sessions read catalogs anew.
    int pages_read(const std::string& statement) {
        const std::string again = "; " + statement + " /* again */";
        std::optional<int> least;
        for (const Plan& plan : explain(statement + again + again + again + again)) {
            if (plan.query.find("/* again */") == std::string::npos) continue;
            static const std::regex line(R"(Buffers: shared( hit=(\d+))?( read=(\d+))?)");
            std::smatch match;
            const bool read = std::regex_search(plan.text, match, line);
            const auto number = [&](std::size_t part) {
                return read && match[part].matched ? std::stoi(match[part]) : 0;
            };
            least = std::min(least.value_or(INT_MAX), number(2) + number(4));
        }
        EXPECT_TRUE(least) << "no plan of " << statement;
        return least.value_or(-1);
    }
    void expect_few_pages(const std::string& statement, const std::string& rows, int most = 400) {
        EXPECT_EQ(session_.value("select count(*)::text from " + statement), rows) << statement;
        const int pages = pages_read("select count(*) from " + statement);
        EXPECT_LE(pages, most) << statement;
        EXPECT_GT(pages, 0) << statement;
    }
};

TEST_F(ListPlans, OfClosedRuns) {
    const auto call = [](const std::string& what) {
        return "pawl.list_closed_runs(0::smallint, " + what + ", null, null, null, null, 51, 100)";
    };
    expect_few_pages(call("2, null, null"), "5");
    expect_few_pages(call("1, 'rare', null"), "3");
    expect_few_pages(call("1, 'rare', '{failed}'"), "1");
    expect_few_pages(call("1, null, '{cancelled}'"), "0");
    expect_few_pages(call("1, null, null"), "51");
    expect_few_pages(call("1, 'busy', '{failed}'"), "51");
}

TEST_F(ListPlans, OfDeadLetters) {
    const auto call = [](const std::string& what) {
        return "pawl.list_dead_letters(0::smallint, " + what + ", null, null, null, 51, 100)";
    };
    expect_few_pages(call("1, 'rare', null, null, false"), "1");
    expect_few_pages(call("1, null, null, null, false"), "1");
    expect_few_pages(call("1, 'busy', null, null, false"), "0");
    expect_few_pages(call("1, null, null, 'n', false"), "1");
    expect_few_pages(call("1, null, left(md5('2'), 8), null, false"), "1");
    expect_few_pages(call("2, null, null, null, false"), "1");
    expect_few_pages(call("1, 'busy', null, null, true"), "51");
    expect_few_pages(
        "pawl.group_dead_letters(0::smallint, 1, null, null, false, null, null, 100, 1000)", "1"
    );
}

// Six thousand failed runs in 200 bytes each would be 150 pages of the table, and as many looks.
TEST_F(ListPlans, OfCounts) {
    const auto total = [this](const std::string& what) {
        const std::string count =
            "pawl.count_runs(0::smallint, " + what + ", null, null, null, null, 10, 1000000, true)";
        EXPECT_LE(pages_read("select total from " + count), 600) << what;
        return session_.value("select total || ' ' || complete from " + count);
    };
    EXPECT_EQ(total("1, 'busy', '{failed,cancelled}'"), "6666 true");
    session_.script(
        "update pawl.run set retried_as = pawl.uuid7() where run_id in (select run_id from "
        "pawl.run where status = 2 and workflow = 1 limit 6)"
    );
    // Which pages the six rows stand on is chance, and each row of such a page is looked up.
    session_.script("vacuum pawl.run");
    EXPECT_EQ(total("1, 'busy', '{failed}'"), "6660 true");
    EXPECT_EQ(total("1, null, '{failed,completed}'"), "19997 true");
    EXPECT_EQ(total("2, null, null"), "5 true");
}

// What users ask of the view: the newest runs, those of a time, and how many there are of each
// kind.
TEST_F(ListPlans, OfTheView) {
    const auto plan_of = [this](const std::string& sql) {
        const auto plans = explain(sql);
        const auto found = std::find_if(plans.begin(), plans.end(), [](const Plan& plan) {
            return plan.query.find("pawl.workflow_executions") != std::string::npos;
        });
        return found == plans.end() ? std::string() : found->text;
    };
    const std::string runs = " from pawl.workflow_executions ";
    // The table is small. What can be read in another way is read so when there is more.
    const std::string large = "set enable_seqscan = off; set enable_sort = off; ";
    const auto newest = plan_of(large + "select *" + runs + "order by id desc limit 50");
    EXPECT_TRUE(std::regex_search(newest, std::regex("Scan Backward using run_[0-9]+_pkey")))
        << newest;
    EXPECT_EQ(newest.find("event_"), std::string::npos)
        << "the log of each week counts as cost of every row:\n"
        << newest;
    const auto groups = plan_of(
        "set enable_seqscan = off; select workflow_name, status, count(*)" + runs +
        "group by workflow_name, status"
    );
    EXPECT_TRUE(std::regex_search(groups, std::regex("Index Only Scan using run_[0-9]+_tenant_")))
        << groups;
    EXPECT_EQ(groups.find("event_"), std::string::npos) << groups;
    const auto later =
        plan_of("select id" + runs + "where created_at > now() + interval '19990 ms'");
    EXPECT_NE(later.find("uuid7_time_idx"), std::string::npos) << later;
}

// Just-in-time compilation of a plan whose cost is that of a way switched off takes seconds.
TEST_F(ListPlans, NoFunctionThatSwitchesPlansOffIsCompiled) {
    EXPECT_EQ(
        session_.value("select coalesce(string_agg(p.proname, ' '), '') from pg_proc p "
                       "where p.pronamespace = 'pawl'::regnamespace and exists (select 1 from "
                       "unnest(p.proconfig) s where s like 'enable\\_%=off') "
                       "and not 'jit=off' = any (p.proconfig)"),
        ""
    );
}

}  // namespace
}  // namespace pawl::test
