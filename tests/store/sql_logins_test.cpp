#include "steps/sql_logins.hpp"

#include "store/sql_fixture.hpp"

// The logins that statements of users run as, and what these may not do.
namespace pawl::test {
namespace {

TEST_F(SqlStepsPg, AnEffectIsOneOfARunThatTheWorkerHolds) {
    auto foreign = request("insert into points values (1, 1)");
    foreign.worker = db_.worker();
    EXPECT_EQ(run(foreign), "retryable unavailable") << "another worker holds the run";
    auto open = request("insert into points values (1, 1)");
    open.run_id = to_string(db_.run());
    EXPECT_EQ(run(open), "retryable unavailable") << "no worker holds the run";
    EXPECT_EQ(value("select count(*)::text from points"), "0");
    EXPECT_EQ(value("select count(*)::text from pawl.sql_effect"), "0");
}

TEST_F(SqlStepsPg, ALoginThatWasNotLetInRunsNothing) {
    store::SqlSteps engine(pool_, "");  // the engine's own login was not asked for
    EXPECT_EQ(
        text(db_.loop().run(steps::run_sql(engine, 0, request("insert into points values (1, 1)")))
        ),
        "retryable unavailable"
    );
    EXPECT_EQ(value("select count(*)::text from points"), "0");
    const auto refused =
        db_.database().session().refusal("select pawl.allow_sql_role(current_user)");
    EXPECT_EQ(refused.sqlstate, "0LP01") << refused.message;
}

TEST_F(SqlStepsPg, EachTenantHasALoginAndWritesNoEffectsOfOthers) {
    const auto other = db_.other_tenant();
    const RunId theirs = db_.run(worker_);
    script(fmt::format(
        "update pawl.live_run set tenant = {} where run_id = '{}'", other, to_string(theirs)
    ));
    Session& session = db_.database().session();
    const Login default_login(session, "pawl_test_of_default");
    const Login other_login(session, "pawl_test_of_other", "other");
    steps::SqlSettings settings;
    settings.engine.emplace();
    settings.url = db_.database().url() + "&user=pawl_test_of_{tenant}";
    settings.tenant_name = [&](store::TenantId tenant) -> asio::awaitable<std::string> {
        co_return tenant == other ? "other" : "default";
    };
    steps::SqlLogins logins(db_.loop().context().get_executor(), settings);
    const auto run_of = [&](RunId run, store::TenantId tenant, const std::string& statement) {
        auto asked = request(statement);
        asked.run_id = to_string(run);
        asked.tenant = tenant;
        return text(db_.loop().run(logins.run(std::move(asked))));
    };
    const std::string who = "select current_user::text as me";
    const auto is = [](const std::string& name) {
        return R"({"rows":[{"me":")" + name + R"("}],"count":1})";
    };
    EXPECT_EQ(run_of(run_, 1, who), is("pawl_test_of_default"));
    EXPECT_EQ(run_of(theirs, other, who), is("pawl_test_of_other"));
    EXPECT_EQ(run_of(theirs, 1, who), "retryable unavailable") << "not a run of this tenant";

    // What the engine calls, a statement can call too.
    const std::string effect = fmt::format("(0::smallint, '{}', 'forged'", to_string(theirs));
    EXPECT_EQ(
        run_of(run_, 1, "select pawl.begin_sql_effect" + effect + ")"), "permanent sql.42501"
    );
    EXPECT_EQ(
        run_of(
            run_,
            1,
            "select pawl.begin_sql_effect" + effect + ", '" + to_string(worker_) + "', true)"
        ),
        "permanent sql.PW001"
    );
    script("insert into pawl.sql_effect (bucket, run_id, key) values " + effect + ")");
    EXPECT_EQ(
        run_of(run_, 1, "select pawl.end_sql_effect" + effect + ", '{}')"), "permanent sql.PW001"
    );
    EXPECT_EQ(
        run_of(run_, 1, "select pawl.open_sql_effect" + effect + ", null, true)"),
        "permanent sql.42501"
    );
    EXPECT_EQ(run_of(run_, 1, "select * from pawl.live_run"), "permanent sql.42501");
    EXPECT_EQ(run_of(run_, 1, "insert into pawl.api_key default values"), "permanent sql.42501");
}

// The owner of the database has registered what an action runs; a statement of a tenant's own is
// not for the engine's login.
TEST_F(SqlStepsPg, ActionsOfAllTenantsRunWithTheLoginOfTheEngine) {
    const auto other = db_.other_tenant();
    const RunId theirs = db_.run(worker_);
    script(fmt::format(
        "update pawl.live_run set tenant = {} where run_id = '{}'", other, to_string(theirs)
    ));
    steps::SqlSettings settings;
    settings.engine.emplace();
    settings.engine->conninfo = db_.database().url();
    settings.as_engine = true;
    steps::SqlLogins logins(db_.loop().context().get_executor(), settings);
    auto action = request("insert into points values (7, 1) returning n", "[]", "once");
    action.run_id = to_string(theirs);
    action.tenant = other;
    const std::string done = R"({"rows":[{"n":1}],"count":1})";
    EXPECT_EQ(text(db_.loop().run(logins.run_as_engine(action))), done);
    EXPECT_EQ(text(db_.loop().run(logins.run_as_engine(action))), done) << "its result is known";
    EXPECT_EQ(value("select count(*)::text from points"), "1");
    EXPECT_EQ(text(db_.loop().run(logins.run(action))), "permanent no_sql_login");
    action.worker = db_.worker();
    EXPECT_EQ(text(db_.loop().run(logins.run_as_engine(action))), "retryable unavailable")
        << "another worker holds the run";
}

TEST_F(SqlStepsPg, BesideLoginsOfTenantsTheDefaultTenantMayHaveTheOneOfTheEngine) {
    steps::SqlSettings settings;
    settings.engine.emplace();
    settings.engine->conninfo = db_.database().url();
    settings.as_engine = true;
    settings.url = "postgresql://nobody_{tenant}@127.0.0.1:1/nowhere";
    settings.tenant_name = [](store::TenantId) -> asio::awaitable<std::string> { co_return "t"; };
    steps::SqlLogins logins(db_.loop().context().get_executor(), settings);
    auto statement = request("select 5 as n");
    EXPECT_EQ(text(db_.loop().run(logins.run(statement))), R"({"rows":[{"n":5}],"count":1})");
    statement.tenant = db_.other_tenant();
    EXPECT_EQ(text(db_.loop().run(logins.run(statement))), "retryable unavailable");
}

TEST_F(SqlStepsPg, AnErrorDoesNotTellWhereTheDatabaseIs) {
    steps::SqlSettings settings;
    settings.engine.emplace();
    settings.url = "postgresql://secret_user:hunter2@127.0.0.1:1/secret_name";
    steps::SqlLogins logins(db_.loop().context().get_executor(), settings);
    auto condition = request("select 1");
    condition.subject = "s";
    condition.config =
        json::parse(R"({"query": {"table": "points", "field": "n", "operator": "=", "value": 1}})")
            .as_object();
    const auto ran = db_.loop().run(logins.run(request("select 1")));
    const auto asked = db_.loop().run(logins.ask(std::move(condition)));
    const auto lost = db_.loop().run(
        steps::run_sql(steps_, 0, request("select pg_terminate_backend(pg_backend_pid())"))
    );
    for (const auto* outcome : {&ran, &asked, &lost}) {
        ASSERT_TRUE(outcome->error);
        EXPECT_EQ(outcome->error->error_class, ErrorClass::retryable);
        for (const char* secret : {"secret", "hunter2", "127.0.0.1", "/tmp", "postgres"}) {
            EXPECT_EQ(outcome->error->message.find(secret), std::string::npos)
                << outcome->error->message;
        }
    }
}

// A person waits for it: as a whole, and with words that say what to do.
TEST_F(SqlStepsPg, APreviewThatTakesTooLongSaysSo) {
    steps::SqlSettings settings;
    settings.engine.emplace();
    settings.engine->conninfo = db_.database().url();
    settings.as_engine = true;
    settings.preview_patience = std::chrono::milliseconds(500);
    steps::SqlLogins logins(db_.loop().context().get_executor(), settings);
    for (const char* query :
         {"select 1 as subject from pg_sleep(30)",
          "select g as subject, pg_sleep(0.04)::text as x from generate_series(1, 1000) g"}) {
        const auto said = db_.loop().run(logins.preview(1, query));
        ASSERT_FALSE(said) << query;
        EXPECT_EQ(said.error().code, Errc::timeout) << query;
        EXPECT_EQ(said.error().message.find("the query took longer than 0.5 s: "), 0U)
            << said.error().message;
    }
    const auto quick = db_.loop().run(logins.preview(1, "select 1 as subject"));
    ASSERT_TRUE(quick) << to_string(quick.error());
    EXPECT_EQ(quick->count, 1);
}

// Such a role cannot publish at all unless it was given more than usual; statements stay out then
// too.
TEST_F(SqlStepsPg, ARoleOfATenantDoesNotPublishStatements) {
    script("create role pawl_test_author login");
    script("select pawl.bind_role('pawl_test_author', 'default')");
    script("grant insert on pawl.workflow_version to pawl_test_author");
    {
        Session author(db_.database().url() + "&user=pawl_test_author");
        auto publish = [&, version = 10](const std::string& steps) mutable {
            return fmt::format(
                "insert into pawl.workflow_version (workflow, version, definition) values "
                "({}, {}, '{{{}}}')",
                db_.workflow(),
                ++version,
                steps
            );
        };
        auto statement = publish(R"("name": "x", "steps": [{"name": "a", "code": "echo"}])");
        author.script(statement);
        for (const std::string steps :
             {R"("name": "x", "steps": [{"name": "a", "sql": {"statement": "select 1"}}])",
              R"("name": "x", "nodes": [{"id": "a", "type": "sql"}])"}) {
            statement = publish(steps);
            EXPECT_EQ(author.refusal(statement).sqlstate, "42501") << steps;
            script(statement);
        }
    }
    script("drop owned by pawl_test_author; drop role pawl_test_author");
}

}  // namespace
}  // namespace pawl::test
