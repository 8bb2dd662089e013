#include "store/plans.hpp"

#include <fmt/core.h>
#include <gtest/gtest.h>

#include <regex>

namespace pawl::test {
namespace {

const std::string worker = "'00000000-0000-7000-8000-00000000000a'";

class FlowPlans : public PlanTest {
protected:
    void SetUp() override {
        session_.script(
            "insert into pawl.worker (id, host, pid, version) values (" + worker +
            ", 'h', 1, 'v'); insert into pawl.workflow (tenant, name) values (1, 'hello')"
        );
    }

    // Runs inside gates, and runs that wait at one of them.
    void fill(int gates, int waiting) {
        session_.script(fmt::format(
            "insert into pawl.flow_gate (bucket, gate, base, \"limit\", held) "
            "select 0, '1/1/c/' || i, 1, 1, 1 from generate_series(1, {}) i",
            gates
        ));
        session_.script(fmt::format(
            "with waits as (insert into pawl.live_run (run_id, due_at, tenant, workflow, version, "
            "bucket, state, priority, flow, slot) select pawl.uuid7(), now(), 1, 1, 1, 0, 3, 0, "
            "'{{\"slots\": [[\"1/1/c/1\", 1]]}}', 2 from generate_series(1, {}) returning run_id) "
            "insert into pawl.flow_wait (bucket, run_id, gate, rank) "
            "select 0, run_id, '1/1/c/1', now() from waits",
            waiting
        ));
    }

    // Starts of runs that get in and of some that wait, a claim that lets one in, a cancel.
    std::string everything() const {
        std::string sql;
        const auto start = [&](int first, int count, const std::string& gate, bool lease) {
            sql += fmt::format(
                "select pawl.start_runs(0::smallint, {}, false, array(select "
                "('0190ffff-0000-7000-8000-' || lpad(i::text, 12, '0'))::uuid from "
                "generate_series({}, {}) i), array_fill(1, array[{}]), array_fill(1, array[{}]), "
                "array_fill(1, array[{}]), array_fill(null::text, array[{}]), "
                "array_fill(0::smallint, array[{}]), array_fill(null::timestamptz, array[{}]), "
                "array_fill('{{}}'::jsonb, array[{}]), null, array_fill({}, array[{}]), "
                "array_fill('{{\"slots\": [[\"{}\", 1]]}}'::jsonb, array[{}]));",
                worker,
                first,
                first + count - 1,
                count,
                count,
                count,
                count,
                count,
                count,
                count,
                lease,
                count,
                gate,
                count
            );
        };
        start(1, 2, "1/1/d/1", true);
        start(11, 2, "1/1/d/2", false);
        sql += "select pawl.claim_runs(0::smallint, " + worker + ", 10, 1);";
        sql += fmt::format(
            "select pawl.commit_runs(0::smallint, {}, false, '{{}}', '{{}}', '{{}}', '{{}}', "
            "'{{}}', '{{}}', '{{}}', null, '{{}}', '{{}}', "
            "array['0190ffff-0000-7000-8000-000000000001']::uuid[], array[now()], array[1], "
            "array[1], array[1], array[1]::smallint[], array[null]::text[], array[null]::jsonb[], "
            "array[null]::jsonb[], array[null]::text[], '{{}}', '{{}}');",
            worker
        );
        sql += "select pawl.claim_runs(0::smallint, " + worker + ", 10, 2);";
        sql +=
            "select pawl.request_cancel(0::smallint, "
            "'0190ffff-0000-7000-8000-000000000012', 'x');";
        return sql;
    }

    void expect_good_plans() {
        const auto plans = explain(everything());
        const std::string by_gate = R"(Index Cond: \(\(bucket = \$\d+\) AND \(gate = .*u\.gate)";
        expect_index(plans, "and h.gate = u.gate", by_gate);
        expect_index(plans, "order by w.rank", "using flow_wait_turn on flow_wait");
        expect_index(plans, "p_bucket and g.look", "using flow_gate_look on flow_gate");
        expect_index(plans, "h.ctid = any (p_close) and h.slot = 1", "Tid Scan on live_run");
        int seen = 0;
        static const std::regex whole(
            R"((Seq Scan|Bitmap Heap Scan) on (flow_gate|flow_wait|live_run))"
        );
        // Of one bucket, and then a filter.
        static const std::regex bucket_only(R"(on flow_gate.*\n *Index Cond: \(bucket = \$\d+\)\n)"
        );
        for (const Plan& plan : plans) {
            if (plan.query.find("flow_") == std::string::npos) continue;
            ++seen;
            EXPECT_FALSE(std::regex_search(plan.text, whole)) << plan.query << plan.text;
            EXPECT_FALSE(std::regex_search(plan.text, bucket_only)) << plan.query << plan.text;
        }
        EXPECT_GT(seen, 10);
    }
};

TEST_F(FlowPlans, EmptyAndNeverAnalysed) {
    expect_good_plans();
}

TEST_F(FlowPlans, AnalysedWhenEmptyAndFullASecondLater) {
    session_.script("analyze");
    fill(50000, 50000);
    expect_good_plans();
}

TEST_F(FlowPlans, Full) {
    fill(50000, 50000);
    session_.script("analyze");
    expect_good_plans();
}

}  // namespace
}  // namespace pawl::test
