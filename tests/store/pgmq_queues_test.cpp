#include "store/pg/migrate.hpp"
#include "store/queue_database.hpp"

// Queues come and go as they do in pgmq 1.5; partitioned ones need no pg_partman here.
namespace pawl::test {
namespace {

class PgmqQueues : public QueueTest {};

TEST_F(PgmqQueues, MadeListedAndDropped) {
    session_.script("select pgmq.create('a'); select pgmq.create('a')");
    session_.script("select pgmq.create_unlogged('b'); select pgmq.create_non_partitioned('c')");
    EXPECT_EQ(
        all("select queue_name || ' ' || is_partitioned || ' ' || is_unlogged || ' ' || "
            "(created_at <= now()) || ',' from pgmq.list_queues() order by 1"),
        "a false false true, b false true true, c false false true,"
    );
    EXPECT_EQ(
        all("select relname || ':' || relpersistence::text from pg_class where relnamespace = "
            "'pgmq'::regnamespace and relname in ('q_a', 'q_b', 'a_b') order by 1"),
        "a_b:p q_a:p q_b:u"
    );
    EXPECT_EQ(one("pgmq.drop_queue('a')"), "true");
    EXPECT_EQ(one("pgmq.drop_queue('a')"), "false");
    EXPECT_EQ(one("pgmq.drop_queue('b', false)"), "true");
    session_.script("select pgmq.detach_archive('c')");
    EXPECT_EQ(all("select queue_name from pgmq.meta"), "c");
    EXPECT_EQ(
        all("select tablename::text from pg_tables where schemaname = 'pgmq' "
            "and tablename ~ '^[qa]_' order by 1"),
        "a_c q_c"
    );
    session_.script("begin; select pgmq.create('gone'); rollback");
    EXPECT_EQ(all("select queue_name from pgmq.meta"), "c");
}

TEST_F(PgmqQueues, NamesAndTheirRules) {
    EXPECT_EQ(
        session_.refusal("select pgmq.create(repeat('a', 48))").message,
        "queue name is too long, maximum length is 47 characters"
    );
    session_.script("select pgmq.create(repeat('a', 47)); select pgmq.send(repeat('a', 47), '1')");
    EXPECT_EQ(one("(pgmq.metrics(repeat('a', 47))).total_messages"), "1");
    for (const std::string name : {"a$b", "a;b", "a--b", "a'b"}) {
        for (const std::string call : {"create(", "drop_queue(", "pop(", "purge_queue("}) {
            const auto detail = session_.refusal("select pgmq." + call + "$n$" + name + "$n$)");
            EXPECT_EQ(detail.message, "queue name contains invalid characters: $, ;, --, or \\'")
                << name;
            EXPECT_EQ(detail.sqlstate, "P0001");
        }
    }
    EXPECT_EQ(one("pgmq.format_table_name('Some-Queue', 'q')"), "q_some-queue");
    session_.script("select pgmq.create('Some-Queue'); select pgmq.send('some-queue', '1')");
    EXPECT_EQ(all("select msg_id::text from pgmq.read('SOME-QUEUE', 0, 1)"), "1");
    EXPECT_EQ(one("pgmq.archive('Some-Queue', 1)"), "true");
    EXPECT_EQ(all("select queue_name from pgmq.meta where queue_name ~ '-'"), "Some-Queue");
    session_.script("select pgmq.create('with space \"quoted\"')");
    EXPECT_EQ(one("pgmq.send('with space \"quoted\"', '1')"), "1");
}

TEST_F(PgmqQueues, OneThatDoesNotExist) {
    for (const std::string call :
         {"send('no', '1')",
          "read('no', 1, 1)",
          "pop('no')",
          "set_vt('no', 1, 1)",
          "delete('no', 1)",
          "delete('no', array[1])",
          "archive('no', 1)",
          "purge_queue('no')",
          "metrics('no')",
          "send_batch('no', array['1']::jsonb[])",
          "read_with_poll('no', 1, 1)"}) {
        const auto detail = session_.refusal("select pgmq." + call);
        EXPECT_EQ(detail.message, "relation \"pgmq.q_no\" does not exist") << call;
        EXPECT_EQ(detail.sqlstate, "42P01") << call;
    }
}

TEST_F(PgmqQueues, PartitionedByNumber) {
    session_.script("select pgmq.create_partitioned('p', '10', '20')");
    session_.script("select pgmq.create_partitioned('p', '10', '20')");
    EXPECT_EQ(all("select is_partitioned::text from pgmq.list_queues()"), "true");
    const std::string where =
        "select tableoid::regclass || ':' || count(*) from pgmq.q_p "
        "group by tableoid order by min(msg_id)";
    const auto send = [&](int n) {
        session_.script(fmt::format(
            "select pgmq.send_batch('p', array(select to_jsonb(i) from generate_series(1, {}) i))",
            n
        ));
    };
    send(15);
    EXPECT_EQ(all(where), "pgmq.q_p_p0:9 pgmq.q_p_p10:6");
    EXPECT_EQ(all("select msg_id::text from pgmq.read('p', 30, 3)"), "1 2 3");
    EXPECT_EQ(all("select msg_id::text from pgmq.read('p', 0, 2)"), "4 5");
    EXPECT_EQ(all("select archive::text from pgmq.archive('p', array[1, 12])"), "1 12");
    EXPECT_EQ(all("select delete::text from pgmq.delete('p', array[2, 13])"), "2 13");
    EXPECT_EQ(one("(select count(*) from pgmq.a_p)"), "2");
    // More than was made ahead: nothing is refused, and it finds its place later.
    send(45);
    EXPECT_EQ(
        all(where),
        "pgmq.q_p_p0:7 pgmq.q_p_p10:8 pgmq.q_p_p20:10 pgmq.q_p_p30:10 "
        "pgmq.q_p_p40:10 pgmq.q_p_default:11"
    );
    session_.script("select pgmq.maintain_partitions()");
    // 20 are kept behind number 60; what was older went whole.
    EXPECT_EQ(all(where), "pgmq.q_p_p40:10 pgmq.q_p_default:10 pgmq.q_p_p60:1");
    EXPECT_EQ(all("select msg_id::text from pgmq.read('p', 30, 1)"), "40");
    EXPECT_EQ(one("(pgmq.metrics('p')).total_messages"), "60");
    EXPECT_EQ(one("pgmq.purge_queue('p')"), "21");
    session_.script("select pgmq.drop_queue('p')");
    EXPECT_EQ(one("(select count(*) from pg_class where relname ~ '^[qa]_p')"), "0");
    EXPECT_EQ(one("(select count(*) from pgmq._partition)"), "0");
}

TEST_F(PgmqQueues, PartitionedByTime) {
    session_.script("select pgmq.create_partitioned('t', '1 hour', '3 hours')");
    session_.script("select pgmq.send_batch('t', array['1', '2', '3']::jsonb[])");
    EXPECT_EQ(one("(select count(distinct tableoid) from pgmq.q_t)"), "1");
    EXPECT_NE(all("select distinct tableoid::regclass::text from pgmq.q_t"), "pgmq.q_t_default");
    EXPECT_EQ(all("select msg_id::text from pgmq.read('t', 30, 2)"), "1 2");
    EXPECT_EQ(one("pgmq.archive('t', 1)"), "true");
    EXPECT_EQ(one("pgmq.delete('t', 2)"), "true");
    // A message from the day before yesterday goes with the retention, one of today stays.
    session_.script("update pgmq.q_t set enqueued_at = now() - interval '2 days' where msg_id = 3");
    session_.script("select pgmq.send('t', '4'); select pgmq.maintain_partitions()");
    EXPECT_EQ(all("select msg_id::text from pgmq.q_t"), "4");
    EXPECT_EQ(one("(select count(*) from pgmq.a_t)"), "1");
    const auto detail = session_.refusal("select pgmq.create_partitioned('u', 'often', '1 day')");
    EXPECT_EQ(detail.message, "invalid input syntax for type interval: \"often\"");
    EXPECT_EQ(session_.refusal("select pgmq.create_partitioned('u', '0', '10')").sqlstate, "22023");
}

TEST_F(PgmqQueues, AnArchiveBecomesPartitionedAndKeepsWhatItHad) {
    fill("q", 3);
    session_.script("select pgmq.archive('q', 1); select pgmq.convert_archive_partitioned('q')");
    session_.script("select pgmq.convert_archive_partitioned('q')");  // notes it, and that is all
    session_.script("select pgmq.convert_archive_partitioned('none')");
    session_.script("select pgmq.archive('q', 2)");
    EXPECT_EQ(all("select tableoid::regclass || ':' || msg_id from pgmq.a_q"), "pgmq.a_q_p0:2");
    EXPECT_EQ(all("select msg_id::text from pgmq.a_q_old"), "1");
}

// --- Whose schema it is -------------------------------------------------------------------------

TEST_F(PgmqQueues, ASchemaNotMadeByPawlIsLeftAsItIs) {
    TestDatabase theirs(TestDatabase::Content::empty);
    Session& session = theirs.session();
    session.script("create schema pgmq; create table pgmq.meta (theirs int)");
    session.loop().run(store::migrate_up(session.connection()));
    EXPECT_EQ(
        session.value("select count(*)::text from pg_proc where pronamespace = 'pgmq'::regnamespace"
        ),
        "0"
    );
    EXPECT_EQ(
        session.value("select count(*)::text from pg_class where relnamespace = "
                      "'pgmq'::regnamespace"),
        "1"
    );
    EXPECT_EQ(session.value("select count(*)::text from pawl.migration where name ~ 'pgmq'"), "1");
}

}  // namespace
}  // namespace pawl::test
