#include "store/queue_database.hpp"

// What pgmq 1.5 does with messages, its schema does here.
namespace pawl::test {
namespace {

class PgmqMessages : public QueueTest {
protected:
    void SetUp() override { session_.script("select pgmq.create('q')"); }
};

TEST_F(PgmqMessages, EveryFormOfSendTellsItsNumberAndKeepsWhatItWasGiven) {
    session_.script("set timezone = 'utc'");
    EXPECT_EQ(all("select send::text from pgmq.send('q', '{\"a\": 1}')"), "1");
    EXPECT_EQ(all("select pgmq.send('q', '2', '{\"h\": 2}'::jsonb)::text"), "2");
    EXPECT_EQ(all("select pgmq.send('q', '3', 60)::text"), "3");
    EXPECT_EQ(all("select pgmq.send('q', '4', '2040-01-01'::timestamptz)::text"), "4");
    EXPECT_EQ(all("select pgmq.send('q', '5', '{\"h\": 5}'::jsonb, 60)::text"), "5");
    EXPECT_EQ(
        all("select pgmq.send('q', '6', '{\"h\": 6}'::jsonb, '2040-01-01'::timestamptz)::text"), "6"
    );
    EXPECT_EQ(
        all("select msg_id || ':' || message || ':' || coalesce(headers ->> 'h', '-') || ':' || "
            "case when vt <= clock_timestamp() then 'now' when vt < now() + interval '2 min' "
            "then 'soon' else vt::date::text end from pgmq.q_q order by msg_id"),
        "1:{\"a\": 1}:-:now 2:2:2:now 3:3:-:soon 4:4:-:2040-01-01 5:5:5:soon 6:6:6:2040-01-01"
    );
    EXPECT_EQ(one("(select read_ct from pgmq.q_q where msg_id = 1)"), "0");
}

TEST_F(PgmqMessages, EveryFormOfSendBatch) {
    const std::string two = "array['1', '2']::jsonb[]";
    const std::string headers = "array['{\"h\": 1}', '{\"h\": 2}']::jsonb[]";
    const auto send = [&](const std::string& arguments) {
        return all("select send_batch::text from pgmq.send_batch('q', " + arguments + ")");
    };
    EXPECT_EQ(send(two), "1 2");
    EXPECT_EQ(send(two + ", 60"), "3 4");
    EXPECT_EQ(send(two + ", '2040-01-01'::timestamptz"), "5 6");
    EXPECT_EQ(send(two + ", " + headers), "7 8");
    EXPECT_EQ(send(two + ", " + headers + ", 60"), "9 10");
    EXPECT_EQ(send(two + ", " + headers + ", '2040-01-01'::timestamptz"), "11 12");
    EXPECT_EQ(
        all("select message || coalesce(headers ->> 'h', '-') from pgmq.q_q order by msg_id"),
        "1- 2- 1- 2- 1- 2- 11 22 11 22 11 22"
    );
    EXPECT_EQ(one("(select count(*) from pgmq.q_q where vt <= now())"), "4");
    EXPECT_EQ(send("'{}'::jsonb[]"), "");
    EXPECT_EQ(send("null::jsonb[]"), "");
}

TEST_F(PgmqMessages, ListsOfDifferentLengthAreFilledWithNulls) {
    session_.script("select pgmq.send_batch('q', array['1', '2']::jsonb[], array['{}']::jsonb[])");
    session_.script("select pgmq.send_batch('q', array['3']::jsonb[], array['{}', '{}']::jsonb[])");
    EXPECT_EQ(
        all("select coalesce(message::text, 'null') || coalesce(headers::text, 'null') "
            "from pgmq.q_q order by msg_id"),
        "1{} 2null 3{} null{}"
    );
}

TEST_F(PgmqMessages, AReadHidesWhatItGivesAndCounts) {
    fill("q", 5);
    EXPECT_EQ(
        all("select msg_id || ':' || read_ct || ':' || message || ':' || "
            "(vt > clock_timestamp() + interval '29 s') from pgmq.read('q', 30, 2)"),
        "1:1:1:true 2:1:2:true"
    );
    EXPECT_EQ(all("select msg_id::text from pgmq.read('q', 0, 2)"), "3 4");
    EXPECT_EQ(all("select msg_id || ':' || read_ct from pgmq.read('q', 30, 9)"), "3:2 4:2 5:1");
    EXPECT_EQ(all("select msg_id::text from pgmq.read('q', 30, 9)"), "");
    EXPECT_EQ(all("select msg_id::text from pgmq.read('q', 30, 0)"), "");
}

TEST_F(PgmqMessages, ColumnsAndTheirTypes) {
    const auto columns = [&](const std::string& type) {
        return all(
            "select attname || ' ' || format_type(atttypid, atttypmod) || ',' "
            "from pg_attribute where attrelid = 'pgmq." +
            type + "'::regclass and attnum > 0 order by attnum"
        );
    };
    const std::string message =
        "msg_id bigint, read_ct integer, enqueued_at timestamp with time zone, "
        "vt timestamp with time zone, message jsonb, headers jsonb,";
    EXPECT_EQ(columns("message_record"), message);
    EXPECT_EQ(columns("q_q"), message);
    EXPECT_EQ(
        columns("a_q"),
        "msg_id bigint, read_ct integer, enqueued_at timestamp with time zone, "
        "archived_at timestamp with time zone, vt timestamp with time zone, message jsonb, "
        "headers jsonb,"
    );
    EXPECT_EQ(
        columns("queue_record"),
        "queue_name character varying, is_partitioned boolean, is_unlogged boolean, "
        "created_at timestamp with time zone,"
    );
    EXPECT_EQ(columns("meta"), columns("queue_record"));
    EXPECT_EQ(
        columns("metrics_result"),
        "queue_name text, queue_length bigint, newest_msg_age_sec integer, "
        "oldest_msg_age_sec integer, total_messages bigint, scrape_time timestamp with time zone, "
        "queue_visible_length bigint,"
    );
}

// The interface: what clients name in their calls.
TEST_F(PgmqMessages, SignaturesAreThoseOfPgmq) {
    const std::string found = boost::join(
        session_.column(
            "select proname || '(' || pg_get_function_arguments(oid) || ') ' || "
            "pg_get_function_result(oid) from pg_proc where pronamespace = 'pgmq'::regnamespace "
            "and proname !~ '^_' and proname in ('read', 'read_with_poll', 'pop', 'archive', "
            "'delete', 'metrics', 'create_partitioned', 'convert_archive_partitioned') order by 1"
        ),
        "\n"
    );
    EXPECT_EQ(
        found,
        "archive(queue_name text, msg_id bigint) boolean\n"
        "archive(queue_name text, msg_ids bigint[]) SETOF bigint\n"
        "convert_archive_partitioned(table_name text, partition_interval text DEFAULT "
        "'10000'::text, retention_interval text DEFAULT '100000'::text, leading_partition integer "
        "DEFAULT 10) void\n"
        "create_partitioned(queue_name text, partition_interval text DEFAULT '10000'::text, "
        "retention_interval text DEFAULT '100000'::text) void\n"
        "delete(queue_name text, msg_id bigint) boolean\n"
        "delete(queue_name text, msg_ids bigint[]) SETOF bigint\n"
        "metrics(queue_name text) pgmq.metrics_result\n"
        "pop(queue_name text) SETOF pgmq.message_record\n"
        "read(queue_name text, vt integer, qty integer, conditional jsonb DEFAULT '{}'::jsonb) "
        "SETOF pgmq.message_record\n"
        "read_with_poll(queue_name text, vt integer, qty integer, max_poll_seconds integer DEFAULT "
        "5, poll_interval_ms integer DEFAULT 100, conditional jsonb DEFAULT '{}'::jsonb) SETOF "
        "pgmq.message_record"
    );
}

TEST_F(PgmqMessages, AConditionalReadLeavesTheOthers) {
    session_.script(
        "select pgmq.send_batch('q', array['{\"k\": \"a\", \"n\": 1}', '{\"k\": \"b\"}', "
        "'{\"k\": \"a\", \"n\": 2}', null]::jsonb[])"
    );
    EXPECT_EQ(all("select msg_id::text from pgmq.read('q', 30, 9, '{\"k\": \"a\"}')"), "1 3");
    EXPECT_EQ(all("select msg_id::text from pgmq.read('q', 30, 9, '{\"k\": \"zz\"}')"), "");
    EXPECT_EQ(all("select msg_id::text from pgmq.read('q', 0, 9, null)"), "2 4");
    EXPECT_EQ(all("select msg_id::text from pgmq.read('q', 0, 9, conditional => '{}')"), "2 4");
    EXPECT_EQ(
        all("select msg_id::text from pgmq.read_with_poll('q', 0, 9, 1, 10, '{\"k\": \"b\"}')"), "2"
    );
}

TEST_F(PgmqMessages, APollingReadWaitsForAMessageAndNotLonger) {
    session_.script("select pgmq.send('q', '1', 1)");
    EXPECT_EQ(all("select msg_id::text from pgmq.read('q', 30, 1)"), "");
    EXPECT_EQ(all("select msg_id::text from pgmq.read_with_poll('q', 30, 5, 10, 20)"), "1");
    // The time is over before the first look.
    fill("q", 1);
    EXPECT_EQ(all("select msg_id::text from pgmq.read_with_poll('q', 30, 5, 0)"), "");
    EXPECT_EQ(all("select msg_id::text from pgmq.read_with_poll('q', 30, 5)"), "2");
    EXPECT_EQ(all("select msg_id::text from pgmq.read_with_poll('q', 30, 5, 1, 300)"), "");
}

TEST_F(PgmqMessages, PopTakesTheFirstVisible) {
    EXPECT_EQ(all("select msg_id::text from pgmq.pop('q')"), "");
    fill("q", 3);
    session_.script("select pgmq.read('q', 30, 1)");
    EXPECT_EQ(all("select msg_id || ':' || read_ct || ':' || message from pgmq.pop('q')"), "2:0:2");
    EXPECT_EQ(all("select msg_id::text from pgmq.q_q order by 1"), "1 3");
}

TEST_F(PgmqMessages, SetVtOfOneAndOfMany) {
    fill("q", 3);
    EXPECT_EQ(all("select msg_id::text from pgmq.set_vt('q', 99, 0)"), "");
    EXPECT_EQ(
        all("select msg_id || ':' || read_ct || ':' || (vt > clock_timestamp() + interval '99 s') "
            "from pgmq.set_vt('q', 1, 100)"),
        "1:0:true"
    );
    EXPECT_EQ(all("select msg_id::text from pgmq.set_vt('q', array[2, 3, 99], 100)"), "2 3");
    EXPECT_EQ(all("select msg_id::text from pgmq.read('q', 30, 9)"), "");
    // A client that leaves the types open, as pgmq-js does.
    session_.script("prepare untyped as select msg_id::text from pgmq.set_vt($1, $2, $3)");
    EXPECT_EQ(all("execute untyped('q', '2', '0')"), "2");
    EXPECT_EQ(all("execute untyped('q', '{1}', '0')"), "1");
    EXPECT_EQ(all("select msg_id::text from pgmq.read('q', 30, 9)"), "1 2");
}

TEST_F(PgmqMessages, DeleteAndArchive) {
    fill("q", 9);
    session_.script("update pgmq.q_q set headers = '{\"h\": 1}', read_ct = 4 where msg_id = 5");
    EXPECT_EQ(one("pgmq.delete('q', 1)"), "true");
    EXPECT_EQ(one("pgmq.delete('q', 1)"), "false");
    EXPECT_EQ(all("select delete::text from pgmq.delete('q', array[3, 2, 2, 1, -7])"), "2 3");
    EXPECT_EQ(one("pgmq.archive('q', 4)"), "true");
    EXPECT_EQ(one("pgmq.archive('q', 4)"), "false");
    EXPECT_EQ(all("select archive::text from pgmq.archive('q', array[6, 5, 4])"), "5 6");
    EXPECT_EQ(all("select msg_id::text from pgmq.q_q order by 1"), "7 8 9");
    EXPECT_EQ(
        all("select msg_id || ':' || read_ct || ':' || message || ':' || coalesce(headers::text, "
            "'-') from pgmq.a_q order by msg_id"),
        "4:0:4:- 5:4:5:{\"h\": 1} 6:0:6:-"
    );
    EXPECT_EQ(one("(select count(*) from pgmq.a_q where archived_at > now())"), "0");
    EXPECT_EQ(one("pgmq.purge_queue('q')"), "3");
    EXPECT_EQ(one("pgmq.purge_queue('q')"), "0");
    EXPECT_EQ(one("pgmq.send('q', '1')"), "10") << "numbers go on";
}

TEST_F(PgmqMessages, Metrics) {
    const std::string what =
        "queue_length || ' ' || coalesce(newest_msg_age_sec, -1) || ' ' || "
        "coalesce(oldest_msg_age_sec, -1) || ' ' || total_messages || ' ' || "
        "queue_visible_length";
    EXPECT_EQ(all("select " + what + " from pgmq.metrics('q')"), "0 -1 -1 0 0");
    fill("q", 5);
    session_.script(
        "select pgmq.delete('q', 1); select pgmq.read('q', 30, 1);"
        "update pgmq.q_q set enqueued_at = now() - interval '90 s' where msg_id = 3"
    );
    EXPECT_EQ(all("select " + what + " from pgmq.metrics('q')"), "4 0 90 5 3");
    session_.script("select pgmq.create('other')");
    EXPECT_EQ(
        all("select queue_name || ':' || queue_length from pgmq.metrics_all() order by 1"),
        "other:0 q:4"
    );
}

TEST_F(PgmqMessages, WhatIsWrittenInATransactionIsSentWithIt) {
    Session other(database_.url());
    session_.script("begin; select pgmq.send('q', '1')");
    EXPECT_EQ(other.value("select count(*)::text from pgmq.read('q', 30, 1)"), "0");
    session_.script("commit; begin");
    EXPECT_EQ(all("select msg_id::text from pgmq.read('q', 30, 1)"), "1");
    EXPECT_EQ(other.value("select count(*)::text from pgmq.read('q', 30, 1)"), "0") << "locked";
    session_.script("rollback");
    EXPECT_EQ(other.value("select read_ct::text from pgmq.read('q', 30, 1)"), "1");
}

}  // namespace
}  // namespace pawl::test
