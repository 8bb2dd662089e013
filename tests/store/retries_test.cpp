#include "store/repos/retries.hpp"

#include "store/working.hpp"

namespace pawl::test {
namespace {

using namespace std::chrono_literals;

// step_1 works, step_2 fails and is passed over, step_3 waits, step_4 is flaky, step_5 works.
Definition fragile() {
    Definition definition = line("fragile", 5);
    for (Node& node : definition.nodes) {
        node.config = {{"function", "work"}};
        node.retry.attempts = 2;
        node.retry.base = 1ms;
    }
    definition.nodes[1].config = {{"function", "flaky"}};
    definition.nodes[1].on_failure = OnFailure::continue_;
    definition.nodes[2].type = NodeType::wait;
    definition.nodes[2].config = {{"duration", "1ms"}};
    definition.nodes[3].config = {{"function", "flaky"}};
    return definition;
}

class RetriesPg : public ::testing::Test {
protected:
    std::vector<store::Retried> retry(std::vector<RunId> runs, store::Tenant tenant = {}) {
        std::vector<store::Retry> wanted;
        wanted.reserve(runs.size());
        for (const RunId run : runs) wanted.push_back({run, new_run_id()});
        return db_.loop().run(retries_.retry(tenant, wanted));
    }
    store::Retried retry_one(RunId run) { return retry({run}).at(0); }

    PgUnderTest db_;
    store::Retries retries_{db_.pool()};
};

TEST_F(RetriesPg, AWorkerGoesOnAtTheFailedStep) {
    db_.apply(fragile());
    Working working(db_);
    const auto old_run = working.run("fragile");
    ASSERT_EQ(db_.status(old_run), "failed");
    EXPECT_EQ(working.executed("step_4"), 2);
    const auto old_log = db_.log(old_run);

    const auto retried = retry_one(old_run);
    ASSERT_TRUE(retried.created);
    EXPECT_EQ(retried.status, "failed");
    const auto run = *retried.retried_as;
    EXPECT_EQ(db_.status(run), "queued");
    working.mended = true;
    working.until_closed(1);

    EXPECT_EQ(db_.status(run), "completed");
    EXPECT_EQ(working.executed("step_1"), 1);
    EXPECT_EQ(working.executed("step_2"), 2) << "it had been passed over";
    EXPECT_EQ(working.executed("step_4"), 3);
    EXPECT_EQ(working.executed("step_5"), 1);
    EXPECT_EQ(db_.log(old_run).size(), old_log.size()) << "the old run stays as it was";
    EXPECT_EQ(db_.status(old_run), "failed");
}

TEST_F(RetriesPg, TheNewLogIsTheOldOneUpToTheFailedStep) {
    db_.apply(fragile());
    Working working(db_);
    const auto old_run = working.run("fragile");
    const auto old_log = db_.log(old_run);
    const auto run = retry_one(old_run).retried_as.value();
    const auto log = db_.log(run);
    // run_started, step_1, step_2 failed twice, wait_started, wait over.
    ASSERT_EQ(log.size(), 6u);
    for (std::size_t i = 0; i < log.size(); ++i) {
        EXPECT_EQ(log[i].seq, static_cast<std::int32_t>(i));
        EXPECT_EQ(log[i].type, old_log[i].type);
        EXPECT_EQ(log[i].node, old_log[i].node);
        EXPECT_EQ(log[i].attempt, old_log[i].attempt);
        if (i > 0) {
            EXPECT_EQ(log[i].data, old_log[i].data);
            EXPECT_EQ(log[i].at, old_log[i].at);
        }
    }
    EXPECT_GT(log[0].at, old_log.back().at) << "its timeout counts anew";
    const auto found = db_.find(run);
    ASSERT_TRUE(found);
    EXPECT_EQ(found->parent, old_run);
    EXPECT_EQ(found->triggered_by, "retry");
    EXPECT_EQ(found->input, (json::object{{"greeting", "hello"}}));
    EXPECT_EQ(db_.find(old_run)->retried_as, run);
}

TEST_F(RetriesPg, ARunIsRetriedOnceAndItsDeadLetterSaysSo) {
    db_.apply(fragile());
    Working working(db_);
    const auto old_run = working.run("fragile");
    const auto first = retry_one(old_run);
    const auto again = retry_one(old_run);
    EXPECT_FALSE(again.created);
    EXPECT_EQ(again.retried_as, first.retried_as);
    EXPECT_EQ(db_.list({}).size(), 2u);
    EXPECT_EQ(
        db_.database().session().value(
            "select replayed_as::text || (replayed_at is not null)::text from pawl.dead_letter"
        ),
        to_string(*first.retried_as) + "true"
    );
}

TEST_F(RetriesPg, TenRetriesAtOnceMakeOneRun) {
    db_.apply(fragile());
    Working working(db_);
    const auto old_run = working.run("fragile");
    std::vector<asio::awaitable<std::vector<store::Retried>>> calls;
    calls.reserve(10);
    for (int i = 0; i < 10; ++i) {
        const std::vector<store::Retry> one{{old_run, new_run_id()}};
        calls.push_back(retries_.retry({}, one));
    }
    int created = 0;
    std::set<RunId> ids;
    for (const auto& answer : db_.loop().run_all(std::move(calls))) {
        if (answer.at(0).created) ++created;
        ids.insert(answer.at(0).retried_as.value());
    }
    EXPECT_EQ(created, 1);
    EXPECT_EQ(ids.size(), 1u);
    EXPECT_EQ(db_.list({}).size(), 2u);
}

TEST_F(RetriesPg, ACancelledRunGoesOnToo) {
    Definition definition = line("slow", 2);
    definition.nodes[0].config = {{"function", "work"}};
    definition.nodes[1].type = NodeType::wait;
    definition.nodes[1].config = {{"duration", "1ms"}};
    db_.apply(definition);
    const auto worker = db_.worker();
    const auto run = db_.run(worker);
    auto batch = closing(worker, run, RunStatus::cancelled, 2);
    batch.events[0].event.type = EventType::run_cancelled;
    batch.events.insert(batch.events.begin(), {run, step_completed(1)});
    batch.closes[0].workflow = db_.find_workflow("slow")->id;
    db_.commit(batch);
    ASSERT_EQ(db_.status(run), "cancelled");

    const auto retried = retry_one(run);
    EXPECT_TRUE(retried.created);
    Working working(db_);
    working.until_closed(1);
    EXPECT_EQ(db_.status(retried.retried_as.value()), "completed");
    EXPECT_EQ(working.executed("step_1"), 0);
}

TEST_F(RetriesPg, WhatCannotBeRetriedIsToldApart) {
    const auto worker = db_.worker();
    const auto open = db_.run();
    const auto completed = db_.run(worker);
    db_.commit(closing(worker, completed));
    const auto failed = db_.run(worker);
    db_.commit(closing(worker, failed, RunStatus::failed));
    const auto answers = retry({open, completed, new_run_id()});
    ASSERT_EQ(answers.size(), 3u);
    std::map<RunId, std::string> statuses;
    for (const auto& answer : answers) {
        EXPECT_FALSE(answer.created);
        EXPECT_FALSE(answer.retried_as);
        statuses[answer.run] = answer.status;
    }
    EXPECT_EQ(statuses[open], "queued");
    EXPECT_EQ(statuses[completed], "completed");
    EXPECT_EQ(answers.back().status, "");
    EXPECT_EQ(retry({failed}, {2, 0}).at(0).status, "") << "another tenant's";
}

TEST_F(RetriesPg, ACorrelationIdLeadsToTheRetryToo) {
    const auto worker = db_.worker();
    store::StartBatch batch;
    batch.worker = worker;
    batch.runs = {new_run(db_.workflow())};
    batch.runs[0].lease = true;
    batch.runs[0].correlation = "order 7";
    db_.start(batch);
    db_.commit(closing(worker, batch.runs[0].id, RunStatus::failed));
    const auto retried = retry_one(batch.runs[0].id).retried_as.value();
    store::RunFilter filter;
    filter.correlation_id = "order 7";
    EXPECT_EQ(db_.list(filter), (std::vector{retried, batch.runs[0].id}));
}

}  // namespace
}  // namespace pawl::test
