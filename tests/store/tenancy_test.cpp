#include "support/database.hpp"

#include <fmt/core.h>
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

// Tenants and the database: what the catalog must say about every table and function, and two
// tenants who try everything against each other. New tables and functions come in by themselves.
namespace pawl::test {
namespace {

class Catalog : public ::testing::Test {
protected:
    // Rows of a lint query are what is wrong.
    void expect_none(const std::string& what, const std::string& sql) {
        for (const auto& found : session_.column(sql)) ADD_FAILURE() << what << ": " << found;
    }

    TestDatabase database_;
    Session& session_ = database_.session();
};

constexpr const char* tables =
    " from pg_class c where c.relnamespace = 'pawl'::regnamespace and c.relkind in ('r', 'p') "
    "and not c.relispartition ";
constexpr const char* functions =
    " from pg_proc p where p.pronamespace = 'pawl'::regnamespace and p.prokind = 'f' ";

TEST_F(Catalog, EveryTableHasRowSecurityForcedAndAPolicyForWorkers) {
    expect_none(
        "no row-level security",
        fmt::format(
            "select c.relname::text {} and not (c.relrowsecurity and c.relforcerowsecurity)", tables
        )
    );
    expect_none(
        "workers cannot use it; run pawl.secure()",
        fmt::format(
            "select c.relname::text {} and not exists (select 1 from pg_policy y where "
            "y.polrelid = c.oid and y.polname = 'engine') ",
            tables
        )
    );
}

// Tables whose rows are no tenant's, or that no request may see. Others need a rule in
// pawl.row_condition: it reads the columns tenant, (bucket, run_id), workflow, (bucket, task).
TEST_F(Catalog, EveryTableSaysWhoseItsRowsAre) {
    expect_none(
        "no policy for tenants, and not among the exceptions",
        fmt::format(
            "select c.relname::text {} and not exists (select 1 from pg_policy y "
            "where y.polrelid = c.oid and y.polname = 'tenant') and c.relname not in ("
            "'api_key', "  // looked up before the caller is known
            "'session', "  // likewise
            "'session_ticket', "
            "'member', "       // of all tenants of a person; looked up likewise
            "'tenant_role', "  // says who is whose: for the owner of the schema
            "'worker', "       // processes
            "'figures', "      // counts of everything, for operators
            "'migration', "    // of the schema
            "'sql_text', "
            "'retention', "  // which week goes, and what of it changed meanwhile
            "'retention_late', "
            "'condition_table', "  // an allow-list of the owner, read by all who run conditions
            "'person_redaction', "
            "'person_source', "  // names tables that are read with rights of the owner
            "'action', "         // statements that run with rights of the engine
            "'watch', "          // which tables of the database are watched
            "'wrap_key', "       // keys of the server
            "'mark_key', "
            "'projector', "      // how far the counts of the log are
            "'inbox_pending', "  // numbers of events; queues of the engine
            "'trigger_pending', "
            "'subscription_check')",  // numbers of runs; another one
            tables
        )
    );
}

TEST_F(Catalog, NoRoleHasGrantsOnPartitions) {
    expect_none(
        "a partition can be read past the policies of its parent",
        "select c.relname::text from pg_class c cross join aclexplode(c.relacl) g "
        "where c.relnamespace = 'pawl'::regnamespace and c.relispartition "
        "and g.grantee <> c.relowner"
    );
}

TEST_F(Catalog, FunctionsPinTheirSearchPath) {
    // Those with an SQL body were resolved when they were made.
    expect_none(
        "no search_path",
        fmt::format(
            "select p.oid::regprocedure::text {} and p.prosqlbody is null and not exists "
            "(select 1 from unnest(p.proconfig) s where s like 'search_path=pg_catalog%')",
            functions
        )
    );
    expect_none(
        "temporary tables and types could stand in for pg_catalog's where it is called by one that "
        "runs as its owner",
        fmt::format(
            "select p.oid::regprocedure::text {} and p.prosqlbody is null and not exists "
            "(select 1 from unnest(p.proconfig) s where s like 'search_path=pg_catalog%, pg_temp')",
            functions
        )
    );
}

TEST_F(Catalog, PublicMayRunNoFunction) {
    expect_none(
        "PUBLIC may execute it; run pawl.secure()",
        fmt::format(
            "select p.oid::regprocedure::text {} and (p.proacl is null or exists "
            "(select 1 from aclexplode(p.proacl) g where g.grantee = 0))",
            functions
        )
    );
    // A function that runs as the owner sees all tenants, so it must ask which one may.
    expect_none(
        "runs as its owner for requests or tenants, and does not ask for the tenant",
        fmt::format(
            "select p.oid::regprocedure::text {} and p.prosecdef and exists (select 1 from "
            "aclexplode(p.proacl) g where g.grantee in ('pawl_api'::regrole, "
            "'pawl_user'::regrole)) and p.prosrc !~ "
            "'pawl\\.(require|current|sql|organization)_tenant\\(' "
            "and p.proname not in ('is_engine', 'current_tenant')",
            functions
        )
    );
    expect_none(
        "given to roles of tenants, and not meant for them",
        fmt::format(
            "select p.oid::regprocedure::text {} and exists (select 1 from aclexplode(p.proacl) g "
            "where g.grantee = 'pawl_user'::regrole) and p.provolatile <> 'i' and p.proname not "
            "in ('start', 'start_many', 'emit', 'signal', 'cancel', 'status', 'result', "
            "'is_engine', 'session_role', 'current_tenant', 'fw_has_org_access', "
            "'fw_enqueue_form_submission_automation', 'fw_claim_queued_executions', "
            "'fw_finish_execution') and p.proname !~ '^execution_'",  // of a view, as its reader
            functions
        )
    );
}

TEST_F(Catalog, RolesOwnNothingAndAreHeldByThePolicies) {
    expect_none(
        "has a right that it must not have",
        "select rolname::text from pg_roles where rolname in ('pawl_worker', 'pawl_api', "
        "'pawl_user') and (rolsuper or rolbypassrls or rolcreaterole or rolcreatedb or rolcanlogin)"
    );
    expect_none(
        "owned by a role that works",
        "select c.relname::text from pg_class c join pg_roles r on r.oid = c.relowner "
        "where r.rolname in ('pawl_worker', 'pawl_api', 'pawl_user')"
    );
    expect_none(
        "can be made to show rows before it has looked whose they are",
        "select c.relname::text from pg_class c where c.relnamespace = 'pawl'::regnamespace "
        "and c.relkind = 'v' and c.relacl is not null and not coalesce(c.reloptions && "
        "'{security_barrier=true, "
        "security_invoker=true}', false)"
    );
}

TEST_F(Catalog, SecuringAgainChangesNothing) {
    const std::string state =
        "select md5(string_agg(x, ',' order by x)) from (select polname || polrelid || oid as x "
        "from pg_policy union all select relname || coalesce(relacl::text, '') from pg_class "
        "where relnamespace = 'pawl'::regnamespace union all select oid || proacl::text from "
        "pg_proc where pronamespace = 'pawl'::regnamespace) as s";
    const auto before = session_.value(state);
    EXPECT_TRUE(session_.column("select secure from pawl.secure()").empty());
    EXPECT_EQ(session_.value(state), before);
}

// --- Two tenants --------------------------------------------------------------------------------

class TwoTenants : public Catalog {
protected:
    TwoTenants() {
        std::ifstream file(PAWL_SOURCE_DIR "/sql/tests/two_tenants.sql");
        std::stringstream text;
        text << file.rdbuf();
        session_.script(text.str());
        session_.script("set client_min_messages = error");
    }
    // How often the thief succeeds with what `sql` tries.
    void expect_refused(const std::string& attempt, const std::string& from) {
        expect_none(
            "the thief got through",
            fmt::format(
                "select r from (select {} as r from {} offset 0) as tried where r is not null",
                attempt,
                from
            )
        );
    }
};

TEST_F(TwoTenants, TheVictimHasARowInEveryTable) {
    expect_none(
        "nothing to steal: add a row of it to two_tenants.sql", "select name from attack.empty()"
    );
    EXPECT_GT(std::stoi(session_.value("select count(*)::text from attack.call")), 150);
}

TEST_F(TwoTenants, RequestsOfOneGetNothingOfTheOtherByAnyFunction) {
    expect_refused("attack.try('pawl_api', statement)", "attack.call");
}

TEST_F(TwoTenants, RequestsOfOneGetNothingOfTheOtherByAnyTable) {
    expect_refused("attack.try('pawl_api', statement)", "attack.touch");
    expect_refused("attack.try_insert('pawl_api', name)", "attack.tenant_table");
}

// This one also says that it is the other tenant: set pawl.tenant.
TEST_F(TwoTenants, SqlUsersOfOneGetNothingOfTheOther) {
    expect_refused("attack.try('attack_thief', statement)", "attack.call");
    expect_refused("attack.try('attack_thief', statement)", "attack.touch");
    expect_refused("attack.try_insert('attack_thief', name)", "attack.tenant_table");
}

// The test itself: with a hole in the wall it must see the thief.
TEST_F(TwoTenants, AHoleIsSeen) {
    const auto seen = [this](const std::string& hole, const std::string& from) {
        session_.script("begin");
        session_.script(hole);
        const auto caught = session_.value(fmt::format(
            "select count(*)::text from (select attack.try('pawl_api', statement) as r from {} "
            "offset 0) as tried where r is not null",
            from
        ));
        session_.script("rollback");
        return std::stoi(caught);
    };
    const auto touches = [](const std::string& table) {
        return "attack.touch where name = 'pawl." + table + "'::regclass";
    };
    EXPECT_GT(
        seen("alter table pawl.dead_letter disable row level security", touches("dead_letter")), 1
    );
    EXPECT_GT(seen("create policy hole on pawl.job to pawl_api using (true)", touches("job")), 0);
    EXPECT_GT(
        seen(
            "create or replace function pawl.require_tenant(p_tenant int) returns void "
            "language sql stable set search_path = pg_catalog as ''",
            "attack.call"
        ),
        4
    );
    EXPECT_GT(
        seen(
            "alter function pawl.find_run security definer",
            "attack.call where proname = 'find_run'"
        ),
        0
    );
}

TEST_F(TwoTenants, ARoleWithoutATenantIsToldSo) {
    session_.script(
        "do $$ begin create role attack_nobody; exception when duplicate_object or "
        "unique_violation then null; end $$; grant pawl_user to attack_nobody; "
        "set role attack_nobody; set pawl.tenant = '1'"
    );
    EXPECT_EQ(session_.value("select coalesce(pawl.current_tenant()::text, 'none')"), "none");
    EXPECT_EQ(session_.value("select count(*)::text from pawl.workflow_executions"), "0");
    try {
        session_.value("select pawl.start('secret_flow')::text");
        FAIL() << "it was started";
    } catch (const std::exception& refused) {
        EXPECT_NE(
            std::string(refused.what()).find("attack_nobody belongs to no tenant"),
            std::string::npos
        ) << refused.what();
    }
}

TEST_F(TwoTenants, SqlUsersStartAndSeeTheirOwnRuns) {
    session_.script("set role attack_thief");
    const auto run = session_.value("select pawl.start('thief_flow')::text");
    EXPECT_EQ(
        session_.value(
            "select workflow_name from pawl.workflow_executions where id = '" + run + "'"
        ),
        "thief_flow"
    );
    session_.script(
        "update public.workflow_executions set status = 'cancelled' where id = '" + run + "'"
    );
    session_.script("reset role");
    EXPECT_EQ(
        session_.value("select kind from pawl.signal where run_id = '" + run + "'"), "cancel"
    );
    EXPECT_EQ(
        session_.value(
            "select t.name from pawl.live_run l join pawl.tenant t on t.id = l.tenant "
            "where l.run_id = '" +
            run + "'"
        ),
        "thief-org"
    );
}

}  // namespace
}  // namespace pawl::test
