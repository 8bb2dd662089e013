#include "store/plans.hpp"
#include "store/queries.gen.hpp"

#include <fmt/core.h>
#include <gtest/gtest.h>

#include <regex>

namespace pawl::test {
namespace {

const std::string worker = "'00000000-0000-7000-8000-00000000000a'";

class Plans : public PlanTest {
protected:
    void SetUp() override {
        session_.script(
            "insert into pawl.worker (id, host, pid, version) values (" + worker +
            ", 'h', 1, 'v'); insert into pawl.workflow (tenant, name) values (1, 'hello')"
        );
    }

    // Sleeping, parked and closed runs. The log of the closed ones is there too.
    void fill(int sleeping, int parked, int closed) {
        session_.script(fmt::format(
            "insert into pawl.live_run "
            "(run_id, due_at, tenant, workflow, version, bucket, state, priority) "
            "select pawl.uuid7(), now() + interval '1 day', 1, 1, 1, 0, "
            "case when i <= {0} then 0 else 2 end, i % 3 from generate_series(1, {0} + {1}) i",
            sleeping,
            parked
        ));
        session_.script(fmt::format(
            "with ids as materialized (select pawl.uuid7() as id from generate_series(1, {})), "
            "closed as (insert into pawl.run (run_id, started_at, closed_at, tenant, workflow, "
            "version, bucket, status) select id, now(), now(), 1, 1, 1, 0, 1 from ids) "
            "insert into pawl.event (run_id, at, seq, bucket, type) "
            "select id, now(), seq, 0, seq from ids, generate_series(0, 4) seq",
            closed
        ));
    }

    void expect_good_plans() {
        expect_good_start();
        expect_good_claim();
        expect_good_commit();
        expect_good_reads();
    }
    void expect_good_start();
    void expect_good_claim();
    void expect_good_commit();
    void expect_good_reads();
};

// A due run for the claim to take: leased to the worker afterwards.
const std::string start_run =
    "select pawl.start_runs(0::smallint, null, false, array['{0}']::uuid[], array[1], array[1], "
    "array[1], array[null]::text[], array[0]::smallint[], array[null]::timestamptz[], "
    "array['{{}}']::jsonb[], null, array[false]);";
const std::string one_run = "0190ffff-0000-7000-8000-000000000001";
const std::string other_run = "0190ffff-0000-7000-8000-000000000002";

void Plans::expect_good_claim() {
    const auto plans = explain(
        fmt::format(fmt::runtime(start_run), one_run) +
        fmt::format(fmt::runtime(start_run), other_run) +
        "update pawl.live_run set tenant = 2 where run_id = '" + one_run +
        "'; select pawl.claim_runs(0::smallint, " + worker + ", 2)"
    );
    // None sorts what sleeps to find the first.
    expect_index(plans, "with first as materialized", "using live_run_ready on live_run");
    expect_index(plans, "l.priority = p_priority", "using live_run_ready on live_run");
    expect_index(plans, "l.priority = p_priority", "Tid Scan on live_run");
    expect_index(plans, "select l.priority", "Scan using live_run_ready on live_run");
    expect_index(plans, "select l.tenant", "Scan (Backward )?using live_run_turn on live_run");
    expect_index(
        plans,
        "l.tenant = u.tenant",
        R"(using live_run_turn on live_run.*\n *Index Cond: .*tenant = u\.tenant)"
    );
    expect_index(plans, "l.tenant = u.tenant", "Tid Scan on live_run");
    expect_index(plans, "for key share", "using worker_pk");
    // The order by of the log: PK order per partition, merged; sorting a claim's rows is cheap.
    int logs = 0;
    for (const Plan& plan : plans) {
        if (plan.query.find("from pawl.event l where") == std::string::npos) continue;
        ++logs;
        // By run, not a scan of the bucket with a filter.
        const std::regex by_run(R"(Index Cond: \(\(bucket = \$\d+\) AND \(run_id = u\.run_id\)\))");
        EXPECT_TRUE(std::regex_search(plan.text, by_run)) << plan.text;
        EXPECT_EQ(plan.text.find("Filter:"), std::string::npos) << plan.text;
        EXPECT_EQ(plan.text.find("Seq Scan on event"), std::string::npos) << plan.text;
    }
    EXPECT_EQ(logs, 1);
}

// A start with a correlation key looks at that key and no other.
void Plans::expect_good_start() {
    auto start = fmt::format(fmt::runtime(start_run), one_run);
    const std::string no_keys = "null, array[false]";
    start.replace(start.find(no_keys), no_keys.size(), "array['k'], array[false]");
    expect_index(
        explain(start),
        "h.run_id <> p_run[u.i]",
        R"(using correlation_pk on correlation c.*\n *Index Cond: .*key = \(\$\d+\)\[u\.i\])"
    );
}

void Plans::expect_good_commit() {
    const auto plans = explain(
        fmt::format(fmt::runtime(start_run), one_run) +
        fmt::format(fmt::runtime(start_run), other_run) + "select pawl.claim_runs(0::smallint, " +
        worker + ", 10);" +
        fmt::format(
            "select pawl.request_cancel(0::smallint, '{1}', 'x');"
            "select pawl.request_cancel(0::smallint, '{1}', 'y');"
            "select pawl.pending_signals(0::smallint, {2}, array['{1}']::uuid[]);"
            "select pawl.commit_runs(0::smallint, {2}, false, array['{0}']::uuid[], array[1], "
            "array[1]::smallint[], array[1]::smallint[], array['n'], array[null]::jsonb[], "
            "array[null]::jsonb[], null, array['{1}']::uuid[], array[null]::timestamptz[], "
            "array['{0}']::uuid[], array[now()], array[1], array[1], array[1], "
            "array[1]::smallint[], array[null]::text[], array[null]::jsonb[], "
            "array[null]::jsonb[], array[null]::text[], "
            "array(select min(s.id) from pawl.signal s), array['{1}']::uuid[], null, "
            "array(select l.ctid from pawl.live_run l where l.run_id = '{0}') || null::tid)",
            one_run,
            other_run,
            worker
        )
    );
    for (const char* marker : {"delete from pawl.live_run", "when u.due is null then 2 else"}) {
        expect_index(plans, marker, "Tid Scan on live_run");
    }
    expect_index(
        plans,
        "filter (where u.row_id is null and x.row_id is null)",
        R"(Index Cond: \(\(bucket = \$\d+\) AND \(run_id = u\.run_id\)\))"
    );
    expect_index(
        plans, "as waiting", R"(Index Cond: \(\(bucket = \$\d+\) AND \(run_id = u\.run_id\)\))"
    );
    expect_index(plans, "where h.ctid = any (p_row)", "Tid Scan on live_run");
    // One look for each signal: a walk over those of the whole bucket pays for every run that
    // waits.
    expect_index(
        plans,
        "h.id = u.id",
        R"(signal_pk on signal .*\n *Index Cond: .*bucket = .*run_id = u\.run_id.*id = u\.id)"
    );
    expect_index(
        plans,
        "select h.ctid as row_id from pawl.signal h where",
        R"(signal_pk on signal .*\n *Index Cond: .*bucket = .*run_id = u\.run_id)"
    );
}

void Plans::expect_good_reads() {
    const auto prepare = fmt::format(
        "prepare load_log (smallint, uuid) as {}; "
        "prepare list_runs (smallint, int, text, text[], text, text, uuid, uuid, int, int, "
        "text, jsonb, int) as {}; "
        "prepare health (smallint) as {};",
        store::queries::load_log.text,
        store::queries::list_runs.text,
        store::queries::health.text
    );
    // Prepared statements begin with custom plans and may become generic.
    for (const std::string mode : {"force_custom_plan", "force_generic_plan"}) {
        const auto plans = explain(fmt::format(
            "{}set plan_cache_mode = {}; execute load_log(0, '{}'); "
            "execute list_runs(0, 1, null, null, null, null, null, null, 50, 1000, null, null, 0); "
            "execute list_runs(0, 1, null, null, null, null, null, pawl.uuid7(), 50, 1000, null, "
            "null, 0); "
            "execute list_runs(0, 1, 'hello', '{{failed}}', null, null, null, null, 51, 1000, "
            "null, null, 0); "
            "execute list_runs(0, 1, null, null, 'c 7', null, null, null, 52, 1000, null, null, "
            "0); "
            "execute list_runs(0, 1, null, null, null, 'k', null, null, 53, 1000, null, null, 0); "
            "execute health(0)",
            prepare,
            mode,
            one_run
        ));
        expect_index(plans, "e.run_id = p_run", "Scan using event_[a-z0-9]+_pkey on event_");
        expect_index(
            plans,
            "l.bucket = p_bucket and l.run_id >= v_from",
            "Scan Backward using live_run_pk on live_run"
        );
        expect_index(
            plans,
            "r.bucket = p_bucket and r.run_id >= v_from",
            "Scan Backward using run_[a-z0-9]+_pkey on run_"
        );
        expect_index(
            plans,
            "r.subject = p_subject\n           and r.run_id",
            "Scan Backward using run_[a-z0-9]+_bucket_tenant_subject_run_id_idx on run_"
        );
        expect_index(plans, "with recursive related", "using correlation_pk on correlation");
    }
}

TEST_F(Plans, EmptyAndNeverAnalysed) {
    expect_good_plans();
}

TEST_F(Plans, AnalysedWhenEmptyAndFullASecondLater) {
    session_.script("analyze");
    fill(100000, 100000, 20000);
    expect_good_plans();
}

TEST_F(Plans, FullAndSkewed) {
    fill(1000, 200000, 20000);
    session_.script("analyze");
    expect_good_plans();
    // Suddenly everything is ready.
    session_.script("update pawl.live_run set state = 0, due_at = now() + interval '1 hour'");
    expect_good_plans();
}

TEST_F(Plans, NearlyEmptyAfterABacklog) {
    fill(100000, 0, 0);
    session_.script("delete from pawl.live_run");
    session_.script("vacuum pawl.live_run");
    fill(2, 0, 0);
    session_.script("analyze pawl.live_run");
    expect_good_plans();
}

// Pages that the scan under `node` touched.
int buffers_of(const std::string& plan, const std::string& node) {
    const auto at = plan.find(node);
    EXPECT_NE(at, std::string::npos) << plan;
    static const std::regex line(R"(Buffers: shared( hit=(\d+))?( read=(\d+))?)");
    std::smatch match;
    const std::string rest = plan.substr(at);
    if (!std::regex_search(rest, match, line)) return 0;
    const auto number = [&match](std::size_t i) {
        return match[i].matched ? std::stoi(match[i]) : 0;
    };
    return number(2) + number(4);
}

TEST_F(Plans, AClaimDoesNotWalkOverSleepingRuns) {
    fill(200000, 0, 0);
    const auto plans = explain(
        fmt::format(fmt::runtime(start_run), one_run) + "select pawl.claim_runs(0::smallint, " +
        worker +
        ", 100);"
        "prepare health (smallint) as " +
        store::queries::health.text + "; execute health(0)"
    );
    int scans = 0;
    for (const Plan& plan : plans) {
        if (plan.query.find("skip locked") != std::string::npos ||
            plan.query.find("select l.priority") != std::string::npos) {
            ++scans;
            EXPECT_LE(buffers_of(plan.text, "using live_run_ready"), 10) << plan.text;
        }
        if (plan.query.find("recursive head") != std::string::npos) {
            ++scans;
            EXPECT_LE(buffers_of(plan.text, "Result"), 60) << plan.text;
        }
    }
    // The look for one that is alone and for those that are alike, the first look, heads of three
    // priorities and the end, the one that is due, and health, which is both.
    EXPECT_EQ(scans, 10);
}

}  // namespace
}  // namespace pawl::test
