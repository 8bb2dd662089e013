#include "store/plans.hpp"

#include <fmt/core.h>

#include <regex>

namespace pawl::test {
namespace {

// Matching an event must cost the same with a million runs that wait as with a thousand.
class EventPlans : public PlanTest {
protected:
    void SetUp() override {
        session_.script("insert into pawl.workflow (tenant, name) values (1, 'hello')");
    }
    // Parked runs that wait for an event each; as many events as tasks in the tables beside.
    void fill(int runs) {
        session_.script(fmt::format(
            "with ids as materialized ("
            "  select pawl.uuid7() as id, i from generate_series(1, {}) i"
            "), live as ("
            "  insert into pawl.live_run "
            "  (run_id, due_at, tenant, workflow, version, bucket, state, priority) "
            "  select id, now(), 1, 1, 1, 0, 2, 0 from ids"
            "), tasks as ("
            "  insert into pawl.human_task (bucket, tenant, run_id, token, workflow, node, title, "
            "  assignee, grp) "
            "  select 0, 1, id, 0, 1, 'n', 't', 'a' || i % 100, 'g' || i % 10 from ids"
            "), events as ("
            "  insert into pawl.inbox (bucket, tenant, event_id, name, key) "
            "  select 0, 1, 'old' || i, 'paid', 'old' || i from ids"
            ") insert into pawl.subscription "
            "(bucket, run_id, token, ordinal, tenant, event, key, since, at) "
            "select 0, id, 0, 0, 1, 'paid', 'k' || i, now() - interval '1 hour', now() from ids",
            runs
        ));
    }
    std::string publish(const std::string& id, const std::string& key) {
        return fmt::format(
            "select pawl.publish_events(0::smallint, array[1], array['{}'], array['paid'], "
            "array['{}'], array[null]::text[], array[null]::text[], array[null]::timestamptz[], "
            "array['{{}}']::jsonb[]);",
            id,
            key
        );
    }
    // A run that waits, its event before and after, a message to it, a task; all in one go.
    std::vector<Plan> everything() {
        return explain(
            publish("early", "mine") +
            "select pawl.match_inbox(0::smallint, 100);"
            "select pawl.start_runs(0::smallint, null, false, array[pawl.uuid7()], array[1], "
            "array[1], array[1], array[null]::text[], array[0]::smallint[], "
            "array[null]::timestamptz[], array['{}']::jsonb[], null, array[false]);"
            "create temp table mine on commit drop as select max(run_id::text)::uuid as id "
            "from (select run_id from pawl.live_run order by run_id desc limit 1) as l;"
            "select pawl.project_runs(0::smallint, null, null, array[m.id], array[0], array[1], "
            "array['paid'], array['mine'], pawl.since_start(0::smallint, array[m.id], "
            "array[now() - interval '1 hour']), array[m.id], "
            "array[9], array[m.id], array[3], array[1], array[1], array['ask'], "
            "array[null]::text[], array['{\"title\": \"t\"}']::jsonb[], array[m.id], array[3], "
            "array['{\"note\": \"reminded\"}']::jsonb[], array[m.id], array[8], "
            "array['timed_out'], '{}', '{}', '{}', '{}', '{}', '{}', array[m.id], "
            "array[jsonb_build_object('run', pawl.uuid7())], '{}') from mine m;"
            "select pawl.match_inbox(0::smallint, 100);" +
            publish("late", "k7") + "select pawl.match_inbox(0::smallint, 100);" +
            "insert into pawl.subscription (bucket, run_id, token, ordinal, tenant, event, key, "
            "since) select 0, m.id, 7, 0, 1, 'paid', 'full', now() - interval '1 hour' from mine "
            "m;" +
            publish("as many as asked for", "full") +
            "select pawl.match_inbox(0::smallint, 1);"
            "select pawl.send_signals(0::smallint, array[m.id], array['pause'], "
            "array['{}']::jsonb[]) from mine m;"
            "select pawl.act_on_task(0::smallint, 1, t.id, 'claim', 'ann', null, null, null, false)"
            " from mine m join pawl.human_task t on t.run_id = m.id;"
            "select pawl.project_runs(0::smallint, null, null, '{}', '{}', '{}', '{}', '{}', '{}', "
            "'{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}', "
            "'{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}', array[m.id]) from mine m;"
            "select pawl.list_tasks(0::smallint, 1, 'open', null, null, null, null, null, 50, 99);"
            "select pawl.list_tasks(0::smallint, 1, 'open', 'a7', null, null, null, null, 50, 99);"
            "select pawl.list_tasks(0::smallint, 1, 'open', null, 'g7', null, null, null, 50, 99);"
            "select pawl.list_tasks(0::smallint, 1, null, null, null, null, null, null, 50, 99);"
            "select pawl.list_inbox(0::smallint, 1, null, null, null, 50, 99);"
        );
    }
    void expect_good_plans() {
        const auto plans = everything();
        const std::string by_run =
            R"(Index Cond: \(\(bucket = \$\d+\) AND \(run_id = [a-z]+\.run_id\))";
        // Events against subscriptions.
        const std::string matching = "with ordinality as q (id, place)";
        expect_use(plans, matching, by_key("subscription_key", "h", "event"));
        expect_use(plans, matching, "using inbox_id on inbox i.*\\n.*id = q\\.id");
        expect_use(plans, matching, "Tid Scan on subscription");
        expect_use(plans, "as left_over", by_key("subscription_key", "h", "event"));
        // Subscriptions against events.
        const std::string oldest =
            R"(using inbox_key on inbox i.*\n *Index Cond: \(\(tenant = .* AND \(key = )";
        const std::string checking = "as q (run_id, token, ordinal)";
        expect_use(plans, "from unnest(p_token, p_since", oldest);
        expect_use(plans, checking, "using subscription_pk on subscription");
        expect_use(plans, checking, oldest);
        expect_use(plans, checking, "Tid Scan on subscription");
        expect_use(plans, "for no key update skip locked", by_run);
        expect_use(plans, "order by 1, 2 offset 0", by_run);
        expect_use(plans, "where l.ctid = any (v_row)", "Tid Scan on live_run");
        // Rows beside the log.
        expect_use(
            plans, "delete from pawl.subscription s\n", "using subscription_pk on subscription"
        );
        expect_use(plans, "withdrawn", "using human_task_run on human_task");
        expect_use(plans, "from notes n", "using human_task_run on human_task");
        expect_use(plans, "from unnest(p_close_run", "using human_task_run on human_task");
        // What people look at.
        expect_use(plans, "t.state = 0 order by t.id desc", "Scan Backward using");
        expect_use(plans, "(t.assignee) = $5", "Backward using human_task_person");
        expect_use(plans, "t.grp = $6", "Backward using human_task_group");
    }
    static std::string by_key(
        const std::string& index, const std::string& alias, const std::string& name
    ) {
        return fmt::format(
            R"(using {0} on [a-z]+ {1}.*\n *Index Cond: \(\(tenant = .* AND \({2} = .* AND \()"
            R"(key = )",
            index,
            alias,
            name
        );
    }
    // Like expect_index, where a few rows may be sorted.
    static void expect_use(
        const std::vector<Plan>& plans, const std::string& marker, const std::string& index
    ) {
        static const std::regex scan(
            "(Seq Scan|Bitmap Heap Scan) on "
            "(live_run|event|signal|subscription|inbox|human_task)"
        );
        int seen = 0;
        for (const Plan& plan : plans) {
            if (plan.query.find(marker) == std::string::npos) continue;
            ++seen;
            EXPECT_TRUE(std::regex_search(plan.text, std::regex(index))) << index << " not used:\n"
                                                                         << plan.query << plan.text;
            EXPECT_FALSE(std::regex_search(plan.text, scan)) << plan.query << plan.text;
        }
        EXPECT_GT(seen, 0) << "no statement with: " << marker;
    }
};

TEST_F(EventPlans, EmptyAndNeverAnalysed) {
    expect_good_plans();
}

TEST_F(EventPlans, AnalysedWhenEmptyAndFullASecondLater) {
    session_.script("analyze");
    fill(50000);
    expect_good_plans();
}

TEST_F(EventPlans, FullAndAnalysed) {
    fill(50000);
    session_.script("analyze");
    expect_good_plans();
}

}  // namespace
}  // namespace pawl::test
