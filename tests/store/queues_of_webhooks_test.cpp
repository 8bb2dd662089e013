#include "base/vault.hpp"
#include "pg/pg_error.hpp"
#include "store/repos/outbox_targets.hpp"
#include "store/under_test.hpp"

#include <fmt/core.h>

// What a tenant does to queues of its own costs others neither their figures nor their room.
namespace pawl::test {
namespace {

class QueuesOfWebhooks : public ::testing::Test {
protected:
    QueuesOfWebhooks() {
        evil_.id = db_.other_tenant();
        session_.script(fmt::format("create role {} login", role_));
        session_.script(fmt::format("select pawl.bind_role('{}', 'other')", role_));
    }
    ~QueuesOfWebhooks() override {
        thief_.reset();
        session_.script(fmt::format("drop owned by {0}; drop role {0}", role_));
    }
    std::int32_t webhook(const std::string& queue) {
        store::NewOutboxTarget target;
        target.events = {"*"};
        target.kind = "queue";
        target.address = queue;
        return db_.loop().run(targets_.create(evil_, target)).id;
    }
    bool forget(std::int32_t id) { return db_.loop().run(targets_.remove(evil_, id)); }
    std::string named(const std::string& queue) { return fmt::format("t{}_{}", evil_.id, queue); }
    Session& thief() {
        if (!thief_) thief_ = std::make_unique<Session>(db_.database().url() + "&user=" + role_);
        return *thief_;
    }
    std::string figure(const std::string& queue, const std::string& metric) {
        return session_.value(
            "select coalesce((select round(f.value)::text from pawl.figures_of_queues() f where "
            "f.metric = '" +
            metric + "' and f.labels ->> 'queue' = '" + queue + "'), 'none')"
        );
    }
    std::string queues() {
        return session_.value(fmt::format(
            "select count(*)::text from pgmq.meta where queue_name like 't{}\\_%'", evil_.id
        ));
    }

    PgUnderTest db_;
    Session& session_ = db_.database().session();
    Vault vault_ = Vault::from_keys(std::string(64, 'a')).value();
    store::OutboxTargets targets_{db_.pool(), vault_};
    store::Tenant evil_;
    std::string role_ = "evil_queues_" + db_.database().name();
    std::unique_ptr<Session> thief_;
};

TEST_F(QueuesOfWebhooks, TimesThatAreNoneCostNoFigures) {
    webhook("mine");
    const std::string queue = named("mine");
    session_.script("select pgmq.send('workflow_queue', '{}')");
    thief().script(fmt::format("insert into pgmq.q_{} (vt, message) values (now(), '{{}}')", queue)
    );
    for (const char* time : {"infinity", "-infinity"}) {
        thief().script(fmt::format("update pgmq.q_{} set enqueued_at = '{}'", queue, time));
        EXPECT_EQ(figure("workflow_queue", "pawl_queue_messages"), "1");
        EXPECT_EQ(figure(queue, "pawl_queue_messages"), "1") << time;
        EXPECT_EQ(figure(queue, "pawl_queue_oldest_age_seconds"), "0") << time;
    }
    session_.script("select pawl.take_figures(0::smallint, '0 s')");
    session_.script("update pawl.figures set taken_at = now() - interval '90 s'");
    EXPECT_EQ(
        session_.value("select round((f ->> 2)::numeric)::text from jsonb_array_elements("
                       "pawl.take_figures(0::smallint, '1 h')) f "
                       "where f ->> 0 = 'pawl_figures_age_seconds'"),
        "90"
    );
}

TEST_F(QueuesOfWebhooks, ALockCostsTheFiguresOfThatQueue) {
    webhook("mine");
    thief().script(
        fmt::format("begin; lock table pgmq.q_{} in access exclusive mode", named("mine"))
    );
    session_.script("set statement_timeout = '3s'");
    EXPECT_EQ(figure("workflow_queue", "pawl_queue_messages"), "0");
    EXPECT_EQ(figure(named("mine"), "pawl_queue_messages"), "none");
    thief().script("rollback");
}

TEST_F(QueuesOfWebhooks, AQueueGoesWithItsWebhook) {
    for (int i = 0; i < 30; ++i) EXPECT_TRUE(forget(webhook(fmt::format("q{}", i))));
    EXPECT_EQ(queues(), "0");
    EXPECT_EQ(session_.value("select count(*)::text from pawl.queue where tenant <> 1"), "0");
    const auto first = webhook("shared");
    const auto second = webhook("shared");
    forget(first);
    EXPECT_EQ(queues(), "1") << "another webhook writes to it";
    session_.script(fmt::format("select pgmq.send('{}', '{{}}')", named("shared")));
    forget(second);
    EXPECT_EQ(queues(), "1") << "it holds something";
    session_.script(fmt::format("select pgmq.create('{}')", named("given")));
    forget(webhook("given"));
    EXPECT_EQ(queues(), "2") << "it was there before";
}

TEST_F(QueuesOfWebhooks, ATenantHasOnlySoMany) {
    for (int i = 0; i < 20; ++i) webhook(fmt::format("q{}", i));
    try {
        webhook("one_more");
        ADD_FAILURE() << "it was made";
    } catch (const Failure& failure) {
        EXPECT_EQ(failure.error().code, Errc::conflict) << failure.what();
    }
    webhook("q1");
    EXPECT_EQ(queues(), "20");
    // One whose webhook went while it held something goes when there is need of the place.
    session_.script(fmt::format("select pgmq.send('{}', '{{}}')", named("q3")));
    session_.script("delete from pawl.outbox_target where address like '%\\_q3'");
    session_.script(fmt::format("select pgmq.purge_queue('{}')", named("q3")));
    session_.script("update pawl.webhook_queue set made_at = now() - interval '1 h'");
    webhook("one_more");
    EXPECT_EQ(queues(), "20");
}

TEST_F(QueuesOfWebhooks, ThoseOfTheServiceAreShownFirst) {
    session_.script(fmt::format(
        "select pgmq.create('a' || i) from generate_series(1, 110) i; insert into pawl.queue "
        "(name, "
        "tenant) select 'a' || i, {} from generate_series(1, 110) i",
        evil_.id
    ));
    EXPECT_EQ(figure("workflow_queue", "pawl_queue_messages"), "0");
}

}  // namespace
}  // namespace pawl::test
