#include "store/plans.hpp"

#include <fmt/core.h>

#include <regex>

namespace pawl::test {
namespace {

const std::string run = "0190ffff-0000-7000-8000-000000000001";
const std::string worker = "00000000-0000-7000-8000-00000000000a";

// What commits and senders ask costs the same, however much there is.
class OutboxPlans : public PlanTest {
protected:
    void SetUp() override {
        session_.script("insert into pawl.workflow (tenant, name) values (1, 'hello')");
    }
    void add_targets(int count) {
        session_.script(fmt::format(
            "with made as (insert into pawl.outbox_target (tenant, kind, address) "
            "select 1, 'webhook', 'http://x' from generate_series(1, {}) returning id) "
            "insert into pawl.outbox_lease (target, shard, tenant) select id, s, 1 from made, "
            "generate_series(0, 1) s",
            count
        ));
    }
    void fill(int runs) {
        session_.script(fmt::format(
            "insert into pawl.outbox (bucket, target, run_id, seq, tenant, type, due_at, state) "
            "select 0, t.id, u.id, s, 1, 'run.started', case when s > 0 then now() end, "
            "case when s > 0 then 0 else 2 end from (select pawl.uuid7() as id "
            "from generate_series(1, {}) offset 0) u, pawl.outbox_target t, generate_series(0, 1) "
            "s",
            runs
        ));
    }
    std::vector<Plan> everything() {
        return explain(fmt::format(
            "select pawl.start_runs(0::smallint, null, false, array['{0}']::uuid[], array[1], "
            "array[1], array[1], array[null]::text[], array[0]::smallint[], "
            "array[null]::timestamptz[], array['{{}}']::jsonb[], null, array[false]);"
            "select pawl.fill_outbox(0::smallint, array['{0}']::uuid[], array[1], "
            "array[1]::smallint[], array[null]::jsonb[]);"
            "select * from pawl.take_outbox(0::smallint, '{1}', 50, interval '30 s');"
            "select pawl.settle_outbox(0::smallint, target, shard, '{1}', array[run_id], "
            "array[seq], array[0]::smallint[], array[true], array[500]::smallint[], array[''], "
            "array[''], array[1000], null, null) from pawl.outbox where state = 1 limit 1;"
            "update pawl.outbox set due_at = now() + interval '1 h' where seq = 0;"
            "update pawl.outbox set due_at = now() - interval '1 h', state = 0 where seq = 1;"
            "select * from pawl.pick_outbox(0::smallint, (select min(id) from pawl.outbox_target), "
            "0::smallint, 50);"
            "select pawl.purge_outbox(0::smallint, interval '1 h', 10000)",
            run,
            worker
        ));
    }
    // A batch may be sorted; nothing that grows.
    static void expect_used(
        const std::vector<Plan>& plans, const std::string& marker, const std::string& index
    ) {
        int seen = 0;
        for (const Plan& plan : plans) {
            if (plan.query.find(marker) == std::string::npos) continue;
            ++seen;
            EXPECT_TRUE(std::regex_search(plan.text, std::regex(index))) << index << plan.text;
        }
        EXPECT_GT(seen, 0) << "no statement with: " << marker;
    }
    void expect_good_plans() {
        const auto plans = everything();
        const std::string by_run = R"(using outbox_pk on outbox .*\n *Index Cond: .*bucket = )"
                                   R"(.*run_id = .*target = .*seq [<=>] )";
        expect_used(plans, "as before on true", by_run);
        expect_used(plans, "as p on true", by_run);
        expect_used(plans, "as p on true", "using outbox_due on outbox");
        expect_used(plans, "set due_at = u.until", by_run);
        expect_used(plans, "as place from moved", by_run);
        expect_used(plans, "as place from moved", "Tid Scan on outbox");
        expect_used(plans, "v_ours or v.state = 2", by_run);
        expect_used(plans, "min(w.seq) as seq", by_run);
        expect_used(plans, "with recursive told", "using outbox_recent on outbox");
        for (const Plan& plan : plans) {
            // Those of the functions have names; those of this test have none.
            EXPECT_FALSE(std::regex_search(plan.text, std::regex("Seq Scan on outbox [a-z]")))
                << plan.text;
        }
    }
    // Otherwise the scan that is switched off has the just-in-time compiler called: 50 ms a batch.
    void expect_cheap_question() {
        const auto plans = explain(fmt::format(
            "select pawl.start_runs(0::smallint, null, false, array['{0}']::uuid[], array[1], "
            "array[1], array[1], array[null]::text[], array[0]::smallint[], "
            "array[null]::timestamptz[], array['{{}}']::jsonb[], null, array[false]);"
            "insert into pawl.worker (id, host, pid, version) values ('{1}', 'h', 1, 'v');"
            "select pawl.claim_runs(0::smallint, '{1}', 10);"
            "select pawl.commit_runs(0::smallint, '{1}', false, array['{0}']::uuid[], array[1], "
            "array[1]::smallint[], array[1]::smallint[], array['n'], array[null]::jsonb[], "
            "array[null]::jsonb[], null, null, null, null, null, null, null, null, null, null, "
            "null, null, null, null, null)",
            run,
            worker
        ));
        int asked = 0;
        for (const Plan& plan : plans) {
            if (plan.query.find("exists (select 1 from pawl.outbox_target") == std::string::npos) {
                continue;
            }
            ++asked;
            const std::regex told("Index Only Scan using outbox_target_told on outbox_target");
            EXPECT_TRUE(std::regex_search(plan.text, told)) << plan.text;
            EXPECT_EQ(plan.text.find("JIT"), std::string::npos) << plan.text;
            EXPECT_EQ(plan.text.find("Filter:"), std::string::npos) << plan.text;
        }
        EXPECT_EQ(asked, 2) << "by a start and by a commit";
    }
};

TEST_F(OutboxPlans, WhetherThereAreTargetsIsAnsweredByAnIndex) {
    expect_cheap_question();
    add_targets(40);
    session_.script("update pawl.outbox_target set disabled_at = now()");
    expect_cheap_question();
    session_.script("analyze pawl.outbox_target");
    expect_cheap_question();
}

TEST_F(OutboxPlans, DoNotDependOnStatistics) {
    add_targets(5);
    fill(1);
    expect_good_plans();
    session_.script("analyze pawl.outbox, pawl.outbox_target, pawl.outbox_lease");
    fill(2000);
    expect_good_plans();
    session_.script("analyze pawl.outbox");
    expect_good_plans();
}

}  // namespace
}  // namespace pawl::test
