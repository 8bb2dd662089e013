#include "store/repos/inbox.hpp"
#include "store/under_test.hpp"

#include <fmt/core.h>

// Events that start workflows, and how long they are kept.
namespace pawl::test {
namespace {

using namespace std::chrono_literals;

class Triggers : public ::testing::Test {
protected:
    // A definition as pawl.definition has it, whose trigger is this event.
    store::WorkflowId workflow(const std::string& name, const std::string& event) {
        db_.database().session().script(
            "insert into pawl.definition (name, steps, settings) values ('" + name +
            "', '[{\"name\": \"a\", \"type\": \"code\", \"function\": \"noop\"}]', "
            "'{\"triggers\": [{\"event\": \"" +
            event + "\"}]}')"
        );
        return std::stoi(db_.database().session().value(
            "select workflow::text from pawl.definition where name = '" + name + "'"
        ));
    }
    void publish(const std::string& id, const std::string& name) {
        store::OutsideEvent event;
        event.id = id;
        event.name = name;
        db_.publish({event});
    }
    std::vector<store::TriggeringEvent> claim(Duration lease = 30s) {
        return db_.loop().run(inbox_.claim_triggers(0, 100, lease));
    }
    void finish(std::vector<store::TriggerOutcome> outcomes) {
        db_.loop().run(inbox_.finish_triggers(0, std::move(outcomes)));
    }
    store::InboxEvent seen(const std::string& id) {
        for (const auto& event : db_.loop().run(inbox_.list({}, {})).events) {
            if (event.id == id) return event;
        }
        ADD_FAILURE() << "no event " << id;
        return {};
    }

    PgUnderTest db_;
    store::Inbox inbox_{db_.pool()};
};

TEST_F(Triggers, OnlyEventsThatStartSomethingAreClaimed) {
    const auto welcome = workflow("welcome", "signed_up");
    const auto audit = workflow("audit", "signed_up");
    publish("e1", "signed_up");
    publish("e2", "paid");
    const auto events = claim();
    ASSERT_EQ(events.size(), 1u);
    EXPECT_EQ(events[0].event.id, "e1");
    ASSERT_EQ(events[0].workflows.size(), 2u);
    EXPECT_EQ(events[0].workflows[0].workflow, welcome);
    EXPECT_EQ(events[0].workflows[0].version, 1);
    EXPECT_EQ(events[0].workflows[1].workflow, audit);
    EXPECT_EQ(events[0].workflows[1].version, 1);
    // Another claimer has it.
    EXPECT_TRUE(claim().empty());
    EXPECT_TRUE(seen("e1").pending);
    finish({{events[0].event.number, "no input"}});
    db_.match();
    EXPECT_FALSE(seen("e1").pending);
    EXPECT_EQ(seen("e1").problem, "no input");
}

TEST_F(Triggers, AreTakenOverAndPutAsideAtLast) {
    workflow("welcome", "signed_up");
    publish("e1", "signed_up");
    for (int i = 0; i < 5; ++i) EXPECT_EQ(claim(Duration(-1)).size(), 1u) << i;
    EXPECT_TRUE(claim(Duration(-1)).empty());
    EXPECT_NE(seen("e1").problem, "");
}

// They are in memory together, once for each workflow; and other tenants wait meanwhile.
TEST_F(Triggers, LongEventsAreClaimedAFewAtATime) {
    for (const char* name : {"a", "b", "c"}) workflow(name, "signed_up");
    auto& session = db_.database().session();
    const auto publish_long = [&](int count, int bytes) {
        session.script(fmt::format(
            "select pawl.emit('signed_up', id => 'e{0}-' || g, data => jsonb_build_object('x', "
            "repeat('y', {1}))) from generate_series(1, {0}) g",
            count,
            bytes
        ));
    };
    publish_long(20, 900'000);
    std::size_t claimed = 0;
    while (true) {
        const auto events = claim();
        if (events.empty()) break;
        EXPECT_LE(events.size(), 4u);
        claimed += events.size();
        for (const auto& one : events) EXPECT_EQ(one.workflows.size(), 3u);
    }
    EXPECT_EQ(claimed, 20u);
    publish_long(30, 5000);
    EXPECT_EQ(claim().size(), 30u);
}

// What is not started is not forgotten in silence; others are started as ever.
TEST_F(Triggers, AnEventSaysThatItsWorkflowIsSwitchedOff) {
    workflow("welcome", "signed_up");
    const auto audit = workflow("audit", "signed_up");
    auto& session = db_.database().session();
    session.script("select pawl.switch_workflow(1, 'welcome', 'too loud')");
    publish("e1", "signed_up");
    const auto events = claim();
    ASSERT_EQ(events.size(), 1u);
    ASSERT_EQ(events[0].workflows.size(), 1u);
    EXPECT_EQ(events[0].workflows[0].workflow, audit);
    finish({{events[0].event.number, ""}});
    EXPECT_EQ(
        seen("e1").problem, "workflow 'welcome' was not started, it is switched off: too loud"
    );
    session.script("select pawl.switch_workflow(1, 'welcome', null)");
    publish("e2", "signed_up");
    const auto later = claim();
    ASSERT_EQ(later.size(), 1u);
    EXPECT_EQ(later[0].workflows.size(), 2u);
    finish({{later[0].event.number, ""}});
    EXPECT_EQ(seen("e2").problem, "");
}

TEST_F(Triggers, FollowTheDefinition) {
    workflow("welcome", "signed_up");
    auto& session = db_.database().session();
    session.script("update pawl.definition set active = false where name = 'welcome'");
    publish("e1", "signed_up");
    EXPECT_TRUE(claim().empty());
    session.script("update pawl.definition set active = true where name = 'welcome'");
    publish("e2", "signed_up");
    EXPECT_EQ(claim().size(), 1u);
    publish("e3", "signed_up");
    session.script("delete from pawl.definition where name = 'welcome'");
    const auto left = claim();
    ASSERT_EQ(left.size(), 1u);
    EXPECT_TRUE(left[0].workflows.empty());
    publish("e4", "signed_up");
    finish({{left[0].event.number, ""}});
    EXPECT_TRUE(claim().empty());
}

TEST_F(Triggers, ATaskStartsWorkflowsWithATriggerForIt) {
    workflow("mail", "pawl.task.opened");
    const auto worker = db_.worker();
    const auto run = db_.run(worker);
    auto batch = appending(worker, run, {step_completed(1)});
    batch.projections.opened.push_back(
        {run,
         0,
         1,
         db_.workflow(),
         "ask",
         "",
         json::object{{"title", "Refund?"}, {"assignee", "ann"}}}
    );
    db_.commit(batch);
    const auto events = claim();
    ASSERT_EQ(events.size(), 1u);
    EXPECT_EQ(events[0].event.key, "ann");
    EXPECT_EQ(events[0].event.data.at("title"), "Refund?");
    EXPECT_EQ(events[0].event.data.at("run"), json::value(to_string(run)));
}

TEST_F(Triggers, OldEventsGoUnlessARunMayWantThem) {
    const auto worker = db_.worker();
    publish("e1", "paid");
    publish("e2", "paid");
    db_.match();
    auto& session = db_.database().session();
    const auto purge = [&] { return db_.loop().run(inbox_.purge(0, 7 * 24h, 100)); };
    EXPECT_EQ(purge(), 0);
    session.script("update pawl.inbox set at = at - interval '8 days' where event_id = 'e1'");
    EXPECT_EQ(purge(), 1);
    // A run that began before the event, and some workflow waits for such events.
    const auto run = db_.run(worker);
    session.script(
        "update pawl.inbox set at = at - interval '8 days' where event_id = 'e2';"
        "insert into pawl.event_wait (workflow, event) values (1, 'paid');"
        "update pawl.live_run set run_id = pawl.uuid7_bound(now() - interval '9 days')"
    );
    EXPECT_EQ(purge(), 0);
    session.script("delete from pawl.live_run");
    EXPECT_EQ(purge(), 1);
    EXPECT_NE(run, RunId{});
}

}  // namespace
}  // namespace pawl::test
