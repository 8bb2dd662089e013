#include "store/hostile.hpp"
#include "store/repos/outbox.hpp"
#include "store/repos/queues.hpp"

// What one tenant locks, or makes slow, is not waited for by what the engine does for all.
namespace pawl::test {
namespace {

using namespace std::chrono_literals;

class HostileLocks : public Hostile {
protected:
    HostileLocks() { sql_.script("set client_min_messages = error; set statement_timeout = '3s'"); }
    // Another login of the engine's owner, for locks that a tenant gets hold of by a race.
    Session owner_{db_.database().url()};
};

TEST_F(HostileLocks, AGroupThatIsHeldStopsNoClaim) {
    workflow(hostile_, R"({"flow": {"batch": {"size": 2, "max_wait": "1h"}}})");
    workflow(1);
    thief().script("select pawl.start('flow'), pawl.start('flow')");
    sql_.script("select pawl.start('flow')");
    const auto groups = "select count(*)::text from pawl.flow_group";
    ASSERT_EQ(sql_.value(groups), "1");
    owner_.script("begin; select 1 from pawl.flow_group for update");
    EXPECT_EQ(
        sql_.value(fmt::format(
            "select count(distinct run_id)::text from pawl.claim_runs(0::smallint, '{}', 10)",
            to_string(db_.worker())
        )),
        "2"
    );
    owner_.script("rollback");
    // The group has begun: who comes next begins another.
    thief().script("select pawl.start('flow')");
    EXPECT_EQ(runs(hostile_), "2");
    EXPECT_EQ(sql_.value(groups), "1");
}

TEST_F(HostileLocks, ALockedQueueHoldsUpNoOther) {
    thief();
    sql_.script(fmt::format(
        "select pgmq.create('bad'), pgmq.create('good'); "
        "insert into pawl.outbox_target (tenant, kind, address, events) values "
        "({0}, 'queue', 'bad', '{{*}}'), ({0}, 'queue', 'bad', '{{*}}'), "
        "(1, 'queue', 'good', '{{*}}'); insert into pawl.outbox_lease (target, shard, tenant) "
        "select t.id, s.shard, t.tenant from pawl.outbox_target t, generate_series(0, 1) as s "
        "(shard); grant usage on schema pgmq to {1}; grant all on pgmq.q_bad to {1}",
        hostile_,
        role()
    ));
    workflow(hostile_);
    workflow(1);
    thief().script("select pawl.start('flow')");
    sql_.script("select pawl.start('flow')");
    thief().script("begin; lock table pgmq.q_bad in access exclusive mode");
    const Vault vault = Vault::from_keys(std::string(64, 'a')).value();
    store::Outbox outbox(db_.pool(), vault);
    const auto begun = Steady::now();
    db_.loop().run(outbox.publish_inside(0, 100));
    EXPECT_LT(Steady::now() - begun, 1s);
    EXPECT_EQ(sql_.value("select count(*)::text from pgmq.q_good"), "1");
    thief().script("commit");
    sql_.script("update pawl.outbox_lease set next_at = now()");
    db_.loop().run(outbox.publish_inside(0, 100));
    EXPECT_EQ(sql_.value("select count(*)::text from pgmq.q_bad"), "2");
}

// Its input has many keys, and each of them was read from the whole of it.
TEST_F(HostileLocks, ADeadRunWithManyKeysIsToldInAMoment) {
    const WorkerId worker = db_.worker();
    for (int i = 0; i < 3; ++i) {
        const RunId run = db_.run(worker);
        sql_.script(fmt::format(
            "update pawl.event set data = data || jsonb_build_object('input', (select "
            "jsonb_object_agg('key' || n, md5(n::text)) from generate_series(1, 18000) n)) "
            "where run_id = '{}' and seq = 0",
            to_string(run)
        ));
        db_.commit(closing(worker, run, RunStatus::failed));
    }
    store::Queues queues(db_.pool());
    const auto begun = Steady::now();
    int told = 0;
    while (told < 3) told += db_.loop().run(queues.hand_over_dead_runs(0, 100));
    EXPECT_LT(Steady::now() - begun, 5s);
    EXPECT_EQ(
        sql_.value("select string_agg((message -> 'context' ->> 'key18000' is not null)::text, "
                   "' ') from pgmq.q_workflow_dlq"),
        "true true true"
    );
}

TEST_F(HostileLocks, QueuesAreNotMadeForATenantThatHasNone) {
    const std::string queues = "select count(*)::text from pgmq.meta";
    const auto before = sql_.value(queues);
    const auto refused = sql_.refusal(fmt::format(
        "select pawl.apply_workflow('w', '{{\"name\": \"w\", \"triggers\": [{{\"queue\": "
        "\"mine\"}}], \"steps\": [{{\"name\": \"a\", \"code\": \"f\"}}]}}', {})",
        hostile_
    ));
    EXPECT_EQ(refused.sqlstate, "22023");
    EXPECT_EQ(refused.message, "triggers: the queue 'mine' is not one of this organization");
    EXPECT_EQ(sql_.value(queues), before);
    sql_.script(fmt::format("insert into pawl.queue (name, tenant) values ('mine', {})", hostile_));
    workflow(hostile_, R"({"triggers": [{"queue": "mine"}]})");
    EXPECT_EQ(sql_.value("select count(*)::text from pgmq.meta where queue_name = 'mine'"), "1");
}

TEST_F(HostileLocks, AForeignWorkerGivesBackWhatCanBeRead) {
    sql_.script("update pawl.tenant set organization = gen_random_uuid() where name = 'other'");
    workflow(hostile_);
    const auto run = thief().value("select pawl.start('flow')::text");
    thief().script(
        "select pawl.fw_claim_queued_executions(1, (select organization from "
        "pawl.tenant where id = pawl.current_tenant()))"
    );
    const auto finish = "select pawl.fw_finish_execution('" + run + "', ";
    EXPECT_EQ(thief().refusal(finish + "'completed', '{\"n\": 1e400}')").sqlstate, "22003");
    EXPECT_EQ(
        thief()
            .refusal(finish + "'completed', jsonb_build_object('x', repeat('x', 1048576)))")
            .sqlstate,
        "54000"
    );
    thief().script(finish + "'failed', p_error => repeat('x', 1000000))");
    EXPECT_EQ(
        sql_.value(
            "select length(error ->> 'message')::text from pawl.run where run_id = '" + run + "'"
        ),
        "10000"
    );
}

}  // namespace
}  // namespace pawl::test
