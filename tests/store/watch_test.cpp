#include "store/watch_fixture.hpp"

// Changes of watched tables: which become events, and what these say.
namespace pawl::test {
namespace {

using Watch = Watched;

const std::string wants_all = "[{\"event\": \"ledger\"}]";

TEST_F(Watch, ARowBecomesAnEventOfItsTenant) {
    watch();
    workflow("acme", wants_all);
    session_.script(
        "insert into ledger values (1, 'acme', 'ann', 7, 'earn'), (2, 'bolt', 'eve', 7, 'earn'),"
        "(3, '00000000-0000-0000-0000-00000000000a', null, 7, 'earn'), (4, 'unknown', 'x', 7, 'y')"
    );
    EXPECT_EQ(
        events("concat_ws('/', i.tenant, i.name, i.key, i.subject, i.source)"),
        "2/ledger/ann/ann/public.ledger 2/ledger//public.ledger"
    );
    EXPECT_EQ(
        events("i.data::text", "i.key = 'ann'"),
        "{\"n\": 7, \"t\": \"earn\", \"id\": 1, \"person\": \"ann\", \"source\": \"ledger\", "
        "\"merchant\": \"acme\", \"operation\": \"INSERT\"}"
    );
    EXPECT_EQ(count("pawl.trigger_pending"), "2");
    EXPECT_EQ(count("pawl.inbox_pending q cross join unnest(q.id || q.more)"), "2");
    EXPECT_EQ(count("pawl.inbox where event_id not like 'watch:%'"), "0");
}

TEST_F(Watch, WhatNoWorkflowWantsWritesNothing) {
    watch();
    workflow(
        "acme",
        "[{\"event\": \"ledger\", \"operation\": [\"INSERT\"], \"conditions\": "
        "{\"t\": \"earn\", \"n\": {\"operator\": \">=\", \"value\": 100}}}]"
    );
    for (const char* rows : {"2", "200"}) {
        session_.script(fmt::format(
            "insert into ledger select g, 'acme', 'p' || g, 98 + g % 3, 'earn' from "
            "generate_series(1, {}) g; update ledger set n = n + 1000; delete from ledger",
            rows
        ));
    }
    EXPECT_EQ(count("pawl.inbox"), "68");
    EXPECT_EQ(count("pawl.inbox where data ->> 'n' <> '100'"), "0");
    session_.script(
        "update pawl.definition set active = false; delete from pawl.inbox; delete from "
        "pawl.change_batch"
    );
    session_.script("insert into ledger values (1, 'acme', 'ann', 100, 'earn')");
    EXPECT_EQ(count("pawl.inbox"), "0");
}

// A statement for each row, which takes the first wish that it finds for the only one.
TEST_F(Watch, ASingleRowIsMeasuredByAllWishesOfItsTenant) {
    const auto wants = [&](const char* tenant, const std::string& t) {
        const std::string conditions = "{\"t\": \"" + t + "\"}";
        workflow(tenant, "[{\"event\": \"ledger\", \"conditions\": " + conditions + "}]", t);
    };
    wants("acme", "x");
    wants("bolt", "y");
    wants("acme", "z");
    const auto insert_each = [&] {
        session_.script("delete from pawl.inbox");
        for (const char* merchant : {"acme", "bolt", "gone"}) {
            for (const char* t : {"x", "y", "z", "other"}) {
                session_.script(
                    fmt::format("insert into ledger values (1, '{}', 'ann', 7, '{}')", merchant, t)
                );
            }
        }
        return events("i.tenant || (i.data ->> 'merchant') || (i.data ->> 't')");
    };
    watch();
    EXPECT_EQ(insert_each(), "2acmex 2acmez 3bolty");
    // All rows are of one tenant, and its bucket is known to the trigger; to old ones it is not.
    session_.script(
        "update pawl.watch set tenant = 2, tenant_column = null;"
        "select pawl.put_triggers('ledger'::regclass, '{INSERT}', id) from pawl.watch"
    );
    const std::string all = "2acmex 2acmez 2boltx 2boltz 2gonex 2gonez";
    EXPECT_EQ(insert_each(), all);
    session_.script(
        "drop trigger pawl_watch_insert on ledger; do $$ begin execute format('create trigger "
        "pawl_watch_insert after insert on ledger referencing new table as pawl_new for each "
        "statement execute function pawl.note_inserts(%s)', (select regexp_replace("
        "pawl.watch_arguments(id, 'INSERT'), ', [^,]*$', '') from pawl.watch)); end $$"
    );
    EXPECT_EQ(insert_each(), all);
}

TEST_F(Watch, AnUpdateSaysWhatHasChanged) {
    watch();
    workflow("acme", "[{\"event\": \"ledger\", \"operation\": [\"UPDATE\", \"DELETE\"]}]");
    session_.script(
        "insert into ledger values (1, 'acme', 'ann', 1, 'a'), (2, 'acme', 'bob', 1, 'b');"
        "update ledger set n = 2, t = 'c' where id = 1; update ledger set n = n, t = t;"
        "delete from ledger where id = 2"
    );
    const std::string said =
        "concat_ws('/', i.data ->> 'operation', i.data ->> 'changed', i.data -> 'old' ->> 't', "
        "i.data -> 'new' ->> 't', i.data ->> 't')";
    EXPECT_EQ(events(said), "UPDATE/[\"n\", \"t\"]/a/c/c DELETE/b/b");
}

TEST_F(Watch, TheOldAndTheNewRowBelongTogetherAlsoWhenPartitionsChange) {
    session_.script(
        "create table parts (id int, merchant text, k int) partition by list (k);"
        "create table parts1 partition of parts for values in (1);"
        "create table parts2 partition of parts for values in (2);"
        "select pawl.watch_table('parts', tenant => 'merchant', subject => 'id')"
    );
    workflow("acme", "[{\"event\": \"parts\"}]");
    for (const char* rows : {"4", "300"}) {
        session_.script(fmt::format(
            "delete from pawl.inbox; delete from pawl.change_batch; truncate parts; insert into "
            "parts select g, 'acme', 1 + g % 2 "
            "from generate_series(1, {}) g; update parts set k = 3 - k",
            rows
        ));
        EXPECT_EQ(count("pawl.inbox where data ->> 'operation' = 'INSERT'"), rows);
        EXPECT_EQ(
            count("pawl.inbox where data ->> 'operation' = 'UPDATE' and data -> 'changed' = "
                  "'[\"k\"]' and data -> 'old' -> 'id' = data -> 'new' -> 'id'"),
            rows
        );
    }
}

TEST_F(Watch, AnUpsertIsWhatItDidToEachRow) {
    session_.script(
        "create table stock (id int primary key, n int);"
        "select pawl.watch_table('stock', subject => 'id', for_tenant => 'bolt')"
    );
    workflow("bolt", "[{\"event\": \"stock\"}]");
    session_.script(
        "insert into stock values (1, 1), (2, 2); delete from pawl.inbox; delete from "
        "pawl.change_batch;"
        "insert into stock values (1, 1), (2, 9), (3, 3) on conflict (id) do update "
        "set n = excluded.n"
    );
    EXPECT_EQ(events("i.key || (i.data ->> 'operation')"), "2UPDATE 3INSERT");
}

// One by one and all at once are two ways through the database; both decide and say the same.
TEST_F(Watch, ManyRowsAreTakenInAsFewAre) {
    session_.script(
        "create table wide (id int, merchant text, n int, t text, x numeric, d timestamptz, "
        "u uuid, a text[], j jsonb, r json, b boolean, f float8, v varchar(9), c char(4));"
        "create table source_rows as select g as id, case g % 3 when 0 then 'acme' when 1 then "
        "'00000000-0000-0000-0000-00000000000a' else 'unknown' end as merchant, nullif(g % 40, 7) "
        "as n, case when g % 5 > 0 then md5(g::text) end as t, g / 3.0 as x, now() as d, "
        "gen_random_uuid() as u, array['a'] as a, jsonb_build_object('k', g) as j, "
        "'{\"r\":  1}'::json as r, g % 2 = 0 as b, g / 7.0::float8 as f, 'v' || g % 4 as v, "
        "'c' as c from generate_series(1, 300) as g;"
        "select pawl.watch_table('wide', tenant => 'merchant', subject => 'u')"
    );
    workflow(
        "acme",
        "[{\"event\": \"wide\", \"operation\": \"INSERT\", \"conditions\": {\"n\": {\"operator\": "
        "\"!=\", \"value\": 9}, \"t\": {\"operator\": \"contains\", \"value\": \"a\"}, \"v\": "
        "{\"operator\": \"not in\", \"value\": [\"v1\"]}, \"b\": true}}, {\"event\": \"wide\", "
        "\"operation\": \"UPDATE\", \"conditions\": {\"changed\": {\"operator\": \"contains\", "
        "\"value\": \"n\"}}}, {\"event\": \"wide\", \"operation\": \"UPDATE\", \"conditions\": "
        "{\"old.x\": {\"operator\": \"between\", \"value\": [3, 9]}, \"new.t\": {\"operator\": "
        "\"exists\"}}}, {\"event\": \"wide\", \"operation\": \"DELETE\", \"conditions\": {\"d\": "
        "{\"operator\": \">\", \"value\": \"2020\"}}}]"
    );
    const std::string changes[] = {
        "insert into wide select * from source_rows {}",
        "update wide set n = n + id % 2, t = t || 'z', a = array['q'] {}",
        "delete from wide {}"};
    const auto run = [&](bool one_by_one) {
        session_.script("delete from pawl.inbox; delete from pawl.change_batch; truncate wide");
        for (const std::string& change : changes) {
            if (!one_by_one) {
                session_.script(fmt::format(fmt::runtime(change), ""));
                continue;
            }
            session_.script(
                "do $$ begin for i in 1 .. 300 loop " +
                fmt::format(fmt::runtime(change), "where id = i") + "; end loop; end $$"
            );
        }
        take();
        return session_.column("select i.key || ' ' || i.data::text from pawl.inbox i order by 1");
    };
    const auto few = run(true);
    EXPECT_GT(few.size(), 300u);
    EXPECT_LT(few.size(), 550u);
    EXPECT_EQ(run(false), few);
}

TEST_F(Watch, ColumnsThatAreCalledLikeMembersOfAnEventAreFoundBelow) {
    session_.script(
        "create table odd (id int, source text, operation text, n int, o int, x int, r int, t int);"
        "select pawl.watch_table('odd', subject => 'source', for_tenant => 'acme')"
    );
    workflow("acme", "[{\"event\": \"odd\"}]");
    for (const char* rows : {"1", "60"}) {
        session_.script(
            "delete from pawl.inbox; delete from pawl.change_batch; insert into odd select g, "
            "'web', 'buy', 1, 2, 3, 4, 5 from "
            "generate_series(1, " +
            std::string(rows) + ") g"
        );
        EXPECT_EQ(
            events(
                "concat_ws('/', i.key, i.data ->> 'source', i.data ->> 'operation', i.data ->> "
                "'x', "
                "i.data -> 'new' ->> 'source', i.data -> 'new' ->> 'operation')",
                "i.data ->> 'id' = '1'"
            ),
            "web/odd/INSERT/3/web/buy"
        );
    }
}

// A trigger has been told what the columns were when the table was watched.
TEST_F(Watch, ColumnsThatAreAddedLaterAreSeen) {
    session_.script(
        "create table late (id int, who text);"
        "select pawl.watch_table('late', subject => 'who', for_tenant => 'acme');"
        "alter table late add new text, add source text"
    );
    workflow("acme", "[{\"event\": \"late\"}]");
    for (const char* rows : {"1", "2", "60"}) {
        session_.script(
            "delete from pawl.inbox; insert into late select g, 'ann', 'x', 'web' from "
            "generate_series(1, " +
            std::string(rows) + ") g"
        );
        session_.script("update late set id = id + 100");
        session_.script("delete from late");
        EXPECT_EQ(
            events(
                "concat_ws('/', i.key, i.data ->> 'source', i.data ->> 'operation', i.data -> "
                "'new' ->> 'source')",
                "i.data ->> 'id' in ('1', '101')"
            ),
            "ann/late/INSERT/web ann/late/UPDATE/web ann/late/DELETE"
        );
    }
}

TEST_F(Watch, WhatARunMayWaitForIsWantedToo) {
    watch();
    session_.script(
        "insert into pawl.definition (tenant, name, steps, settings) select t.id, 'waits', "
        "'[{\"id\": \"w\", \"type\": \"wait\", \"config\": {\"event\": \"ledger\"}}]', "
        "'{\"nodes\": true, \"edges\": []}' from pawl.tenant t where t.name = 'bolt';"
        "insert into ledger values (1, 'acme', 'ann', 7, 'a'), (2, 'bolt', 'eve', 7, 'a')"
    );
    EXPECT_EQ(events("i.key"), "eve");
    EXPECT_EQ(count("pawl.trigger_pending"), "0");
}

TEST_F(Watch, ARoleThatMayInsertNeedsNoOtherRight) {
    watch();
    workflow("acme", wants_all);
    session_.script(
        "do $$ begin create role watch_inserter; exception when duplicate_object or "
        "unique_violation then null; end $$; grant insert on ledger to watch_inserter;"
        "set role watch_inserter; insert into ledger values (1, 'acme', 'ann', 7, 'a');"
        "insert into ledger select g, 'acme', 'ann', 7, 'a' from generate_series(1, 60) g;"
        "reset role; revoke insert on ledger from watch_inserter"
    );
    EXPECT_EQ(count("pawl.inbox"), "61");
}

TEST_F(Watch, WhatCannotBeWatchedIsRefusedAndNothingSaved) {
    session_.script("create view seen as select * from ledger");
    const auto wrong = [this](const std::string& arguments) {
        const auto said = session_.refusal("select pawl.watch_table(" + arguments + ")");
        EXPECT_FALSE(said.hint.empty()) << arguments;
        return said.message;
    };
    EXPECT_EQ(wrong("'seen'"), "public.seen is not a table");
    EXPECT_EQ(wrong("'nowhere'"), "there is no table public.nowhere");
    EXPECT_EQ(
        wrong("'ledger', tenant => 'shop', subject => 'who'"),
        "the table public.ledger has no column 'shop', 'who'"
    );
    EXPECT_EQ(
        wrong("'ledger', operations => '{TRUNCATE}'"),
        "operations must be some of INSERT, UPDATE and DELETE, not {TRUNCATE}"
    );
    EXPECT_EQ(wrong("'ledger', event => 'pawl.x'"), "'pawl.x' cannot be the name of an event");
    EXPECT_EQ(wrong("'pawl.inbox'"), "pawl.inbox is the engine's own");
    EXPECT_EQ(count("pawl.watch"), "0");
    EXPECT_EQ(count("pg_trigger where tgname like 'pawl_watch%'"), "0");
}

TEST_F(Watch, WatchingAgainReplacesAndUnwatchingEndsIt) {
    watch();
    watch(", operations => '{insert}', event => 'points'");
    workflow("acme", "[{\"event\": \"points\"}]");
    EXPECT_EQ(count("pawl.watch"), "1");
    EXPECT_EQ(count("pg_trigger where tgname like 'pawl_watch%'"), "1");
    session_.script("insert into ledger values (1, 'acme', 'ann', 7, 'a'); delete from ledger");
    EXPECT_EQ(events("i.name || (i.data ->> 'operation')"), "pointsINSERT");
    EXPECT_EQ(session_.value("select pawl.unwatch_table('ledger')::text"), "true");
    EXPECT_EQ(session_.value("select pawl.unwatch_table('ledger')::text"), "false");
    session_.script("insert into ledger values (1, 'acme', 'ann', 7, 'a')");
    EXPECT_EQ(count("pawl.inbox"), "1");
}

TEST_F(Watch, AColumnThatWasDroppedGivesNothingToOtherTenants) {
    watch();
    workflow("acme", wants_all);
    session_.script("alter table ledger drop column merchant");
    session_.script("insert into ledger values (1, 'ann', 7, 'a')");
    session_.script("insert into ledger select g, 'ann', 7, 'a' from generate_series(1, 60) g");
    EXPECT_EQ(count("pawl.inbox"), "0");
}

}  // namespace
}  // namespace pawl::test
