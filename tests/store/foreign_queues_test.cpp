#include "store/pg/migrate.hpp"
#include "store/repos/queues.hpp"
#include "support/database.hpp"
#include "support/runs.hpp"

#include <gtest/gtest.h>

// A database that has a pgmq of its own, as the extension would be before 1.5: no headers, a delay
// with a default, no batch of set_vt. It is left alone, and used.
namespace pawl::test {
namespace {

constexpr const char* their_pgmq = R"(
create schema pgmq;
create table pgmq.meta (queue_name text primary key);
create type pgmq.message_record as
    (msg_id bigint, read_ct int, enqueued_at timestamptz, vt timestamptz, message jsonb);
create function pgmq.create(queue_name text) returns void language plpgsql as $$
begin
    execute format('create table pgmq.%I (msg_id bigint primary key generated always as identity,
        read_ct int not null default 0, enqueued_at timestamptz not null default now(),
        vt timestamptz not null, message jsonb)', 'q_' || queue_name);
    execute format('create table pgmq.%I (like pgmq.%I)', 'a_' || queue_name, 'q_' || queue_name);
    insert into pgmq.meta values (queue_name);
end $$;
create function pgmq.send_batch(queue_name text, msgs jsonb[], delay int default 0)
returns setof bigint language plpgsql as $$
begin
    return query execute format('insert into pgmq.%I (vt, message)
        select clock_timestamp(), unnest($1) returning msg_id', 'q_' || queue_name) using msgs;
end $$;
create function pgmq.send(queue_name text, msg jsonb, delay int default 0) returns setof bigint
language sql as $$ select * from pgmq.send_batch(queue_name, array[msg]) $$;
create function pgmq.read(queue_name text, vt int, qty int) returns setof pgmq.message_record
language plpgsql as $$
begin
    return query execute format('update pgmq.%1$I set vt = clock_timestamp() + $1,
        read_ct = read_ct + 1 where msg_id in (select msg_id from pgmq.%1$I
        where vt <= clock_timestamp() order by msg_id limit $2 for update skip locked)
        returning *', 'q_' || queue_name) using make_interval(secs => vt), qty;
end $$;
create function pgmq.delete(queue_name text, msg_ids bigint[]) returns setof bigint
language plpgsql as $$
begin
    return query execute format('delete from pgmq.%I where msg_id = any ($1) returning msg_id',
                                'q_' || queue_name) using msg_ids;
end $$;
create function pgmq.archive(queue_name text, msg_ids bigint[]) returns setof bigint
language sql as $$ select * from pgmq.delete(queue_name, msg_ids) $$;
create function pgmq.set_vt(queue_name text, msg_id bigint, vt int)
returns setof pgmq.message_record language plpgsql as $$
begin
    return query execute format('update pgmq.%I set vt = clock_timestamp() + $1
        where msg_id = $2 returning *', 'q_' || queue_name) using make_interval(secs => vt), msg_id;
end $$;
)";

class ForeignQueues : public ::testing::Test {
protected:
    void SetUp() override {
        session_.script(their_pgmq);
        session_.loop().run(store::migrate_up(session_.connection()));
        session_.script(
            "insert into pawl.definition (name, steps) values ('flow', "
            "'[{\"name\": \"a\", \"type\": \"code\", \"function\": \"noop\"}]')"
        );
    }
    std::string value(const std::string& sql) {
        return session_.value("select (" + sql + ")::text");
    }

    TestDatabase database_{TestDatabase::Content::empty};
    Session& session_ = database_.session();
};

TEST_F(ForeignQueues, StartRunsAndTakeWhatFailed) {
    EXPECT_EQ(
        value("select provider || usable from pawl.queue_provider()"),
        "a schema pgmq not made by Pawltrue"
    );
    Loop loop;
    pg::PoolOptions options;
    options.connect.conninfo = database_.url();
    pg::Pool pool(loop.context().get_executor(), options);
    store::Queues queues(pool);
    session_.script("select pgmq.send('workflow_queue', '{\"workflow_name\": \"flow\"}')");
    session_.script("select pgmq.send('workflow_queue', '{\"workflow_name\": \"none\"}')");
    const auto messages = loop.run(queues.read(0, 10, std::chrono::seconds(10)));
    ASSERT_EQ(messages.size(), 2u);
    EXPECT_TRUE(messages[0].headers.is_null());
    store::QueueOutcome outcome;
    outcome.queue = "workflow_queue";
    outcome.done.push_back(messages[0].id);
    outcome.starts.push_back({messages[0].id, new_run(messages[0].workflows.at(0).workflow)});
    outcome.failed.push_back({messages[1].id, 1, "not yet", messages[1].message});
    const auto settled = loop.run(queues.settle(0, outcome));
    EXPECT_EQ(settled.started, 1);
    EXPECT_EQ(settled.dead, 0);
    outcome.failed[0].reads = 5;
    EXPECT_EQ(loop.run(queues.settle(0, outcome)).dead, 1);
    EXPECT_EQ(value("select count(*) from pgmq.q_workflow_queue"), "0");
    EXPECT_EQ(value("select count(*) from pawl.live_run"), "1");
    EXPECT_EQ(value("select message ->> 'error' from pgmq.q_workflow_dlq"), "not yet");
    loop.run(queues.keep_partitions());
}

}  // namespace
}  // namespace pawl::test
