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
    const auto save = [](const std::string& config) {
        return fmt::format(
            "select bff_upsert_amp_workflow_with_graph('{{\"workflow_code\": \"once\", \"name\": "
            "\"Once\", "
            "\"is_active\": true}}', $json$[{{\"id\": \"t\", \"node_type\": \"trigger\", "
            "\"node_config\": {}}}, "
            "{{\"id\": \"w\", \"node_type\": \"wait\", \"node_config\": {{\"duration\": "
            "\"1d\"}}}}]$json$::jsonb, "
            "'[{{\"from_node_id\": \"t\", \"to_node_id\": \"w\"}}]'::jsonb)",
            config
        );
    };
    sign_in(alpha);
    session_.script(save(
        R"({"label": "Start", "reentry": "once", "holdout": 5, "enter_if": {"tier": ["gold"]}, )"
        R"("exit_on": [{"event": "order.paid"}], "goal": {"event": "order.paid", "within": "7d"}})"
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
        value("select v.definition - array['nodes', 'edges', 'name', 'description', 'person'] from "
              "pawl.workflow_version v join pawl.workflow w on w.id = v.workflow where w.name = "
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
