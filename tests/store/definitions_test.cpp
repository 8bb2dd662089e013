#include "base/json.hpp"
#include "pg/pg_error.hpp"
#include "store/pg/migrate.hpp"
#include "store/under_test.hpp"

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <fmt/core.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <thread>

// workflow_definitions, as psql and migrations write it.
namespace pawl::test {
namespace {

const std::string seeds = R"sql(
insert into workflow_definitions
    (name, description, steps, required_fields, timeout_seconds, visibility_timeout, max_retries)
values
('proposal_accepted', 'One mail', '[{"name": "mail", "function": "send-email", "action": "send",
  "payload_template": {"to": "{{guest_email}}", "variables": {"rent": "{{monthly_rent}}"}},
  "on_failure": "retry"}]', array['guest_email'], 300, 60, 3),
('listing_submitted', 'Mail and chat', '[
  {"name": "mail", "function": "send-email", "action": "send",
   "payload_template": {"to": "{{host_email}}"}, "on_failure": "continue"},
  {"name": "chat", "function": "slack", "action": "faq_inquiry",
   "payload_template": {"message": "New: {{listing_address}}, mail {{step_0_result.id}}"},
   "on_failure": "abort"}]', array['host_email'], 600, 30, 2)
on conflict (name) do nothing
)sql";

const std::string one_step = R"('[{"name": "a", "function": "f"}]')";

class Definitions : public ::testing::Test {
protected:
    std::string value(const std::string& sql) { return session_.value(sql); }
    std::string head(const std::string& columns, const std::string& name) {
        return value(fmt::format(
            "select ({})::text from workflow_definitions where name = '{}'", columns, name
        ));
    }
    std::string psql(const std::string& sql) {
        const std::string path = testing::TempDir() + db_.database().name() + ".sql";
        std::ofstream(path) << sql;
        auto output = output_of("psql -X -d '" + db_.database().url() + "' -f " + path);
        std::remove(path.c_str());
        return output;
    }
    void insert(const std::string& name, const std::string& steps = one_step) {
        session_.script(fmt::format(
            "insert into workflow_definitions (name, steps) values ('{}', {})", name, steps
        ));
    }

    PgUnderTest db_;
    Session& session_ = db_.database().session();
};

TEST_F(Definitions, SeedingTwiceInsertsOnceAndSaysHowMany) {
    EXPECT_EQ(psql(seeds), "INSERT 0 2\n");
    EXPECT_EQ(psql(seeds), "INSERT 0 0\n");
    EXPECT_EQ(value("select count(*)::text from workflow_definitions"), "2");
    EXPECT_EQ(value("select count(*)::text from pawl.workflow_version"), "2");
    EXPECT_EQ(
        psql("update workflow_definitions set active = active; "
             "delete from workflow_definitions where name = 'proposal_accepted'"),
        "UPDATE 2\nDELETE 1\n"
    );
}

TEST_F(Definitions, DefaultsAreThoseOfTheDocument) {
    insert("plain");
    EXPECT_EQ(
        head(
            "(required_fields, timeout_seconds, visibility_timeout, max_retries, active, version, "
            "created_by, description)",
            "plain"
        ),
        "({},300,60,3,t,1,,)"
    );
    EXPECT_EQ(head("id is not null and created_at = updated_at", "plain"), "true");
}

TEST_F(Definitions, EveryUpdateIsANewVersionThatNeverChanges) {
    insert("a");
    session_.script("update workflow_definitions set description = 'x', version = 40");
    session_.script("update workflow_definitions set description = 'x'");
    EXPECT_EQ(head("version", "a"), "3");
    EXPECT_EQ(head("updated_at > created_at", "a"), "true");
    EXPECT_EQ(
        session_.column(
            "select definition ->> 'description' from pawl.workflow_version order by version"
        ),
        (std::vector<std::string>{"", "x", "x"})
    );
}

TEST_F(Definitions, UpsertUpdatesWhatIsThere) {
    insert("a");
    const auto id = head("id", "a");
    const std::string upsert =
        "insert into workflow_definitions (name, steps) values "
        "('a', '[{\"name\": \"b\", \"function\": \"g\"}]') "
        "on conflict (name) do update set steps = excluded.steps";
    EXPECT_EQ(psql(upsert), "INSERT 0 1\n");
    EXPECT_EQ(head("(id, version, steps -> 0 ->> 'name')", "a"), "(" + id + ",2,b)");
}

TEST_F(Definitions, ANewNameIsTheWorkflowsNameAndItsRunsKeepIt) {
    insert("a");
    const auto run = value("select pawl.start('a')::text");
    session_.script("update workflow_definitions set name = 'b'");
    EXPECT_EQ(value("select workflow_name from workflow_executions where id = '" + run + "'"), "b");
    EXPECT_EQ(db_.find_workflow("b")->version, 2);
    EXPECT_FALSE(db_.find_workflow("a"));
    // A name that runs still bear is not given to another workflow.
    session_.script("delete from workflow_definitions where name = 'b'");
    insert("c");
    EXPECT_EQ(
        session_.refusal("update workflow_definitions set name = 'b' where name = 'c'").message,
        "the name \"b\" belonged to another workflow, whose runs keep it"
    );
}

TEST_F(Definitions, DeletingTakesTheHeadAwayAndNothingElse) {
    insert("a");
    session_.script("update workflow_definitions set max_retries = 5");
    const auto run = value("select pawl.start('a')::text");
    session_.script("delete from workflow_definitions");
    EXPECT_EQ(session_.refusal("select pawl.start('a')").message, "Workflow not found: a");
    EXPECT_EQ(
        value("select workflow_version::text from workflow_executions where id = '" + run + "'"),
        "2"
    );
    EXPECT_EQ(db_.claim_ids(db_.worker()).size(), 1u);
    insert("a");
    EXPECT_EQ(head("version", "a"), "3");
    EXPECT_EQ(db_.list_versions("a").size(), 3u);
}

TEST_F(Definitions, WhatTheEngineWouldRefuseIsRefused) {
    const auto with = [](const std::string& step) { return "'[" + step + "]'"; };
    const std::vector<std::pair<std::string, std::string>> wrong{
        {"'{}'", "steps: must be an array of at least one step"},
        {"'[]'", "steps: must be an array of at least one step"},
        {"null", "steps: must be an array of at least one step"},
        {with("1"), "steps[0]: must be an object"},
        {with(R"({"function": "f"})"), "steps[0].name: is missing: every step needs a name"},
        {with(R"({"name": "{{x}}", "function": "f"})"),
         "steps[0].name: '{{x}}' is not a step name"},
        {with(R"({"name": "a"})"),
         "steps[0].function: is missing: which function is to be called?"},
        {with(R"({"name": "a", "function": 7})"),
         "steps[0].function: must name the function to call"},
        {with(R"({"name": "a", "function": "{{f}}"})"), "steps[0].function: may not be a template"},
        {with(R"({"name": "a", "function": "f"}, {"name": "a", "function": "f"})"),
         "steps[0].name: 'a' is used twice"},
        {with(R"({"name": "a", "function": "f", "on_failure": "explode"})"),
         "steps[0].on_failure: must be 'continue', 'abort' or 'retry'"},
        {with(R"({"name": "a", "function": "f", "payload_tempalte": {}})"),
         "steps[0].payload_tempalte: unknown key"},
        {with(R"({"name": "a", "function": "f", "payload_template": ["{{x"]})"),
         "steps[0]: placeholder '{{x' is not closed with '}}'"},
        {with(R"({"name": "a", "function": "f", "payload_template": "{{steps.b.result}}"})"),
         "steps[0]: '{{steps.b.result}}' refers to a step that does not exist"},
    };
    for (const auto& [steps, message] : wrong) {
        const auto detail = session_.refusal(
            "insert into workflow_definitions (name, steps) values ('x', " + steps + ")"
        );
        EXPECT_EQ(detail.message, message);
        EXPECT_FALSE(detail.hint.empty()) << message;
    }
    insert("x");
    for (const char* set :
         {"timeout_seconds = 0",
          "visibility_timeout = -1",
          "max_retries = 100",
          "name = 'a b'",
          "name = null",
          "required_fields = array['']"}) {
        EXPECT_FALSE(
            session_.refusal(fmt::format("update workflow_definitions set {}", set)).hint.empty()
        );
    }
    EXPECT_EQ(head("version", "x"), "1");
}

TEST_F(Definitions, TheEngineReadsWhatTheViewStores) {
    session_.script(seeds);
    const auto stored = db_.find_workflow("listing_submitted");
    ASSERT_TRUE(stored);
    const auto definition = definition_from_json(stored->definition);
    ASSERT_TRUE(definition) << definition.error().message;
    EXPECT_EQ(definition->timeout, Duration(std::chrono::minutes(10)));
    EXPECT_EQ(definition->required_fields, std::vector<std::string>{"host_email"});
    ASSERT_EQ(definition->nodes.size(), 2u);
    const Node& mail = definition->nodes[0];
    EXPECT_EQ(mail.id, "mail");
    EXPECT_EQ(mail.type, NodeType::function);
    EXPECT_EQ(mail.timeout, Duration(std::chrono::seconds(30)));
    EXPECT_EQ(mail.on_failure, OnFailure::continue_);
    EXPECT_EQ(mail.retry.attempts, 1);
    EXPECT_EQ(definition->nodes[1].on_failure, OnFailure::abort);
    EXPECT_EQ(definition->nodes[1].retry.attempts, 1);
    EXPECT_EQ(definition->next(0), NodeIndex{1});
    const auto retried = definition_from_json(db_.find_workflow("proposal_accepted")->definition);
    EXPECT_EQ(retried.value().nodes[0].retry.attempts, 4);
}

// Definitions of every shape that the store can hold.
std::vector<Definition> many_definitions() {
    std::vector<Definition> all;
    for (const auto& file : std::filesystem::directory_iterator(PAWL_SOURCE_DIR "/workflows")) {
        if (file.path().extension() != ".yaml") continue;
        if (file.path().stem().extension() == ".test") continue;
        std::ifstream stream(file.path());
        std::stringstream text;
        text << stream.rdbuf();
        all.push_back(parse_definition(text.str()).value());
    }
    const std::vector<std::string> heads{
        "",
        "timeout: 1500ms\n",
        "timeout: 90\n",
        "description: ''\n",
        "description: 'a \"b\"'\n",
        "required_fields: [a, b]\ntimeout: 3d\n",
        "max_retries: 0\nvisibility_timeout: 7\n"};
    const std::vector<std::string> bodies{
        "steps: [{name: a, code: noop}]\n",
        "steps: [{name: a, function: f, payload: {x: ~, y: [1, 2.5, {}]}}, {name: b, wait: 5s}]\n",
        "nodes: [{id: a, code: x}, {id: c, code: x}, {id: b, code: x}]\n"
        "edges: [{from: a, to: b}, {from: b, to: c}]\n",
        "nodes: [{id: a, code: x}]\n",
        "steps: [{name: a, http: {url: 'http://x', headers: {A: b}}, on_failure: continue}]\n"};
    for (std::size_t i = 0; i < heads.size() * bodies.size(); ++i) {
        const auto text = fmt::format(
            "name: generated_{}\n{}{}", i, heads[i % heads.size()], bodies[i / heads.size()]
        );
        all.push_back(parse_definition(text).value());
    }
    return all;
}

// The columns of a head may say it in other words: what steps have that say nothing of a time.
Definition with_times(Definition definition) {
    for (Node& node : definition.nodes) {
        if (!node.timeout) node.timeout = std::chrono::seconds(60);
    }
    return definition;
}

TEST_F(Definitions, HeadAndDefinitionAreTheSameThing) {
    const auto all = many_definitions();
    ASSERT_GT(all.size(), 35u);
    for (const Definition& definition : all) {
        EXPECT_TRUE(db_.apply(definition).changed);
        EXPECT_FALSE(db_.apply(definition).changed) << definition.name;
        const auto back = definition_from_json(db_.find_workflow(definition.name)->definition);
        EXPECT_TRUE(back.value() == definition) << definition.name;
        const auto columns = definition_from_json(json::parse(value(fmt::format(
            "select pawl.definition_json(d)::text from pawl.definition d where name = '{}'",
            definition.name
        ))));
        ASSERT_TRUE(columns) << definition.name << ": " << columns.error().message;
        EXPECT_TRUE(with_times(*columns) == with_times(definition)) << definition.name;
    }
    session_.script("delete from workflow_definitions");
    session_.script(seeds);
    EXPECT_EQ(
        value("select (count(*) = 2 and bool_and(pawl.definition_json(d) = v.definition))::text "
              "from pawl.definition d join pawl.workflow_version v "
              "on v.workflow = d.workflow and v.version = d.version "
              "where d.created_by is null and d.applied is null"),
        "true"
    );
}

TEST_F(Definitions, AnAppliedWorkflowCanBeChangedThroughTheView) {
    db_.apply(parse_definition("name: a\ntimeout: 90s\nsteps: [{name: x, code: noop}]").value());
    EXPECT_EQ(head("timeout_seconds", "a"), "90");
    session_.script("update workflow_definitions set timeout_seconds = 120");
    auto changed = definition_from_json(db_.find_workflow("a")->definition);
    EXPECT_EQ(changed.value().timeout, Duration(std::chrono::minutes(2)));
    session_.script(
        "update workflow_definitions set steps = "
        "'[{\"name\": \"y\", \"function\": \"f\"}, {\"name\": \"z\", \"function\": \"f\"}]'"
    );
    changed = definition_from_json(db_.find_workflow("a")->definition);
    ASSERT_EQ(changed.value().nodes.size(), 2u);
    EXPECT_EQ(changed->next(0), NodeIndex{1});
    EXPECT_EQ(changed->timeout, Duration(std::chrono::minutes(2)));
}

TEST_F(Definitions, ARealGraphIsNotTornApartByAListOfSteps) {
    db_.apply(parse_definition("name: g\nnodes: [{id: a, code: x}, {id: c, code: x}, "
                               "{id: b, code: x}]\nedges: [{from: a, to: b}, {from: b, to: c}]")
                  .value());
    EXPECT_EQ(
        session_.refusal("update workflow_definitions set steps = " + one_step).message,
        "workflow \"g\" is a graph: its steps cannot be changed as a list"
    );
    session_.script("update workflow_definitions set steps = jsonb_set(steps, '{0,timeout}', '9')");
    const auto changed = definition_from_json(db_.find_workflow("g")->definition);
    EXPECT_EQ(changed.value().next(0), NodeIndex{2});
    EXPECT_EQ(changed->nodes[0].timeout, Duration(std::chrono::seconds(9)));
}

TEST_F(Definitions, ManySeedersAtOnceMakeOneWorkflow) {
    std::vector<std::unique_ptr<Session>> sessions;
    for (int i = 0; i < 10; ++i) {
        sessions.push_back(std::make_unique<Session>(db_.database().url()));
    }
    // One transaction holds the name while the others come.
    session_.script("begin; " + seeds);
    std::vector<std::thread> threads;
    for (auto& session : sessions) {
        threads.emplace_back([&session] { session->script(seeds); });
    }
    session_.script("commit");
    for (auto& thread : threads) thread.join();
    EXPECT_EQ(value("select count(*)::text from pawl.workflow_version"), "2");
    EXPECT_EQ(value("select count(*)::text from pawl.workflow"), "2");
}

TEST(DefinitionsMigration, LeavesForeignTablesAlone) {
    TestDatabase database(TestDatabase::Content::empty);
    Session& session = database.session();
    session.script("create table public.workflow_executions (mine int)");
    session.loop().run(store::migrate_up(session.connection()));
    EXPECT_EQ(session.value("select count(mine)::text from public.workflow_executions"), "0");
    EXPECT_EQ(session.value("select count(*)::text from pawl.workflow_executions"), "0");
    EXPECT_EQ(session.value("select count(*)::text from public.workflow_definitions"), "0");
}

}  // namespace
}  // namespace pawl::test
