#include "store/repos/queues.hpp"

#include "engine/start/queued_start.hpp"
#include "store/under_test.hpp"

// Messages of queues start one run each, however many workers read them, and however often.
namespace pawl::test {
namespace {

using namespace std::chrono_literals;

class Queues : public ::testing::Test {
protected:
    void SetUp() override {
        session_.script(
            "insert into pawl.definition (name, steps, settings) values ('flow', "
            "'[{\"name\": \"a\", \"type\": \"code\", \"function\": \"noop\"}]', "
            "'{\"triggers\": [{\"queue\": \"orders\"}]}')"
        );
    }
    void send(const std::string& queue, const std::string& message) {
        session_.script("select pgmq.send('" + queue + "', '" + message + "')");
    }
    std::vector<store::QueuedMessage> read(Duration lease = 30s) {
        return db_.loop().run(queues_.read(0, 100, lease));
    }
    // As if the lease of their reader were over.
    void let_go(const std::string& queue) {
        session_.script("update pgmq.q_" + queue + " set vt = now() - interval '1 s'");
    }
    store::QueueSettled settle(store::QueueOutcome outcome) {
        return db_.loop().run(queues_.settle(0, std::move(outcome)));
    }
    store::QueueOutcome starting(const store::QueuedMessage& message) {
        store::QueueOutcome outcome;
        outcome.queue = message.queue;
        outcome.done.push_back(message.id);
        outcome.starts.push_back({message.id, new_run(message.workflows.at(0).workflow)});
        return outcome;
    }
    static store::QueueOutcome failing(const store::QueuedMessage& message) {
        store::QueueOutcome outcome;
        outcome.queue = message.queue;
        outcome.failed.push_back({message.id, message.reads, "a reason", message.message});
        return outcome;
    }
    std::string value(const std::string& sql) {
        return session_.value("select (" + sql + ")::text");
    }

    PgUnderTest db_;
    Session& session_ = db_.database().session();
    store::Queues queues_{db_.pool()};
};

TEST_F(Queues, ADefinitionMakesItsQueueAndGivesItUp) {
    send("orders", "{\"n\": 1}");
    const auto messages = read();
    ASSERT_EQ(messages.size(), 1u);
    EXPECT_EQ(messages[0].queue, "orders");
    EXPECT_EQ(messages[0].kind, store::QueuedMessage::Kind::trigger);
    ASSERT_EQ(messages[0].workflows.size(), 1u);
    let_go("orders");
    session_.script("update pawl.definition set active = false");
    EXPECT_TRUE(read().empty()) << "no workflow wants them: they wait";
    EXPECT_EQ(value("select count(*) from pgmq.q_orders"), "1");
}

// However long that takes: they are not read meanwhile, so they are not given up either.
TEST_F(Queues, MessagesWaitForAWorkflowThatIsSwitchedOff) {
    session_.script(
        "select pgmq.create('own'); insert into pawl.queue (name, workflow) values ('own', 'flow');"
        "insert into pawl.definition (name, steps) values ('other', "
        "'[{\"name\": \"a\", \"type\": \"code\", \"function\": \"noop\"}]');"
        "select pawl.switch_workflow(1, 'flow', 'broken')"
    );
    send("own", "{}");
    send("orders", "{}");
    send("workflow_queue", "{\"workflow_name\": \"flow\"}");
    send("workflow_queue", "{\"workflow_name\": \"other\"}");
    const auto messages = read();
    ASSERT_EQ(messages.size(), 1u);
    EXPECT_EQ(messages[0].message.at("workflow_name"), "other");
    let_go("workflow_queue");
    EXPECT_EQ(read().size(), 1u);
    EXPECT_EQ(value("select read_ct from pgmq.q_workflow_queue where msg_id = 1"), "0");
    session_.script("select pawl.switch_workflow(1, 'flow', null)");
    let_go("workflow_queue");
    EXPECT_EQ(read().size(), 4u);
}

TEST_F(Queues, AMessageStartsOneRunHoweverOftenItIsRead) {
    send("orders", "{\"n\": 1}");
    const auto first = read();
    EXPECT_TRUE(read().empty()) << "hidden";
    let_go("orders");  // the first reader died, it seems
    const auto second = read();
    ASSERT_EQ(second.size(), 1u);
    EXPECT_EQ(second[0].reads, 2);
    EXPECT_EQ(settle(starting(first[0])).started, 1);
    EXPECT_EQ(settle(starting(second[0])).started, 0);
    EXPECT_EQ(value("select count(*) from pawl.live_run"), "1");
    EXPECT_EQ(value("select count(*) from pgmq.q_orders"), "0");
}

TEST_F(Queues, AMessageGoesOnlyWithTheStart) {
    send("orders", "{\"n\": 1}");
    auto outcome = starting(read()[0]);
    outcome.starts[0].run.tenant = -1;
    session_.script(
        "alter table pawl.live_run add constraint test_check check (tenant > 0) not valid"
    );
    EXPECT_ANY_THROW(settle(outcome));
    EXPECT_EQ(value("select count(*) from pgmq.q_orders"), "1");
    EXPECT_EQ(value("select count(*) from pawl.live_run"), "0");
}

TEST_F(Queues, WhatFailsComesLaterAndLaterAndGoesAtLast) {
    send("orders", "[7]");
    for (int reads = 1; reads < 5; ++reads) {
        const auto messages = read();
        ASSERT_EQ(messages.size(), 1u);
        EXPECT_EQ(messages[0].reads, reads);
        EXPECT_EQ(settle(failing(messages[0])).dead, 0);
        EXPECT_EQ(
            value("select round(extract(epoch from vt - clock_timestamp())) from pgmq.q_orders"),
            std::to_string(1 << reads)
        );
        let_go("orders");
    }
    const auto last = read();
    EXPECT_EQ(settle(failing(last[0])).dead, 1);
    EXPECT_EQ(settle(failing(last[0])).dead, 0) << "once";
    EXPECT_EQ(value("select count(*) from pgmq.q_orders"), "0");
    EXPECT_EQ(
        value("select concat_ws(' ', message -> 'message', message ->> 'error', "
              "message ->> 'total_attempts', message ->> 'queue', message ->> 'msg_id') "
              "from pgmq.q_workflow_dlq"),
        "[7] a reason 5 orders 1"
    );
}

TEST_F(Queues, AQueueOfAnotherTenantIsNotReadForThisOne) {
    session_.script(
        "insert into pawl.tenant (id, name, bucket) overriding system value values (7, 'other', 0);"
        "insert into pawl.queue (name, tenant) values ('orders', 7)"
    );
    send("orders", "{\"workflow_name\": \"flow\"}");
    const auto messages = read();
    ASSERT_EQ(messages.size(), 1u);
    EXPECT_EQ(messages[0].tenant, 7);
    EXPECT_TRUE(messages[0].workflows.empty()) << "it has no such workflow";
}

TEST_F(Queues, FailedRunsAreHandedOverOnce) {
    const WorkerId worker = db_.worker();
    const RunId run = db_.run(worker);
    db_.commit(closing(worker, run, RunStatus::failed));
    db_.commit(closing(worker, db_.run(worker)));
    EXPECT_EQ(db_.loop().run(queues_.hand_over_dead_runs(0, 10)), 1);
    EXPECT_EQ(db_.loop().run(queues_.hand_over_dead_runs(0, 10)), 0);
    EXPECT_EQ(value("select message ->> 'execution_id' from pgmq.q_workflow_dlq"), to_string(run));
    // Who wants none drops the queue.
    session_.script("select pgmq.drop_queue('workflow_dlq')");
    db_.commit(closing(worker, db_.run(worker), RunStatus::failed));
    EXPECT_EQ(value("select count(*) from pawl.dead_run_pending"), "0");
}

TEST_F(Queues, WithoutPgmqThereIsNothingToRead) {
    session_.script("drop schema pgmq cascade");
    EXPECT_TRUE(read().empty());
    session_.script(
        "insert into pawl.definition (name, steps, settings) values ('late', "
        "'[{\"name\": \"a\", \"type\": \"code\", \"function\": \"noop\"}]', "
        "'{\"triggers\": [{\"queue\": \"late\"}]}')"
    );
    EXPECT_TRUE(read().empty());
    db_.loop().run(queues_.keep_partitions());
    const WorkerId worker = db_.worker();
    db_.commit(closing(worker, db_.run(worker), RunStatus::failed));
    EXPECT_EQ(db_.loop().run(queues_.hand_over_dead_runs(0, 10)), 0);
}

// The queue is for all organizations; a queue of one tenant is for that one, whatever a message
// says.
TEST_F(Queues, AMessageIsForTheTenantThatItsOrganizationIs) {
    session_.script(
        "insert into pawl.tenant (name) values ('org-b'); "
        "select pawl.apply_workflow('rule', '{\"name\": \"rule\", \"steps\": [{\"name\": \"a\", "
        "\"code\": \"noop\"}]}', (select id from pawl.tenant where name = 'org-b'))"
    );
    const auto rule = value("select id from pawl.definition where name = 'rule'");
    const auto organization = value("select organization from pawl.tenant where name = 'org-b'");
    const auto message = "{\"rule_id\": \"" + rule + "\", \"organization_id\": \"" + organization +
                         "\", \"trigger_data\": {}}";
    send("workflow_execution_queue", message);
    send("workflow_queue", message);
    const auto messages = read();
    ASSERT_EQ(messages.size(), 2u);
    EXPECT_EQ(messages[0].queue, "workflow_execution_queue");
    EXPECT_EQ(
        std::to_string(messages[0].tenant), value("select id from pawl.tenant where name = 'org-b'")
    );
    ASSERT_EQ(messages[0].workflows.size(), 1u);
    EXPECT_EQ(messages[1].tenant, 1);
    EXPECT_TRUE(messages[1].workflows.empty());
    EXPECT_EQ(engine::no_workflow(messages[1]), "Rule not found: " + rule);
}

TEST_F(Queues, DeadLettersSayWhoseTheyWere) {
    const auto organization = value("select organization from pawl.tenant");
    send("workflow_queue", "{\"workflow_name\": \"none\"}");
    auto message = read().at(0);
    message.reads = 5;
    settle(failing(message));
    EXPECT_EQ(value("select message ->> 'organization_id' from pgmq.q_workflow_dlq"), organization);
    session_.script("select pgmq.purge_queue('workflow_dlq')");
    const auto worker = db_.worker();
    const RunId run = db_.run(worker);
    db_.commit(closing(worker, run, RunStatus::failed));
    db_.loop().run(queues_.hand_over_dead_runs(0, 10));
    EXPECT_EQ(value("select message ->> 'organization_id' from pgmq.q_workflow_dlq"), organization);
}

// As everywhere at the doors of that document, whichever workflow a key was used for.
TEST_F(Queues, AKeyOfAMessageThatNamesItsWorkflowIsKnownOnce) {
    session_.script(
        "insert into pawl.definition (name, steps) values ('one', "
        "'[{\"name\": \"a\", \"function\": \"f\"}]'), ('two', "
        "'[{\"name\": \"a\", \"function\": \"f\"}]')"
    );
    const auto key = [](store::QueueOutcome outcome) {
        outcome.starts.at(0).run.correlation = "k";
        return outcome;
    };
    for (const std::string workflow : {"one", "two"}) {
        send("workflow_queue", "{\"workflow_name\": \"" + workflow + "\"}");
    }
    const auto messages = read();
    ASSERT_EQ(messages.size(), 2u);
    EXPECT_EQ(settle(key(starting(messages[0]))).started, 1);
    EXPECT_EQ(settle(key(starting(messages[1]))).started, 0);
    EXPECT_EQ(value("select count(*) from pgmq.q_workflow_queue"), "0");
    EXPECT_EQ(value("select string_agg(workflow_name, ',') from workflow_executions"), "one");
    // The triggers of a queue are all meant.
    send("orders", "{}");
    EXPECT_EQ(settle(key(starting(read().at(0)))).started, 1);
}

}  // namespace
}  // namespace pawl::test
