#include "store/amp_fixture.hpp"

namespace pawl::test {
namespace {

// A draft may name what is registered later.
TEST_F(Amp, WhatIsActiveNamesOnlyActionsAndTemplatesThatAreThere) {
    const auto save = [](const std::string& type, const std::string& config, bool active) {
        return fmt::format(
            "select bff_upsert_amp_workflow_with_graph('{{\"workflow_code\": \"named\", \"name\": "
            "\"Named\", \"is_active\": {}}}', $json$[{{\"id\": \"t\", \"node_type\": "
            "\"trigger\"}}, "
            "{{\"id\": \"dddddddd-0000-0000-0000-000000000077\", \"node_type\": \"{}\", "
            "\"node_name\": \"Give\", \"node_config\": {}}}]$json$::jsonb, "
            "'[{{\"from_node_id\": \"t\", \"to_node_id\": "
            "\"dddddddd-0000-0000-0000-000000000077\"}}]'::jsonb)",
            active,
            type,
            config
        );
    };
    sign_in(alpha);
    const std::string tag = R"({"action_type": "assign_tag", "tag": "new"})";
    const auto action = session_.refusal(save("action", tag, true));
    EXPECT_EQ(
        action.message,
        "node \"Give\" (dddddddd-0000-0000-0000-000000000077): there is no action 'assign_tag'"
    );
    EXPECT_NE(action.hint.find("known: award_points; "), std::string::npos) << action.hint;
    EXPECT_EQ(value("select count(*)::text from amp_workflow where workflow_code = 'named'"), "0");
    EXPECT_EQ(
        session_.refusal(save("message", R"({"channel": "sms", "template_id": "hi"})", true))
            .message,
        "node \"Give\" (dddddddd-0000-0000-0000-000000000077): there is no template 'hi'"
    );
    session_.script(save("action", tag, false));
    const std::string activate =
        "update amp_workflow set is_active = true where workflow_code = 'named'";
    EXPECT_EQ(session_.refusal(activate).message, action.message);
    sign_out();
    session_.script("select pawl.register_action('assign_tag', 'select $tag')");
    sign_in(alpha);
    session_.script(activate);
}

// There are no columns for it.
TEST_F(Amp, ATriggerSaysWhoMayEnterAndWhatEndsTheRuns) {
    const auto save = [](const std::string& config, const char* code = "refused") {
        return fmt::format(
            "select bff_upsert_amp_workflow_with_graph('{{\"workflow_code\": \"{}\", \"name\": "
            "\"Once\", "
            "\"is_active\": true}}', $json$[{{\"id\": \"t\", \"node_type\": \"trigger\", "
            "\"node_config\": {}}}, "
            "{{\"id\": \"w\", \"node_type\": \"wait\", \"node_config\": {{\"duration\": "
            "\"1d\"}}}}]$json$::jsonb, "
            "'[{{\"from_node_id\": \"t\", \"to_node_id\": \"w\"}}]'::jsonb)",
            code,
            config
        );
    };
    sign_in(alpha);
    session_.script(save(
        R"({"label": "Start", "reentry": "once", "holdout": 5, "enter_if": {"tier": ["gold"]}, )"
        R"("exit_on": [{"event": "order.paid"}], "goal": {"event": "order.paid", "within": "7d"}})",
        "once"
    ));
    EXPECT_EQ(
        session_.refusal(save(R"({"reentry": "twice"})")).message,
        "node t: reentry: 'twice' is not known: use one of always, once, while_none_open"
    );
    EXPECT_TRUE(
        session_.refusal(save(R"({"audience": "select 1 as subject", "schedule": "0 9 * * *"})"))
            .message.starts_with("node t: audience: rows of amp_workflow_trigger start a journey;")
    );
    sign_out();
    EXPECT_EQ(
        value("select (v.definition - array['nodes', 'edges', 'name', 'description', "
              "'person'])::text from pawl.workflow_version v join pawl.workflow w on w.id = "
              "v.workflow where w.name = "
              "'once'"),
        R"({"goal": {"event": "order.paid", "within": "7d"}, )"
        R"("exit_on": [{"event": "order.paid"}], "holdout": 5, "reentry": "once", )"
        R"("enter_if": {"tier": {"value": ["gold"], "operator": "in"}}})"
    );
    // They hold: the second start of a person gives the first run, and who has another tier gets
    // none.
    session_.script(
        "select pawl.use_tenant('aaaaaaaa-0000-0000-0000-000000000001');"
        "insert into pawl.person (tenant, key, attributes) values (2, 'ann', '{\"tier\": "
        "\"gold\"}')"
    );
    const std::string run = value("select pawl.start('once', subject => 'ann')::text");
    EXPECT_EQ(value("select pawl.start('once', subject => 'ann')::text"), run);
    EXPECT_EQ(value("select (pawl.start('once', subject => 'bob') is null)::text"), "true");
}

TEST_F(Amp, ATriggerThatTheEngineWouldNotTakeIsNamed) {
    sign_in(alpha);
    const auto refused = [this](const std::string& table, const std::string& conditions) {
        const std::string said =
            session_
                .refusal(fmt::format(
                    "insert into amp_workflow_trigger (id, workflow_id, trigger_type, "
                    "trigger_table, trigger_operation, trigger_conditions) values "
                    "(amp_test_id('e', 1), amp_test_id('c', 1), 'custom', '{}', 'INSERT', {})",
                    table,
                    conditions
                ))
                .message;
        const std::string start = "trigger eeeeeeee-0000-0000-0000-000000000001 on " + table + ": ";
        return said.starts_with(start) ? said.substr(start.size()) : said;
    };
    for (const char* table : {"a.b.c", "a.", " ", "queue:orders", "\"open"}) {
        EXPECT_TRUE(refused(table, "null").starts_with("trigger_table: ")) << table;
    }
    EXPECT_EQ(
        refused("wallet_ledger", R"('{"amount": {"operator": "matches", "value": "1"}}')"),
        "trigger_conditions: amount: 'matches' is for filters, which see the whole event"
    );
    EXPECT_EQ(
        refused("wallet_ledger", "'{\"amount\": {\"value\": 5}}'"),
        "trigger_conditions: amount: write {operator, value}, or a value"
    );
    EXPECT_EQ(
        refused("wallet_ledger", "'{\"amount\": 1e400}'"),
        "trigger_conditions: is nested deeper than 60 levels, or has a number that is out of range"
    );
    session_.script(
        "insert into amp_workflow_trigger (workflow_id, trigger_type, trigger_table, "
        "trigger_operation, trigger_conditions) values (amp_test_id('c', 1), 'custom', "
        "'sales.orders', 'UPDATE', '{\"new.total\": {\"operator\": \"gte\", \"value\": 5}, "
        "\"status\": [\"paid\"]}')"
    );
}

// Its function is not Pawl's: it never runs with other rights than the caller's.
TEST_F(Amp, TheApplicationMaySayWhichMerchantASessionIsOf) {
    session_.script(fmt::format(
        "create or replace function public.get_current_merchant_id() returns uuid language plpgsql "
        "as $$ begin if current_user <> 'authenticated' then raise exception 'called by %', "
        "current_user; end if; return '{}'::uuid; end $$",
        beta
    ));
    sign_in(alpha);
    for (const char* view :
         {"amp_workflow",
          "amp_workflow_node",
          "amp_workflow_edge",
          "amp_workflow_log",
          "v_amp_workflow_performance",
          "v_amp_workflow_action_funnel"}) {
        const std::string whose = "select string_agg(distinct merchant_id::text, ',') from ";
        EXPECT_EQ(value(whose + view), beta) << view;
    }
    session_.script(
        "select amp_test_save(2, true);"
        "insert into amp_workflow (workflow_code, name) values ('mine', 'Mine');"
        "insert into amp_workflow_node (workflow_id, node_type) select id, 'trigger' from "
        "amp_workflow where workflow_code = 'mine';"
        "insert into amp_workflow_trigger (workflow_id, trigger_type, trigger_table, "
        "trigger_operation) select id, 'custom', 'wallet_ledger', 'INSERT' from amp_workflow where "
        "workflow_code = 'mine';"
        "update amp_workflow set is_active = true where workflow_code = 'mine';"
        "select api_log_amp_workflow_event(id, amp_test_id('1', 3), 'x', 'x') from amp_workflow;"
        "select bff_duplicate_amp_workflow(id, 'Copy') from amp_workflow where workflow_code = "
        "'mine';"
        "delete from amp_workflow where workflow_code = 'mine'"
    );
    EXPECT_EQ(
        session_
            .refusal(fmt::format(
                "insert into amp_workflow (merchant_id, workflow_code, name) values ('{}', 'x', "
                "'X')",
                alpha
            ))
            .message,
        fmt::format("merchant {} is another one", alpha)
    );
}

TEST_F(Amp, ARowOfAWorkflowNeedsACodeAndAName) {
    sign_in(alpha);
    for (const char* row : {"null, 'Named'", "'named', null", "'', 'Named'"}) {
        const auto refused = session_.refusal(fmt::format(
            "insert into amp_workflow (merchant_id, workflow_code, name) values ('{}', {})",
            alpha,
            row
        ));
        EXPECT_EQ(refused.message, "the workflow needs a workflow_code and a name") << row;
        EXPECT_NE(refused.hint, "") << row;
    }
}

}  // namespace
}  // namespace pawl::test
