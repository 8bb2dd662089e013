#include "store/watch_fixture.hpp"

// Rows that go from one tenant to another, and watched tables that get another name.
namespace pawl::test {
namespace {

using WatchMoves = Watched;

// What the one tenant had is not for the other one.
TEST_F(WatchMoves, ARowThatMovesToAnotherTenantComesWithoutItsOldValues) {
    watch();
    workflow("acme", "[{\"event\": \"ledger\"}]");
    workflow(
        "bolt",
        "[{\"event\": \"ledger\", \"conditions\": {\"old.t\": {\"operator\": \"not exists\"}}}, "
        "{\"event\": \"ledger\", \"conditions\": {\"old.t\": \"secret\"}}]"
    );
    const std::string said =
        "distinct concat_ws('/', i.tenant, i.data ->> 'operation', i.data ->> 'changed', "
        "i.data ->> 'old', i.data ->> 't')";
    for (const char* rows : {"1", "2", "60"}) {
        const auto says = [&] {
            take();
            return session_.value("select string_agg(" + said + ", ' ') from pawl.inbox i");
        };
        session_.script(fmt::format(
            "delete from ledger; insert into ledger select g, 'acme', 'ann', 1, 'secret' from "
            "generate_series(1, {}) g; delete from pawl.change_batch",
            rows
        ));
        session_.script("delete from pawl.inbox; update ledger set merchant = 'bolt', n = 2");
        EXPECT_EQ(says(), "3/UPDATE/[\"id\", \"merchant\", \"n\", \"person\", \"t\"]/secret")
            << rows;
        EXPECT_EQ(count("pawl.inbox"), rows);
        EXPECT_EQ(count("pawl.inbox where data -> 'old' = 'null'"), rows);
        // Another name of the same tenant.
        session_.script(
            "delete from pawl.inbox; update ledger set merchant = "
            "'00000000-0000-0000-0000-00000000000b'"
        );
        EXPECT_EQ(count("pawl.inbox where data -> 'old' ->> 't' = 'secret'"), rows);
        // A row of no tenant becomes one of a tenant.
        session_.script("update ledger set merchant = null; delete from pawl.change_batch");
        session_.script("delete from pawl.inbox; update ledger set merchant = 'acme'");
        EXPECT_EQ(count("pawl.inbox where tenant = 2 and data -> 'old' = 'null'"), rows);
    }
}

TEST_F(WatchMoves, ATableThatIsRenamedStaysWatchedUntilThatEnds) {
    workflow("acme", "[{\"event\": \"ledger\"}]");
    const auto insert = [&](const std::string& table) {
        session_.script(
            "delete from pawl.inbox; insert into " + table +
            " values (1, 'acme', 'ann', 1, 'x'); insert into " + table +
            " select g, 'acme', 'ann', 7, 'a' from generate_series(1, 60) g"
        );
        return count("pawl.inbox");
    };
    const auto listed = [&] {
        return session_.value(
            "select string_agg(source || coalesce(': ' || problem, ''), ' ') "
            "from pawl.list_watches(2)"
        );
    };
    const std::string triggers = "pg_trigger where tgname like 'pawl_watch%'";
    for (const char* name : {"public.ledger", "public.moved"}) {
        watch();
        session_.script("alter table ledger rename to moved");
        EXPECT_EQ(insert("moved"), "61");
        EXPECT_EQ(listed(), "public.moved");
        const std::string unwatch = fmt::format("select pawl.unwatch_table('{}')::text", name);
        EXPECT_EQ(session_.value(unwatch), "true");
        EXPECT_EQ(session_.value(unwatch), "false");
        EXPECT_EQ(count(triggers), "0");
        EXPECT_EQ(insert("moved"), "0");
        session_.script("alter table moved rename to ledger");
    }
    // The watch goes on by the new name, and its events have the old one.
    watch();
    session_.script(
        "alter table ledger rename to moved; select pawl.watch_table('moved', event => 'ledger', "
        "tenant => 'merchant')"
    );
    EXPECT_EQ(count("pawl.watch where table_name = 'moved'"), "1");
    EXPECT_EQ(count("pawl.watch"), "1");
    EXPECT_EQ(insert("moved"), "61");
}

// Tables are exchanged so: the one that has the name now is meant, and is to be watched again.
TEST_F(WatchMoves, ATableThatTakesTheNameOfAWatchedOneIsWatchedInItsPlace) {
    watch();
    session_.script(
        "create table fresh (like ledger); alter table ledger rename to worn; "
        "alter table fresh rename to ledger"
    );
    EXPECT_EQ(
        session_.value("select problem from pawl.list_watches(2)"),
        "the table has lost its trigger for DELETE, INSERT, UPDATE, or it is disabled: watch it "
        "again"
    );
    watch();
    EXPECT_EQ(
        session_.value("select string_agg(distinct tgrelid::regclass::text, ' ') from pg_trigger "
                       "where tgname like 'pawl_watch%'"),
        "ledger"
    );
}

}  // namespace
}  // namespace pawl::test
