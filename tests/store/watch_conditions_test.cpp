#include "engine/services/matcher.hpp"
#include "model/definition.hpp"
#include "store/repos/inbox.hpp"
#include "store/repos/tenants.hpp"
#include "store/under_test.hpp"
#include "store/watch_fixture.hpp"

#include <boost/asio/co_spawn.hpp>

// Which changes of watched tables the conditions of triggers want: few rows and many are asked in
// two ways, and some values never leave the database.
namespace pawl::test {
namespace {

class WatchConditions : public Watched {
protected:
    // The workflows that start, each with how many changes; "told" where the database has said so,
    // and not the event.
    std::string started() {
        return session_.value(
            "select coalesce(string_agg(c.name || c.said || c.n, ', ' order by c.name), '') from ("
            "select w.name, case when t.told ? '0' then ' told ' else ' ' end as said, "
            "count(*) as n from pawl.claim_triggers(0::smallint, 10000, '30s') t "
            "join pawl.workflow w on w.id = t.workflow "
            "join pawl.watch_wish x on x.workflow = w.id and x.place = 0 "
            "where coalesce((t.told ->> '0')::boolean, "
            "pawl.matches_conditions(x.conditions, t.data)) group by 1, 2) as c"
        );
    }
    void wants(
        const std::string& name,
        const std::string& table,
        const std::string& conditions,
        const std::string& tenant = "acme"
    ) {
        workflow(
            tenant, "[{\"event\": \"" + table + "\", \"conditions\": {" + conditions + "}}]", name
        );
    }
    void redacted_people() {
        session_.script(
            "create table people (id text, merchant text, full_name text, born date, tier text);"
            "select pawl.set_person_source('people', key => 'id', tenant => 'merchant');"
            "select pawl.watch_table('people', tenant => 'merchant', subject => 'id');"
            "select pawl.redact('{full_name,born}', for_tenant => 'acme')"
        );
    }
};

// A null in JSON is null, as in the engine; a statement of many rows asks the column.
TEST_F(WatchConditions, ANullInJsonIsNullInFewRowsAndInMany) {
    session_.script(
        "create table metas (id int, b jsonb, j json);"
        "select pawl.watch_table('metas', for_tenant => 'acme')"
    );
    const auto wants = [&](const std::string& operation, const std::string& conditions) {
        session_.script("delete from pawl.definition; delete from pawl.inbox; truncate metas");
        workflow(
            "acme",
            "[{\"event\": \"metas\", \"operation\": \"" + operation + "\", \"conditions\": {" +
                conditions + "}}]"
        );
    };
    for (const char* rows : {"1", "50", "51"}) {
        const std::string from = std::string("from generate_series(1, ") + rows + ") g";
        for (const char* column : {"b", "j"}) {
            const std::string name = fmt::format("\"{}\": ", column);
            wants("INSERT", name + R"({"operator": "is_null"})");
            session_.script("insert into metas select g, 'null', 'null' " + from);
            EXPECT_EQ(count("pawl.inbox"), rows) << column;
            wants("INSERT", name + "null");
            session_.script("insert into metas select g, 'null', 'null' " + from);
            EXPECT_EQ(count("pawl.inbox"), rows) << column;
            wants("INSERT", name + R"({"operator": "exists"})");
            session_.script("insert into metas select g, 'null', 'null' " + from);
            EXPECT_EQ(count("pawl.inbox"), "0") << column;
            wants("UPDATE", "\"old." + name.substr(1) + R"({"operator": "not exists"})");
            session_.script("insert into metas select g, 'null', 'null' " + from);
            session_.script("update metas set b = '1', j = '1'; update metas set b = '2', j = '2'");
            EXPECT_EQ(count("pawl.inbox"), rows) << column;
        }
    }
}

// Nothing of such a row can be long.
TEST_F(WatchConditions, ManyRowsOfNumbersAloneAreTakenIn) {
    session_.script(
        "create table numbers (id int); select pawl.watch_table('numbers', for_tenant => 'acme')"
    );
    workflow("acme", "[{\"event\": \"numbers\"}]");
    session_.script("insert into numbers select generate_series(1, 60); update numbers set id = 0");
    EXPECT_EQ(count("pawl.inbox"), "120");
}

// The event has no value that is redacted: what the database found goes with it.
TEST_F(WatchConditions, SeeWhatIsRedactedInFewRowsAndInMany) {
    redacted_people();
    wants("is_ann", "people", R"("full_name": "Ann B")");
    wants("is_bob", "people", R"("full_name": "Bob")");
    wants("is_new", "people", R"("new.full_name": "Ann B", "old.full_name": "Ann")");
    wants("no_name", "people", R"("full_name": {"operator": "not exists"})");
    wants(
        "of_2000",
        "people",
        R"("born": {"operator": "between", "value": ["2000-01-01", "2000-12-31"]})"
    );
    wants("is_gold", "people", R"("tier": "gold")");
    wants("of_bolt", "people", R"("full_name": "Ann B")", "bolt");
    for (const char* rows : {"1", "2", "60"}) {
        const std::string n = rows;
        session_.script("delete from people");
        started();
        session_.script(fmt::format(
            "insert into people select g, 'acme', 'Ann B', '2000-05-05', "
            "'gold' from generate_series(1, {}) g",
            rows
        ));
        EXPECT_EQ(started(), "is_ann told " + n + ", is_gold " + n + ", of_2000 told " + n);
        session_.script("update people set full_name = 'Ann', born = '1999-01-01', tier = 'x'");
        EXPECT_EQ(started(), "") << rows;
        session_.script("update people set full_name = 'Ann B'");
        EXPECT_EQ(started(), "is_ann told " + n + ", is_new told " + n) << rows;
        EXPECT_EQ(count("pawl.inbox where data::text like '%Ann%'"), "0");
    }
    session_.script("insert into people values ('b', 'bolt', 'Ann B', null, 'x')");
    EXPECT_EQ(started(), "of_bolt told 1");
}

// A definition may be another when its changes are taken: what is asked then and was not before is
// not met.
TEST_F(WatchConditions, OfAnotherVersionAreNotAskedWhatTheEventDoesNotHave) {
    redacted_people();
    wants("w", "people", R"("tier": "gold")");
    session_.script("insert into people values ('a', 'acme', 'Ann B', null, 'gold')");
    session_.script(
        "update pawl.definition set settings = '{\"triggers\": [{\"event\": \"people\", "
        "\"conditions\": {\"full_name\": {\"operator\": \"not exists\"}}}]}'"
    );
    EXPECT_EQ(started(), "");
}

TEST_F(WatchConditions, SeeWhatIsTooLong) {
    session_.script(
        "create table texts (id int, merchant text, t text, j jsonb);"
        "select pawl.watch_table('texts', tenant => 'merchant')"
    );
    wants("begins", "texts", R"("t": {"operator": "starts with", "value": "xx"})");
    wants("other", "texts", R"("t": {"operator": "starts with", "value": "yy"})");
    wants("was", "texts", R"("old.t": {"operator": "starts with", "value": "xx"})");
    wants("kind", "texts", R"("j.kind": "a", "id": {"operator": ">", "value": 0})");
    wants("id", "texts", R"("id": {"operator": ">", "value": 0})");
    wants("of_bolt", "texts", R"("t": {"operator": "starts with", "value": "xx"})", "bolt");
    for (const char* rows : {"1", "2", "12", "60"}) {
        const std::string n = rows;
        session_.script(fmt::format(
            "truncate texts; insert into texts select g, 'acme', repeat('x', 1100000), "
            "jsonb_build_object('kind', 'a', 'more', repeat('z', 1100000)) "
            "from generate_series(1, {}) g",
            rows
        ));
        EXPECT_EQ(started(), "begins told " + n + ", id " + n + ", kind told " + n) << rows;
        session_.script("update texts set t = repeat('y', 1100000), j = null");
        EXPECT_EQ(started(), "id " + n + ", other told " + n + ", was told " + n) << rows;
        EXPECT_EQ(count("pawl.inbox where length(data::text) > 100000"), "0");
    }
}

// Numbers that the engine cannot read, too.
TEST_F(WatchConditions, SeeWhatTheEngineCannotRead) {
    session_.script(
        "create table numbers (id int, n numeric);"
        "select pawl.watch_table('numbers', for_tenant => 'acme')"
    );
    wants("large", "numbers", R"("n": {"operator": ">", "value": 10})");
    wants("small", "numbers", R"("n": {"operator": "<", "value": 10})");
    for (const char* rows : {"1", "2", "60"}) {
        session_.script(
            fmt::format("insert into numbers select g, 1e400 from generate_series(1, {}) g", rows)
        );
        EXPECT_EQ(started(), std::string("large told ") + rows);
    }
}

asio::awaitable<std::vector<std::string>> started_by_a_matcher(
    pg::Pool& pool, store::Store& store, engine::ProgramPtr program, std::size_t wanted
) {
    const auto executor = co_await asio::this_coro::executor;
    store::Inbox inbox(pool);
    store::Tenants tenants(pool);
    engine::StartLimits limits(tenants);
    std::vector<std::string> subjects;
    const auto start = [&subjects](std::vector<engine::StartRequest> starts
                       ) -> asio::awaitable<std::vector<engine::Started>> {
        for (const auto& one : starts) subjects.push_back(one.subject);
        co_return std::vector<engine::Started>(starts.size());
    };
    const auto find = [&program](
                          store::WorkflowId, std::int32_t
                      ) -> asio::awaitable<engine::ProgramPtr> { co_return program; };
    engine::Matcher matcher(executor, store, inbox, limits, start, find);
    asio::cancellation_signal stop;
    bool ended = false;
    asio::co_spawn(
        executor,
        matcher.run(),
        asio::bind_cancellation_slot(stop.slot(), [&ended](std::exception_ptr) { ended = true; })
    );
    engine::Gate pause(executor);
    const auto deadline = Steady::now() + std::chrono::seconds(60);
    while (subjects.size() < wanted && Steady::now() < deadline) {
        co_await pause.wait(Steady::now() + std::chrono::milliseconds(3));
    }
    stop.emit(asio::cancellation_type::terminal);
    while (!ended) co_await pause.wait(Steady::now() + std::chrono::milliseconds(3));
    co_return subjects;
}

// From the statement of the application to the start of the run.
TEST(WatchConditionsPg, AMatcherStartsWhatTheDatabaseHasFound) {
    PgUnderTest db;
    auto& session = db.database().session();
    session.script(
        "create table people (id text, full_name text);"
        "select pawl.set_person_source('people', key => 'id');"
        "select pawl.watch_table('people', subject => 'id');"
        "select pawl.redact('{full_name}');"
        "insert into pawl.definition (name, steps, settings) values ('w', "
        "'[{\"name\": \"a\", \"type\": \"code\", \"function\": \"noop\"}]', "
        "'{\"triggers\": [{\"event\": \"people\", \"conditions\": {\"full_name\": \"Ann B\"}}]}');"
        "insert into people values ('bob', 'Bob'), ('ann', 'Ann B'), ('eve', null)"
    );
    auto definition = parse_definition(
        "{name: w, triggers: [{event: people, conditions: {full_name: Ann B}}], "
        "steps: [{id: a, type: code, function: noop}]}"
    );
    ASSERT_TRUE(definition) << definition.error().message;
    engine::Program program;
    program.definition = std::move(*definition);
    const auto started = db.loop().run(started_by_a_matcher(
        db.pool(), db.store(), std::make_shared<const engine::Program>(std::move(program)), 1
    ));
    EXPECT_EQ(started, std::vector<std::string>{"ann"});
}

}  // namespace
}  // namespace pawl::test
