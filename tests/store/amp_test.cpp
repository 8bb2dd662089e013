#include "base/json.hpp"
#include "model/definition.hpp"
#include "store/amp_fixture.hpp"

// Journeys as rows of amp_workflow and its parts: what a save makes of them, and what starts them.
namespace pawl::test {
namespace {

TEST_F(Amp, ASaveIsOneVersionOfADefinition) {
    const Rows versions = session_.column(
        "select v.version || ' ' || v.draft from pawl.workflow_version v join pawl.amp_workflow w "
        "using (workflow) where w.id = " +
        journey_ + " order by 1"
    );
    EXPECT_EQ(versions, (Rows{"1 false", "2 false"}));  // the second one has the trigger
    const std::string definition =
        "(select v.definition from pawl.workflow_version v join pawl.amp_workflow w using "
        "(workflow) where w.id = " +
        journey_ + " and v.version = 2)";
    EXPECT_EQ(value("select " + definition + " ->> 'name'"), "points_earned");
    EXPECT_EQ(value("select " + definition + " ->> 'person'"), "true");
    EXPECT_EQ(
        value("select " + definition + " ->> 'triggers'"),
        R"([{"event": "wallet_ledger", "subject": "{{ key }}", "operation": ["INSERT"], )"
        R"("conditions": {"transaction_type": "earn"}}])"
    );
    const Rows nodes = session_.column(
        "select concat_ws(' ', right(n ->> 'id', 2), n ->> 'type', n -> 'config', n #> "
        "'{retry,attempts}') from jsonb_array_elements(" +
        definition + " -> 'nodes') n"
    );
    EXPECT_EQ(
        nodes,
        (Rows{
            "10 trigger",
            R"(11 condition {"query": {"field": "points_balance", "table": "user_wallet", )"
            R"("value": 100, "operator": ">="}})",
            R"(12 message {"channel": "line", "messages": [{"text": "Hi {{user.first_name}}! )"
            R"(You earned {{trigger.amount}} points!", "type": "text"}]} 3)",
            R"(13 wait {"duration": "3d"})",
            R"(14 action {"action": "award_points", "params": {"amount": 100}} 3)"})
    );
    EXPECT_EQ(
        value("select " + definition + " #>> '{edges,1}'"),
        R"({"to": "n-dddddddd-0000-0000-0000-000000000012", )"
        R"("from": "n-dddddddd-0000-0000-0000-000000000011", "handle": "true"})"
    );
}

TEST_F(Amp, TheSameGraphAgainIsNoVersionAndPositionsStay) {
    sign_in(alpha);
    EXPECT_EQ(
        value("select n ->> 'position_x' from jsonb_array_elements(amp_test_save(1, true) -> "
              "'nodes') n where n ->> 'node_name' = 'Start'"),
        "12.5"
    );
    session_.script("update amp_workflow_node set position_x = 99 where node_name = 'Start'");
    sign_out();
    EXPECT_EQ(value("select max(version)::text from pawl.workflow_version"), "2");
}

TEST_F(Amp, IsActiveActivatesAndWhatIsNotIsADraft) {
    sign_in(alpha);
    session_.script("update amp_workflow set is_active = false where id = " + journey_);
    session_.script(
        "update amp_workflow_node set node_config = '{\"duration\": \"1w\"}' where node_type = "
        "'wait'"
    );
    sign_out();
    const std::string head =
        "select version || ' ' || active from pawl.definition where tenant = 2";
    EXPECT_EQ(value(head), "2 false");
    EXPECT_EQ(
        value("select version || ' ' || draft from pawl.workflow_version order by version desc "
              "limit 1"),
        "3 true"
    );
    sign_in(alpha);
    session_.script("update amp_workflow set is_active = true where id = " + journey_);
    sign_out();
    EXPECT_EQ(value(head), "3 true");
    session_.script("delete from amp_workflow where id = " + journey_);
    EXPECT_EQ(value(head), "3 false");
}

TEST_F(Amp, AWrongGraphIsRefusedWithItsNodeAndNothingIsSaved) {
    sign_in(alpha);
    const std::string start = R"({"id": "a", "node_type": "trigger"})";
    const std::string edge = R"([{"from_node_id": "a", "to_node_id": "b"}])";
    EXPECT_EQ(
        refused("[" + start + R"(, {"id": "b", "node_type": "frob", "node_name": "Odd"}])", edge),
        "node \"Odd\" (b): \"frob\" is not a node type: use one of trigger, condition, message, "
        "wait, api_call, action, agent"
    );
    EXPECT_TRUE(refused("[" + start + "]", edge).ends_with("leads nowhere: there is no node b"));
    EXPECT_EQ(
        refused(
            "[" + start +
                R"(, {"id": "b", "node_type": "message", "node_config": {"channel": "sms", )"
                R"("message": "hi"}}, {"id": "c", "node_type": "api_call", )"
                R"("node_config": {"url": "https://a.example/"}}])",
            R"([{"from_node_id": "a", "to_node_id": "b"}, {"from_node_id": "b", )"
            R"("to_node_id": "c"}, {"from_node_id": "c", "to_node_id": "b"}])"
        ),
        "node b: it is part of a circle without a wait, which would never end"
    );
    EXPECT_EQ(
        refused(
            R"([{"id": "a", "node_type": "agent"}])",
            R"([{"from_node_id": "a", "to_node_id": "a"}])"
        ),
        "node a: instructions: must tell the model what to do"
    );
    EXPECT_EQ(
        refused(
            R"([{"id": "a", "node_type": "trigger"}])",
            R"([{"from_node_id": "a", "to_node_id": "a"}])"
        ),
        "there is no entry: an edge leads to every node, also to node a"
    );
    EXPECT_EQ(
        session_
            .refusal("select bff_upsert_amp_workflow_with_graph('{\"workflow_code\": "
                     "\"points_earned\", \"name\": \"x\"}', '[]'::jsonb, '[]'::jsonb)")
            .message,
        "workflow_code \"points_earned\" is taken by workflow cccccccc-0000-0000-0000-000000000001"
    );
    EXPECT_EQ(
        refused(
            "[" + start +
                R"(, {"id": "b", "node_type": "condition", "node_config": {"query": {"table": )"
                R"("secrets", "field": "x", "operator": "=", "value": 1}}}])",
            edge
        ),
        "node b: query: conditions may not ask x of the table secrets: an administrator allows it "
        "with "
        "select pawl.allow_condition_table('public.secrets', 'COLUMN_WITH_THE_SUBJECT')"
    );
    EXPECT_EQ(value("select count(*)::text from amp_workflow"), "1");
}

// The engine reads what a save makes of every type that the document has.
TEST_F(Amp, AGraphWithAllSevenTypesOfNodesIsOneThatTheEngineReads) {
    sign_in(alpha);
    session_.script(
        "select bff_upsert_amp_workflow_with_graph('{\"workflow_code\": \"seven\", \"name\": "
        "\"Seven\"}', $json$[{\"id\": \"t\", \"node_type\": \"trigger\"},"
        "{\"id\": \"c\", \"node_type\": \"condition\", \"node_config\": {\"query\": {\"table\": "
        "\"user_wallet\", \"field\": \"points_balance\", \"operator\": \"is_not_null\"}}},"
        "{\"id\": \"m\", \"node_type\": \"message\", \"node_config\": {\"channel\": \"sms\", "
        "\"message\": \"hi\"}},"
        "{\"id\": \"w\", \"node_type\": \"wait\", \"node_config\": {\"until\": {\"local_time\": "
        "\"09:00\"}}},"
        "{\"id\": \"h\", \"node_type\": \"api_call\", \"node_config\": {\"url\": "
        "\"https://a.example/\", \"method\": \"put\", \"body\": {\"who\": \"{{user.id}}\"}}},"
        "{\"id\": \"a\", \"node_type\": \"action\", \"node_config\": {\"action_type\": "
        "\"award_points\", \"params\": {\"amount\": 5}}},"
        "{\"id\": \"g\", \"node_type\": \"agent\", \"node_config\": {\"url\": "
        "\"https://m.example/\", \"model\": \"m\", \"instructions\": \"Decide\", \"sees\": "
        "[\"user.first_name\"], \"decide\": [\"up\", \"down\"]}}]$json$::jsonb,"
        "$json$[{\"from_node_id\": \"t\", \"to_node_id\": \"c\"},"
        "{\"from_node_id\": \"c\", \"to_node_id\": \"m\", \"source_handle\": \"true\"},"
        "{\"from_node_id\": \"m\", \"to_node_id\": \"w\"},"
        "{\"from_node_id\": \"w\", \"to_node_id\": \"h\"},"
        "{\"from_node_id\": \"h\", \"to_node_id\": \"g\"},"
        "{\"from_node_id\": \"g\", \"to_node_id\": \"a\", \"source_handle\": "
        "\"up\"}]$json$::jsonb)"
    );
    sign_out();
    const auto stored = parse_json(value(
        "select v.definition::text from pawl.workflow_version v join pawl.workflow w on w.id = "
        "v.workflow where w.name = 'seven' order by v.version desc limit 1"
    ));
    ASSERT_TRUE(stored);
    const auto read = definition_from_json(*stored);
    ASSERT_TRUE(read) << read.error().message;
    std::string types;
    for (const Node& node : read->nodes) types += std::string(name(node.type)) + " ";
    EXPECT_EQ(types, "trigger condition message wait http agent action ");
    sign_in(alpha);
    EXPECT_EQ(
        refused(
            R"([{"id": "a", "node_type": "trigger"}, {"id": "b", "node_type": "agent", )"
            R"("node_config": {"url": "https://m.example/", "model": "m", "instructions": "x", )"
            R"("decide": ["up"]}}, {"id": "c", "node_type": "wait", "node_config": )"
            R"({"duration": "1d"}}])",
            R"([{"from_node_id": "a", "to_node_id": "b"}, {"from_node_id": "b", )"
            R"("to_node_id": "c", "source_handle": "left"}])"
        ),
        "node b: it has no handle \"left\": an agent leaves by default, rejected, timeout, up, or "
        "error"
    );
}

TEST_F(Amp, RowsMayComeOneByOneButWhatIsActiveMustBeWhole) {
    sign_in(alpha);
    session_.script(
        "insert into amp_workflow (id, merchant_id, workflow_code, name) values "
        "(amp_test_id('c', 9), get_current_merchant_id(), 'by_hand', 'By hand');"
    );
    session_.script(
        "insert into amp_workflow_node (id, workflow_id, merchant_id, node_type, node_config) "
        "values (amp_test_id('d', 91), amp_test_id('c', 9), get_current_merchant_id(), 'trigger', "
        "'{}'), (amp_test_id('d', 92), amp_test_id('c', 9), get_current_merchant_id(), 'wait', "
        "'{\"duration\": \"2h\"}')"
    );
    const std::string activate =
        "update amp_workflow set is_active = true where workflow_code = 'by_hand'";
    EXPECT_EQ(
        session_.refusal(activate).message,
        "node dddddddd-0000-0000-0000-000000000092: no run comes to it: no edge leads there from "
        "the entry"
    );
    session_.script(
        "insert into amp_workflow_edge (workflow_id, merchant_id, from_node_id, to_node_id) "
        "values (amp_test_id('c', 9), get_current_merchant_id(), amp_test_id('d', 91), "
        "amp_test_id('d', 92))"
    );
    session_.script(activate);
    EXPECT_EQ(
        session_.refusal("delete from amp_workflow_edge where from_node_id = amp_test_id('d', 91)")
            .sqlstate,
        "22023"
    );
}

TEST_F(Amp, AChangeOfAWatchedTableIsAnEventOfItsMerchant) {
    sign_in(service);
    session_.script(
        "insert into wallet_ledger (merchant_id, user_id, amount, transaction_type) values "
        "('aaaaaaaa-0000-0000-0000-000000000001', amp_test_id('1', 1), 50, 'earn'),"
        "('aaaaaaaa-0000-0000-0000-000000000001', amp_test_id('1', 1), 50, 'burn'),"
        "('bbbbbbbb-0000-0000-0000-000000000002', amp_test_id('1', 3), 50, 'earn')"
    );
    sign_out();
    session_.script("select pawl.take_changes(0::smallint)");
    EXPECT_EQ(
        session_.column("select concat_ws(' ', t.name, i.name, i.subject, i.data ->> 'amount') "
                        "from pawl.inbox i join pawl.tenant t on t.id = i.tenant"),
        Rows{"aaaaaaaa-0000-0000-0000-000000000001 wallet_ledger "
             "11111111-0000-0000-0000-000000000001 50"}
    );
    EXPECT_EQ(value("select count(*)::text from pawl.trigger_pending"), "1");
}

// In the form in which applications write it; a table that is watched too has one event a row.
TEST_F(Amp, ATriggerOfTheApplicationMakesEventsOnce) {
    session_.script(
        "CREATE TRIGGER trg_amp_workflow_on_purchase\n"
        "AFTER INSERT ON purchase_ledger\n"
        "FOR EACH ROW EXECUTE FUNCTION fn_dispatch_amp_workflow_event();"
        "CREATE TRIGGER trg_amp_workflow_on_wallet\n"
        "AFTER INSERT ON wallet_ledger\n"
        "FOR EACH ROW EXECUTE FUNCTION fn_dispatch_amp_workflow_event();"
        "insert into amp_workflow_trigger (workflow_id, merchant_id, trigger_type, trigger_table, "
        "trigger_operation, trigger_conditions) values (amp_test_id('c', 2), "
        "'bbbbbbbb-0000-0000-0000-000000000002', 'purchase_completed', 'purchase_ledger', "
        "'INSERT', '{\"total\": {\"operator\": \">=\", \"value\": 100}}')"
    );
    sign_in(beta);
    session_.script(
        "insert into purchase_ledger (merchant_id, user_id, total) values "
        "('bbbbbbbb-0000-0000-0000-000000000002', amp_test_id('1', 3), 100),"
        "('bbbbbbbb-0000-0000-0000-000000000002', amp_test_id('1', 3), 99),"
        "('aaaaaaaa-0000-0000-0000-000000000001', amp_test_id('1', 1), 500);"
        "insert into wallet_ledger (merchant_id, user_id, amount, transaction_type) values "
        "('aaaaaaaa-0000-0000-0000-000000000001', amp_test_id('1', 1), 5, 'earn')"
    );
    sign_out();
    session_.script("select pawl.take_changes(0::smallint)");
    EXPECT_EQ(
        session_.column("select concat_ws(' ', i.tenant, i.name, i.subject) from pawl.inbox i "
                        "order by i.id"),
        (Rows{
            "3 purchase_ledger 11111111-0000-0000-0000-000000000003",
            "2 wallet_ledger 11111111-0000-0000-0000-000000000001"})
    );
    sign_in(beta);
    EXPECT_EQ(
        session_
            .refusal("create temp table mine (merchant_id uuid, user_id uuid);"
                     "create trigger forge after insert on mine for each row execute function "
                     "fn_dispatch_amp_workflow_event()")
            .sqlstate,
        "42501"
    );
}

// A table that is made anew, or restored, has lost the triggers of its watch: its own trigger
// counts.
TEST_F(Amp, ATriggerOfTheApplicationCountsWhereTheWatchSeesNothing) {
    const char* const change =
        "insert into wallet_ledger (merchant_id, user_id, amount, transaction_type) values "
        "('aaaaaaaa-0000-0000-0000-000000000001', amp_test_id('1', 1), 50, 'earn');"
        "select pawl.take_changes(0::smallint)";
    session_.script(
        "drop table wallet_ledger;"
        "create table wallet_ledger (id int, merchant_id uuid, user_id uuid, amount int, "
        "transaction_type text);"
        "CREATE TRIGGER trg_amp_workflow_on_wallet AFTER INSERT ON wallet_ledger "
        "FOR EACH ROW EXECUTE FUNCTION fn_dispatch_amp_workflow_event()"
    );
    session_.script(change);
    EXPECT_EQ(value("select count(*)::text from pawl.inbox"), "1");
    EXPECT_EQ(
        value("select problem from pawl.list_watches(2) where source = 'public.wallet_ledger'"),
        "the table has lost its trigger for INSERT, or it is disabled: watch it again"
    );
    session_.script(
        "drop trigger trg_amp_workflow_on_wallet on wallet_ledger;"
        "update amp_workflow_trigger set trigger_conditions = '{\"amount\": 50}'"
    );
    session_.script(change);
    EXPECT_EQ(value("select count(*)::text from pawl.inbox"), "2");
}

// Rows of a partition are known by the name of their table.
TEST_F(Amp, ATriggerOfTheApplicationWorksOnPartitionedTables) {
    session_.script(
        "drop table purchase_ledger;"
        "create table purchase_ledger (id int, merchant_id uuid, user_id uuid, total int) "
        "partition by range (total);"
        "create table purchase_small partition of purchase_ledger for values from (0) to (100);"
        "create table purchase_large partition of purchase_ledger default;"
        "CREATE TRIGGER trg_amp_workflow_on_purchase AFTER INSERT ON purchase_ledger "
        "FOR EACH ROW EXECUTE FUNCTION fn_dispatch_amp_workflow_event();"
        "insert into amp_workflow_trigger (workflow_id, merchant_id, trigger_type, trigger_table, "
        "trigger_operation) values (amp_test_id('c', 2), "
        "'bbbbbbbb-0000-0000-0000-000000000002', 'purchase_completed', 'purchase_ledger', "
        "'INSERT')"
    );
    session_.script(
        "insert into purchase_ledger select n, 'bbbbbbbb-0000-0000-0000-000000000002', "
        "amp_test_id('1', 3), n * 99 from generate_series(1, 2) n;"
        "select pawl.take_changes(0::smallint)"
    );
    EXPECT_EQ(
        session_.column("select concat_ws(' ', i.name, i.data ->> 'source', i.data ->> 'total') "
                        "from pawl.inbox i order by i.id"),
        (Rows{"purchase_ledger purchase_ledger 99", "purchase_ledger purchase_ledger 198"})
    );
}

TEST_F(Amp, GraphsAreReadWalkedAndCopied) {
    sign_in(alpha);
    EXPECT_EQ(
        value("select node_name from fn_get_amp_workflow_entry_node(" + journey_ + ")"), "Start"
    );
    EXPECT_EQ(
        value(
            "select node_name from fn_get_amp_workflow_next_nodes(" + journey_ +
            ", amp_test_id('d', 11), 'true')"
        ),
        "Thanks"
    );
    EXPECT_EQ(
        value("select api_get_amp_workflow_definition(" + journey_ + ") ->> 'entry_node_id'"),
        "dddddddd-0000-0000-0000-000000000010"
    );
    const std::string copy =
        value("select bff_duplicate_amp_workflow(" + journey_ + ", 'Copy')::text");
    EXPECT_EQ(
        value(
            "select concat_ws(' ', f #>> '{workflow,name}', f #>> '{workflow,is_active}', "
            "jsonb_array_length(f -> 'nodes'), jsonb_array_length(f -> 'edges'), "
            "jsonb_array_length(f -> 'triggers')) from bff_get_amp_workflow_full('" +
            copy + "') f"
        ),
        "Copy false 5 4 1"
    );
}

}  // namespace
}  // namespace pawl::test
