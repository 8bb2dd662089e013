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
