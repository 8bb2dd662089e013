#include "store/plans.hpp"

#include <fmt/core.h>

#include <regex>

namespace pawl::test {
namespace {

// A message and what is said about it must cost the same among millions as among none.
class JourneyPlans : public PlanTest {
protected:
    void SetUp() override {
        session_.script(
            "insert into pawl.workflow (tenant, name) values (1, 'flow');"
            "insert into pawl.message_policy (tenant, quiet_from, quiet_to, cap_count, cap_period)"
            " values (1, '00:00', '00:01', 3, '1 day')"
        );
    }
    void fill(int rows) {
        session_.script(fmt::format(
            "insert into pawl.message (bucket, id, tenant, run_id, workflow, version, node, person,"
            " channel, connector, account, category, said, state, external_id, created_at)"
            " select 0, md5('m' || n)::uuid, 1, pawl.uuid7(), 1, 1, 'greet', 'p' || n, 'email',"
            " 'resend', 'main', 'marketing', 3, 3, 'e' || n, now() - n * interval '1 minute'"
            " from generate_series(1, {0}) n;"
            "insert into pawl.message_fact (bucket, tenant, connector, account, provider_event_id,"
            " kind, at, message, external_id)"
            " select 0, 1, 'resend', 'main', 'f' || n, 'opened', now(),"
            " case when n % 10 > 0 then md5('m' || n)::uuid end, 'e' || n"
            " from generate_series(1, {0}) n;"
            "insert into pawl.suppression (tenant, channel, address, reason, at)"
            " select 1, 'email', 'p' || n || '@x.io', 'bounced', now() from generate_series(1, "
            "{0}) n;"
            "insert into pawl.unsubscribe (tenant, person, at)"
            " select 1, 'p' || n, now() from generate_series(1, {0}) n;"
            "insert into pawl.message_reservation (bucket, tenant, person, channel)"
            " select 0, 1, 'p' || n, '*' from generate_series(1, {0}) n;"
            "insert into pawl.connector_account (tenant, connector, account, channels, key_id,"
            " nonce, box, hook_token) select 1, 'c' || n, 'main', '{{email}}', 'k', '', '',"
            " 'token 0123456789 ' || n from generate_series(1, {0} / 50) n;"
            "insert into pawl.message_template (tenant, name, version, language, content)"
            " select 1, 't' || n, 1, 'en', '{{}}' from generate_series(1, {0} / 50) n",
            rows
        ));
    }
    std::vector<Plan> everything() {
        const std::string begin_again =
            "select pawl.begin_messages(0::smallint, array[gen_random_uuid(), md5('again')::uuid],"
            " array[1, 1], array[pawl.uuid7(), pawl.uuid7()], array[1, 1], array[1, 1],"
            " array['greet', 'greet'], array['x', 'x'],"
            " array['{\"channel\": \"email\", \"attempt\": 1}',"
            " '{\"channel\": \"email\", \"attempt\": 1}']::jsonb[]);";
        return explain(
            "insert into pawl.person (tenant, key, addresses) values (1, 'x', '{\"email\": "
            "\"a@b.c\"}');"
            "insert into pawl.connector_account (tenant, connector, account, channels, key_id, "
            "nonce,"
            " box, hook_token) values (1, 'resend', 'main', '{email}', 'k', '', '', 'token "
            "0123456789');"
            "select pawl.put_template(1, 't7', null, '{\"en\": {}}');"
            "select pawl.prepare_messages(0::smallint, array[1], array['x'], array['email'],"
            " array[null], array['t7'], array['news'], array['resend'], array[null],"
            " array[gen_random_uuid()], now() + interval '1 hour');"
            "select pawl.take_facts(0::smallint, array[1, 1, 1], array['resend', 'resend', "
            "'resend'],"
            " array['main', 'main', 'main'], array['n1', 'n2', 'n3'],"
            " array['opened', 'bounced', 'complained'], array['e7', 'new', null],"
            " array[null, null, md5('m8')::uuid], array[null, null, null], array[null, null, null],"
            " array[null, null, null], array[now(), now(), now()], array[false, false, false],"
            " array[null, null, null]::jsonb[]);"
            "select pawl.match_facts(0::smallint, 100);"
            "select pawl.project_messages(0::smallint, array[gen_random_uuid(), gen_random_uuid()],"
            " array[1, 1], array[pawl.uuid7(), pawl.uuid7()], array[1, 1], array[1, 1],"
            " array['greet', 'greet'], array['x', 'x'],"
            " array['{\"state\": \"sent\", \"channel\": \"email\", \"connector\": \"resend\","
            " \"account\": \"main\", \"external_id\": \"new\"}', '{\"state\": \"failed\","
            " \"channel\": \"email\"}']::jsonb[]);"
            // The second time it is there.
            + begin_again + begin_again +
            "select pawl.release_messages(0::smallint, array[gen_random_uuid(), "
            "md5('again')::uuid]);"
            "select pawl.pace_messages(0::smallint, array['account/1/x/y'], array[1000]);"
            "select pawl.settled_messages(0::smallint, 10);"
            "select pawl.list_messages(0::smallint, 1, null, null, 'failed', null, null, null, "
            "null,"
            " 10, 100);"
            "select pawl.list_messages(0::smallint, 1, 'e7', null, null, null, null, null, null,"
            " 10, 100);"
            "select pawl.list_messages(0::smallint, 1, null, 'p7', null, null, null, now(),"
            " gen_random_uuid(), 10, 100);"
            "select pawl.list_messages(0::smallint, 1, null, null, null, gen_random_uuid(), null,"
            " null, null, 10, 100);"
            "select pawl.purge_messages(0::smallint, interval '10 days', 100)"
        );
    }
    // The plans of the statement with `marker` use the index.
    static void expect_use(
        const std::vector<Plan>& plans, const std::string& marker, const std::string& index
    ) {
        int seen = 0;
        for (const Plan& plan : plans) {
            if (plan.query.find(marker) == std::string::npos) continue;
            ++seen;
            EXPECT_TRUE(std::regex_search(plan.text, std::regex(index))) << index << " not used:\n"
                                                                         << plan.query << plan.text;
        }
        EXPECT_GT(seen, 0) << "no statement with: " << marker;
    }
    void expect_good_plans() {
        static const std::regex scan(
            "(Seq Scan|Bitmap Heap Scan) on "
            "(message|message_fact|suppression|unsubscribe|watch_wish|"
            "message_reservation|message_template|connector_account|fact_pending|flow_rate)\\b"
        );
        const auto plans = everything();
        for (const Plan& plan : plans) {
            EXPECT_FALSE(std::regex_search(plan.text, scan)) << plan.query << plan.text;
        }
        expect_use(plans, "with place as materialized", R"(suppression_pk on .*\n.*address = )");
        expect_use(plans, "with place as materialized", R"(unsubscribe_pk on .*\n.*person = )");
        expect_use(plans, "x.address like 'hmac:%'", "using suppression_sealed");
        expect_use(plans, "from pawl.connector_account a\n", R"(account_pk on .*\n.*tenant = )");
        expect_use(
            plans, "order by case when lower(t.language)", R"(template_pk on .*\n.*version = )"
        );
        expect_use(plans, "from pawl.message_reservation r", R"(_pk on .*\n.*person = )");
        expect_use(
            plans, "insert into pawl.message_fact", R"(message_external on .*\n.*external_id = )"
        );
        expect_use(plans, "insert into pawl.message_fact", R"(message_pk on .*\n.*id = )");
        expect_use(plans, "with advanced as", R"(message_pk on .*\n.*id = )");
        // Not by an index that is small when the plan is made.
        expect_use(plans, "with advanced as", R"(Tid Scan on message_fact)");
        expect_use(plans, "with found as materialized", R"(message_pk on .*\n.*id = )");
        expect_use(
            plans, "delete from pawl.message m\n     using (", R"(message_pk on .*\n.*id = )"
        );
        expect_use(plans, "set said = 2", R"(message_pk on .*\n.*id = )");
        expect_use(plans, "as message, x.row_id", R"(message_fact_named on .*\n.*message_id = )");
        expect_use(
            plans, "as message, x.row_id", R"(message_fact_external on .*\n.*external_id = )"
        );
        expect_use(plans, "m.tenant = $2 order by m.created_at", "Backward using message_made");
        expect_use(plans, "and m.person = pawl.event_key($5) and", "Backward using message_person");
        expect_use(plans, "m.run_id = $3", "Backward using message_run");
        expect_use(plans, "m.external_id = pawl.event_key($4) order", "using message_external");
        expect_use(plans, "from pawl.tenant t\n", R"(using message_made on .*\n.*created_at < )");
        expect_use(plans, "where f.bucket = u.bucket", "using message_fact_message");
        expect_use(plans, "x.external_id) is not null", "using message_fact_unknown");
        expect_use(plans, "x.external_id) is null", "using message_fact_alone");
    }
};

TEST_F(JourneyPlans, EmptyAndNeverAnalysed) {
    expect_good_plans();
}

TEST_F(JourneyPlans, AnalysedWhenEmptyAndFullASecondLater) {
    session_.script("analyze");
    fill(50000);
    expect_good_plans();
}

TEST_F(JourneyPlans, FullAndAnalysed) {
    fill(50000);
    session_.script("analyze");
    expect_good_plans();
}

}  // namespace
}  // namespace pawl::test
