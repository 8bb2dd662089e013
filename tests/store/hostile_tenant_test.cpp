#include "base/fresh_id.hpp"
#include "store/pg/migrate.hpp"
#include "store/pg/pg_store.hpp"
#include "support/database.hpp"

#include <fmt/core.h>
#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <sstream>

// A tenant whose role may use SQL holds everything that it can get hold of, in a transaction that
// stays open. Nothing of another tenant, and nothing of the engine, waits for it.
namespace pawl::test {
namespace {

class HostileTenant : public ::testing::Test {
protected:
    HostileTenant() {
        session_.script("set client_min_messages = error; set statement_timeout = '3s'");
        // Roles belong to the whole cluster: one for each database.
        role_ = "evil_" + database_.name();
        session_.script(fmt::format(
            "insert into pawl.tenant (name) values ('acme'), ('evil'); create role {0} login; "
            "select pawl.bind_role('{0}', 'evil')",
            role_
        ));
        acme_ = session_.value("select id::text from pawl.tenant where name = 'acme'");
        evil_ = session_.value("select id::text from pawl.tenant where name = 'evil'");
        for (const std::string& tenant : {std::string("1"), acme_, evil_}) apply(tenant, 0);
        thief_ = std::make_unique<Session>(database_.url() + "&user=" + role_);
    }
    ~HostileTenant() override {
        thief_->script("rollback");
        thief_.reset();
        session_.script(fmt::format("drop owned by {0}; drop role {0}", role_));
    }

    void apply(const std::string& tenant, int n) {
        session_.script(fmt::format(
            R"(select pawl.apply_workflow('w', '{{"name": "w", "description": "{}", "steps": )"
            R"([{{"name": "a", "wait": {{"signal": "go"}}}}]}}', {}))",
            n,
            tenant
        ));
    }
    std::string started(const std::string& tenant) {
        session_.script(
            fmt::format("select pawl.use_tenant(t.name) from pawl.tenant t where id = {}", tenant)
        );
        const auto run = session_.value("select pawl.start('w')::text");
        session_.script("select pawl.use_tenant('default')");
        return run;
    }

    TestDatabase database_;
    Session& session_ = database_.session();
    std::unique_ptr<Session> thief_;  // logged in as a role of the tenant evil
    std::string role_, acme_, evil_;
};

// What the engine once locked by a number that every role can work out.
TEST_F(HostileTenant, GuessedLocksStopNoOther) {
    const auto run = started(acme_);
    thief_->script(fmt::format(
        "select pg_advisory_lock(hashtext('pawl.definition')), "
        "pg_advisory_lock(hashtext('pawl.calendar'), {0}), "
        "pg_advisory_lock(hashtext('pawl.ensure_partitions')), "
        "pg_advisory_lock(hashtextextended('pawl.lock 0 {0} k', 0)), "
        "pg_advisory_lock(hashtextextended('pawl.outbox_target', {0})), "
        "pg_advisory_lock(hashtext('pawl.release_triggers'), 0), pg_advisory_lock(7236871914)",
        acme_
    ));
    apply(acme_, 1);
    session_.script(fmt::format("select pawl.switch_workflow({}, 'w', 'why not')", acme_));
    session_.script(fmt::format("select pawl.switch_workflow({}, 'w', null)", acme_));
    session_.script(fmt::format(
        "select pawl.book_meeting({}, 'u', 't', 'd', 'a', now() + interval '1 day', 30)", acme_
    ));
    session_.script("select pawl.ensure_partitions(9)");
    session_.script("select pawl.drop_old_partitions('10 years')");
    EXPECT_EQ(
        session_.value(
            fmt::format("select pawl.enter_lock(0::smallint, {}, 'k', '{}', 1)::text", acme_, run)
        ),
        "true"
    );
    EXPECT_EQ(
        session_.value(fmt::format(
            "select pawl.leave_places(0::smallint, array['{}'::uuid], array[1], array['k'])::text",
            run
        )),
        "1"
    );
    session_.script(fmt::format(
        "insert into pawl.outbox_target (tenant, kind, address) values ({}, 'notify', 'told')",
        acme_
    ));
    session_.script("set statement_timeout = '60s'");
    session_.loop().run(store::migrate_up(session_.connection()));
}

TEST_F(HostileTenant, HeldEventsAreReleasedAllTheSame) {
    session_.script(fmt::format(
        "insert into pawl.trigger_held (bucket, tenant, id, reason, at) values (0, {}, 7, 'no "
        "room', now())",
        acme_
    ));
    thief_->script("select pg_advisory_lock(hashtext('pawl.release_triggers'), 0)");
    session_.script("select * from pawl.release_triggers(0::smallint)");
    EXPECT_EQ(session_.value("select count(*)::text from pawl.trigger_held"), "0");
}

TEST_F(HostileTenant, ATransactionThatStaysOpenStopsNoOther) {
    thief_->script(
        "begin; select pawl.start('w', correlation_id => 'x'), pawl.emit('order.paid', id => 'y'); "
        "select count(*) from pawl.workflow_executions"
    );
    apply(acme_, 1);
    apply("1", 1);
    const auto run = started(acme_);
    const auto before = session_.value("select now()::text");
    session_.script(fmt::format(
        "select pawl.switch_workflow({}, 'w', 'why not'), pawl.set_limit({}, 'w', 'a', null, 3)",
        acme_,
        acme_
    ));
    // Its partitions are made when it has gone; who asks for them waits a moment only, and so does
    // everything that comes behind.
    session_.value("select pawl.ensure_partitions(9)::text");
    EXPECT_EQ(
        session_.value(
            fmt::format("select (clock_timestamp() - '{}' < interval '2 s')::text", before)
        ),
        "true"
    );
    thief_->script("commit");
    EXPECT_GT(std::stoi(session_.value("select pawl.ensure_partitions(9)::text")), 0);
}

// The feed of a tenant waits for transactions that may still write to it, not for others.
TEST_F(HostileTenant, TheFeedOfAnotherDoesNotWaitForIt) {
    thief_->script("begin; select pawl.start('w')");
    const auto is_past_it = [this](const std::string& tenant) {
        return session_.value(fmt::format(
                   "select (max(e.at) > a.xact_start)::text from pg_stat_activity a, "
                   "pawl.tail_events(0::smallint, {}, now() - interval '1 minute', 100) e "
                   "where a.pid = {} group by a.xact_start",
                   tenant,
                   thief_->connection().backend_pid()
               )) == "true";
    };
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(30);
    bool past = false;
    while (!past && std::chrono::steady_clock::now() < deadline) past = is_past_it(acme_);
    EXPECT_TRUE(past);
    EXPECT_FALSE(is_past_it(evil_)) << "what it has not committed comes into its own feed";
}

TEST_F(HostileTenant, KeysOfTheEngineAreNotForSql) {
    const auto refused = [this](const std::string& call) {
        return thief_->refusal("select " + call).sqlstate;
    };
    EXPECT_EQ(refused("pawl.start('w', correlation_id => 'event:1')"), "42939");
    EXPECT_EQ(
        refused("pawl.start('w', correlation_id => 'schedule:1:2026-01-01T00:00:00Z')"), "42939"
    );
    EXPECT_EQ(
        refused("pawl.start('w', correlation_id => 'call:' || gen_random_uuid() || ':1')"), "42939"
    );
    EXPECT_EQ(refused("pawl.emit('a', id => gen_random_uuid() || ':7')"), "42939");
    thief_->script(
        "select pawl.start('w', correlation_id => 'call:17'), pawl.emit('a', id => 'b:7')"
    );
}

// The engine starts runs of many tenants in one batch, and one of them waits for a transaction that
// its tenant holds open.
TEST_F(HostileTenant, StartsOfOthersDoNotWaitForOneThatDoes) {
    thief_->script("begin; select pawl.start('w', correlation_id => 'held')");
    pg::PoolOptions options;
    options.connect.conninfo = database_.url();
    pg::Pool pool(session_.loop().context().get_executor(), options);
    store::PgStore store(pool);
    const auto run = [this](const std::string& tenant, std::string correlation) {
        store::NewRun made;
        made.id = RunId{fresh_id()};
        made.tenant = std::stoi(tenant);
        made.workflow =
            std::stoi(session_.value("select id::text from pawl.workflow where tenant = " + tenant)
            );
        made.version = 1;
        made.correlation = std::move(correlation);
        made.data =
            json::object{{"workflow", made.workflow}, {"version", 1}, {"input", json::object()}};
        return made;
    };
    store::StartBatch batch;
    batch.runs = {run(acme_, "a"), run(evil_, "held")};
    try {
        session_.loop().run(store.start_runs(batch));
        ADD_FAILURE() << "it did not wait";
    } catch (const Failure& failure) {
        EXPECT_NE(std::string(failure.what()).find("55P03"), std::string::npos) << failure.what();
    }
    batch.runs.pop_back();
    EXPECT_TRUE(session_.loop().run(store.start_runs(batch)).empty())
        << "nothing was started before";
}

TEST_F(HostileTenant, LatchesAreNotForRolesOfTenants) {
    EXPECT_EQ(thief_->refusal("select 1 from pawl.latch for update").sqlstate, "42501");
    EXPECT_EQ(thief_->refusal("select pawl.hold(1, 'definitions')").sqlstate, "42501");
    thief_->script("begin");
    EXPECT_EQ(thief_->refusal("lock table pawl.migration").sqlstate, "42501");
    thief_->script("rollback");
}

// A view that runs with its owner's rights gives them to LOCK TABLE too.
TEST_F(HostileTenant, NoRelationCanBeLockedAgainstOthers) {
    const auto relations = session_.value(
        "select string_agg(format('%I.%I', n.nspname, c.relname), ' ' order by 1) from pg_class c "
        "join pg_namespace n on n.oid = c.relnamespace where c.relkind in ('r', 'p', 'v') and "
        "n.nspname !~ '^(pg_|information_schema)' and not c.relispartition"
    );
    EXPECT_NE(relations.find("public.workflow_definitions"), std::string::npos) << relations;
    std::istringstream all(relations);
    for (std::string relation; all >> relation;) {
        for (const char* mode :
             {"row share",
              "row exclusive",
              "share update exclusive",
              "share",
              "share row exclusive",
              "exclusive",
              "access exclusive"}) {
            thief_->script("begin");
            const auto statement = fmt::format("lock table {} in {} mode nowait", relation, mode);
            EXPECT_EQ(thief_->refusal(statement).sqlstate, "42501") << statement;
            thief_->script("rollback");
        }
    }
    EXPECT_EQ(
        thief_->refusal("select 1 from pawl.fw_module_settings for update").sqlstate, "42501"
    );
}

// Limits of a definition count runs of its tenant, whatever scope it gives.
TEST_F(HostileTenant, GlobalLimitsCountTheirTenantAlone) {
    const auto gate = [this](const std::string& tenant) {
        return session_.value(fmt::format(
            R"(select pawl.flow_ticket('{{"concurrency": {{"limit": 1, "scope": "global", )"
            R"("name": "all"}}}}', {}, 5, '{{}}', null) -> 'slots' -> 0 ->> 0)",
            tenant
        ));
    };
    EXPECT_EQ(gate(acme_), acme_ + "/0/all/");
    EXPECT_EQ(gate(evil_), evil_ + "/0/all/");
    session_.script(
        "insert into pawl.flow_gate (bucket, gate, base, \"limit\", held) values (0, '0/0/all/', "
        "1, 1, 1)"
    );
    EXPECT_EQ(
        session_.value(
            fmt::format("select count(*)::text from pawl.list_limits({}, null, null, 10)", acme_)
        ),
        "0"
    ) << "a tenant does not learn how many runs others have";
}

}  // namespace
}  // namespace pawl::test
