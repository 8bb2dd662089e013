#include "store/repos/actions.hpp"
#include "store/repos/version_store.hpp"
#include "store/under_test.hpp"

#include <fmt/format.h>

// Definitions that name what their tenant does not have are refused, whichever way they come.
namespace pawl::test {
namespace {

class MissingParts : public ::testing::Test {
protected:
    MissingParts() {
        session_.script(
            "create table customers (id text primary key, plan text, score int);"
            "insert into pawl.tenant (name) values ('acme')"
        );
        acme_ = std::stoi(session_.value("select id::text from pawl.tenant where name = 'acme'"));
    }

    // What a server says about a definition with this node, for each thing that is missing.
    std::vector<std::string> missing(const std::string& node, int tenant = 1) {
        const auto definition = parse_definition(document(node)).value();
        std::vector<std::string> all;
        for (const Error& one : db_.loop().run(versions_.missing_parts(tenant, definition)))
            all.push_back(one.message);
        return all;
    }
    std::string document(const std::string& node) {
        return fmt::format(R"({{"name": "w", "person": true, "nodes": [{}], "edges": []}})", node);
    }
    // What SQL says; nothing: it was published.
    std::string refused(const std::string& node, int tenant = 1) {
        const auto said = session_.refusal(apply(node, tenant));
        return said.message + (said.hint.empty() ? "" : " | " + said.hint);
    }
    std::string apply(const std::string& node, int tenant = 1) {
        return fmt::format("select pawl.apply_workflow('w', $d${}$d$, {})", document(node), tenant);
    }
    void script(const std::string& sql) { session_.script(sql); }
    std::string versions() { return session_.value("select count(*)::text from pawl.definition"); }

    PgUnderTest db_;
    Session& session_ = db_.database().session();
    store::Versions versions_{db_.pool()};
    int acme_ = 0;
};

using Texts = std::vector<std::string>;

constexpr const char* award =
    R"({"id": "give", "type": "action", "config": {"action": "award", "params": {"amount": 5}}})";

TEST_F(MissingParts, AnActionThatIsNotRegisteredIsRefused) {
    EXPECT_EQ(
        missing(award),
        Texts{"give.action: there is no action 'award': the owner of the database registers one "
              "with pawl.register_action('award', ...)"}
    );
    EXPECT_EQ(
        refused(award),
        "give.action: there is no action 'award' | the owner of the database registers one with "
        "pawl.register_action('award', ...)"
    );
    EXPECT_EQ(versions(), "0");
    script("select pawl.register_action('award', 'select $amount', 'acme')");
    EXPECT_EQ(missing(award).size(), 1u) << "another tenant's";
    EXPECT_EQ(missing(award, acme_), Texts{});
    script("select pawl.register_action('give_points', 'select $amount')");
    EXPECT_NE(
        missing(award).at(0).find("'award': known: give_points; the owner"), std::string::npos
    ) << missing(award).at(0);
    script("select pawl.register_action('award', 'select $amount::int, $person')");
    EXPECT_EQ(missing(award), Texts{});
    script(apply(award));
    EXPECT_EQ(versions(), "1");
}

TEST_F(MissingParts, ADraftThatGetsAShareIsLookedAt) {
    script(apply(R"({"id": "rest", "type": "wait", "config": {"duration": "1s"}})"));
    const auto draft = [&](const std::string& definition) {
        script("select pawl.save_draft(1, 'w', $d$" + definition + "$d$)");
    };
    const std::string share = R"(select pawl.set_canary(1, 'w', '[{"version": 2, "share": 10}]'))";
    draft(document(award));
    EXPECT_EQ(session_.refusal(share).message, "give.action: there is no action 'award'");
    EXPECT_EQ(
        session_.value("select draft::text from pawl.workflow_version where version = 2"), "true"
    );
    EXPECT_EQ(session_.value("select (canary is null)::text from pawl.definition"), "true");
    script("select pawl.register_action('award', 'select $amount::int')");
    script(share);
    EXPECT_EQ(session_.value("select canary::text from pawl.definition").substr(0, 2), "[{");
    draft(R"({"name": "w", "nodes": "none"})");
    EXPECT_FALSE(session_
                     .refusal(R"(select pawl.set_canary(1, 'w', '[{"version": 3, "share": 10}]'))")
                     .message.empty());
    EXPECT_FALSE(session_.refusal("select pawl.activate_workflow(1, 'w', 3)").message.empty());
}

TEST_F(MissingParts, ParamsOfAnActionAreThoseThatItTakes) {
    script("select pawl.register_action('award', 'select $amount::int, $person, $key')");
    EXPECT_EQ(
        missing(R"({"id": "give", "type": "action", "config": {"action": "award", "params": )"
                R"({"amout": 5}}})"),
        (Texts{
            "give.params: action 'award' needs the param 'amount': write params: {amount: ...}",
            "give.params.amout: action 'award' takes no param 'amout': it takes amount"})
    );
}

TEST_F(MissingParts, WhoseStepItIsIsNoParam) {
    script("select pawl.register_action('award', 'select $amount::int, $person, $key')");
    EXPECT_EQ(
        missing(R"({"id": "give", "type": "action", "config": {"action": "award", "params": )"
                R"({"amount": 5, "person": "bob"}}})"),
        (Texts{"give.params.person: action 'award' takes no param 'person': it takes amount"})
    );
    EXPECT_EQ(
        session_
            .refusal("select pawl.register_action('award', 'select $amount::int, $person', "
                     "schema => '{\"properties\": {\"person\": {}}}')")
            .message,
        "the schema of the action award names 'person', which a node cannot give"
    );
}

TEST_F(MissingParts, ASchemaOfAnActionIsOneOfItsParams) {
    const std::string add = "select pawl.register_action('award', 'select $amount', schema => '";
    EXPECT_EQ(
        session_.refusal(add + "[]')").message,
        "the schema of the action award must be a JSON Schema of at most 100000 bytes"
    );
    EXPECT_EQ(
        session_.refusal(add + "{\"properties\": {\"sum\": {}}}')").message,
        "the schema of the action award names the param 'sum', which its statement does not use"
    );
    EXPECT_EQ(session_.value("select count(*)::text from pawl.action"), "0");
    script(add + "{\"properties\": {\"amount\": {\"type\": \"integer\"}}}')");
    script("select pawl.register_action('award', 'select $amount, $person', 'acme')");
    store::Actions actions(db_.pool());
    const auto all = db_.loop().run(actions.list(1));
    ASSERT_EQ(all.size(), 1u);
    EXPECT_EQ(all[0].params, json::array{"amount"});
    EXPECT_TRUE(all[0].schema.is_object());
    EXPECT_FALSE(all[0].own);
    const auto own = db_.loop().run(actions.list(acme_));
    ASSERT_EQ(own.size(), 1u);
    EXPECT_EQ(own[0].params, json::array{"amount"});
    EXPECT_TRUE(own[0].schema.is_null());
    EXPECT_TRUE(own[0].own);
    EXPECT_TRUE(db_.loop().run(actions.find(1, "award"))->schema.is_object());
}

TEST_F(MissingParts, AToolOfAnAgentIsAnActionToo) {
    const std::string agent =
        R"({"id": "read", "type": "agent", "config": {"url": "https://m.example/", "model": "m", )"
        R"("instructions": "x", "tools": [{"action": "award", "description": "Gives points"}]}})";
    EXPECT_EQ(missing(agent).at(0).find("read.tools[0].action: there is no action 'award'"), 0u);
    EXPECT_EQ(refused(agent).find("read.tools[0].action: there is no action 'award'"), 0u);
    script("select pawl.register_action('award', 'select 1')");
    EXPECT_EQ(missing(agent), Texts{});
}

TEST_F(MissingParts, ATemplateMustBeThereAndFitTheChannel) {
    const auto mail = [](const std::string& channel) {
        return fmt::format(
            R"({{"id": "send", "type": "message", "config": {{"channel": "{}", "template": )"
            R"("hello"}}}})",
            channel
        );
    };
    EXPECT_EQ(
        missing(mail("email")),
        Texts{"send.template: there is no template 'hello': save it first: pawl templates apply, "
              "or PUT /v1/templates/hello"}
    );
    EXPECT_EQ(refused(mail("email")).find("send.template: there is no template 'hello'"), 0u);
    script(
        "select pawl.put_template(1, 'hello', null, '{\"en\": {\"subject\": \"Hi\", \"text\": "
        "\"Hi\"}, \"th\": {\"html\": \"<p>\"}}')"
    );
    EXPECT_EQ(
        missing(mail("email")),
        Texts{"send.template: template 'hello' has nothing to send by email in th: email needs a "
              "subject, and text or html"}
    );
    EXPECT_EQ(missing(mail("webhook")), Texts{}) << "takes anything";
    EXPECT_EQ(missing(mail("sms")).size(), 1u);
    EXPECT_EQ(missing(mail("sms"), acme_).at(0).find("send.template: there is no template"), 0u);
    script("select pawl.put_template(1, 'hello', null, '{\"en\": {\"text\": \"Hi\"}}')");
    EXPECT_EQ(missing(mail("sms")), Texts{});
    EXPECT_EQ(missing(mail("email")).size(), 1u) << "no subject";
}

TEST_F(MissingParts, AConditionAsksOnlyTablesThatAreAllowed) {
    const auto ask = [](const std::string& field) {
        return fmt::format(
            R"({{"id": "rich", "type": "condition", "config": {{"any": [{{"path": "input.x", )"
            R"("operator": "=", "value": 1}}, {{"not": {{"query": {{"table": "customers", )"
            R"("field": "{}", "operator": "=", "value": "x"}}}}}}]}}}})",
            field
        );
    };
    const std::string denied =
        "rich.any[1].not.query: conditions may not ask plan of the table customers: an "
        "administrator allows it with select pawl.allow_condition_table('public.customers', "
        "'COLUMN_WITH_THE_SUBJECT')";
    EXPECT_EQ(missing(ask("plan")), Texts{denied});
    EXPECT_EQ(refused(ask("plan")).find(denied), 0u) << refused(ask("plan"));
    script("select pawl.allow_condition_table('public.customers', 'id', '{plan}', 'acme')");
    EXPECT_EQ(missing(ask("plan")), Texts{denied}) << "another tenant's";
    EXPECT_EQ(missing(ask("plan"), acme_), Texts{});
    EXPECT_EQ(missing(ask("score"), acme_).size(), 1u) << "a column that is not allowed";
    script("select pawl.allow_condition_table('public.customers', 'id')");
    EXPECT_EQ(missing(ask("plan")), Texts{});
    EXPECT_EQ(
        missing(ask("nope")),
        Texts{"rich.any[1].not.query: the table public.customers has no column 'nope'"}
    );
    script("drop table customers");
    EXPECT_EQ(
        missing(ask("plan")), Texts{"rich.any[1].not.query: there is no table customers any more"}
    );
}

// A workflow can always be rolled back.
TEST_F(MissingParts, AVersionThatWasPublishedMayComeBackButADraftIsLookedAt) {
    script("select pawl.register_action('award', 'select $amount')");
    script(apply(award));
    script(apply(R"({"id": "give", "type": "wait", "config": {"duration": "2s"}})"));
    script("select pawl.unregister_action('award')");
    script("select pawl.activate_workflow(1, 'w', 1)");
    EXPECT_EQ(session_.value("select version::text from pawl.definition"), "1");
    script("select pawl.deactivate_workflow(1, 'w'); select pawl.activate_workflow(1, 'w')");
    script(fmt::format("select pawl.save_draft(1, 'v', $d${}$d$)", document(award)));
    EXPECT_EQ(
        session_.refusal("select pawl.activate_workflow(1, 'v', 1)").message,
        "give.action: there is no action 'award'"
    );
    EXPECT_EQ(versions(), "1");
}

// The names of other tenants are not told to one that writes for them.
TEST_F(MissingParts, ATenantLearnsNothingOfAnother) {
    script(
        "select pawl.register_action('secret_plan', 'select 1', 'acme');"
        "select pawl.put_template((select id from pawl.tenant where name = 'acme'), 'secret_mail', "
        "null, '{\"en\": {\"text\": \"x\"}}')"
    );
    script("set role pawl_api; set pawl.tenant = 1");
    const auto said = session_.refusal(apply(award, acme_));
    script("reset role; reset pawl.tenant");
    EXPECT_EQ(said.message.find("secret"), std::string::npos) << said.message;
    EXPECT_EQ(said.hint.find("secret"), std::string::npos) << said.hint;
    EXPECT_EQ(said.sqlstate, "42501");
}

}  // namespace
}  // namespace pawl::test
