#include "pawl/engine.hpp"
#include "pawl/queue.hpp"
#include "pawl/store.hpp"
#include "support/database.hpp"
#include "support/loop.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <condition_variable>
#include <future>
#include <mutex>
#include <thread>

// Programs that use include/pawl, on a real database.
namespace pawl::test {
namespace {

namespace json = boost::json;
using namespace std::chrono_literals;

// Works, waits for the signal `go`, works again.
class Twice : public Workflow {
public:
    explicit Twice(json::value word = "first", std::string version = "1.0.0")
        : word_(std::move(word)), version_(std::move(version)) {}
    std::string id() const override { return "twice"; }
    std::string version() const override { return version_; }
    std::vector<StepDef> steps() const override {
        return {{.name = "work"}, {.name = "pause", .type = "wait"}};
    }
    Plan plan(const Run& run) const override {
        Plan next;
        if (!next.run_step(run, "work", word_)) return next;
        if (!next.step(run, "pause", {{"signal", "go"}})) return next;
        const StepView* second = next.run_step(run, "work", "second", "again");
        if (second) next.finish(*second->result);
        return next;
    }

private:
    json::value word_;
    std::string version_;
};

class Work : public Step {
public:
    explicit Work(std::atomic<int>& done) : done_(done) {}
    std::string name() const override { return "work"; }
    StepResult execute(const ExecutionContext& context) override {
        ++done_;
        return StepResult::ok({{"did", context.input}});
    }

private:
    std::atomic<int>& done_;
};

// Does not end before it is asked to.
class Stubborn : public Step {
public:
    std::string name() const override { return "work"; }
    StepResult execute(const ExecutionContext& context) override {
        begun.set_value();
        std::mutex mutex;
        std::condition_variable_any never;
        std::unique_lock lock(mutex);
        never.wait(lock, context.stop, [] { return false; });
        return StepResult::ok();
    }
    std::promise<void> begun;
};

class Embed : public testing::Test {
protected:
    // An engine on a thread of its own, for as long as it is in scope.
    class Running {
    public:
        Running(Embed& test, std::shared_ptr<const Workflow> workflow) {
            auto registry = std::make_shared<Registry>();
            registry->add(std::move(workflow));
            registry->add(std::make_shared<Work>(test.done));
            EngineOptions options;
            options.database = test.database.url();
            options.quiet = true;
            options.dispatcher = test.dispatcher;
            std::promise<void> ready;
            options.on_ready = [&ready] { ready.set_value(); };
            engine_ = std::make_unique<Engine>(std::move(options), std::move(registry));
            thread_ = std::thread([this] { EXPECT_EQ(engine_->run(), 0); });
            EXPECT_EQ(ready.get_future().wait_for(30s), std::future_status::ready);
        }
        ~Running() {
            engine_->stop();
            thread_.join();
        }

    private:
        std::unique_ptr<Engine> engine_;
        std::thread thread_;
    };

    std::string sql(const std::string& text) { return database.session().value(text); }
    bool comes(const std::string& text, const std::string& wanted) {
        const auto until = Steady::now() + 30s;
        while (sql(text) != wanted) {
            if (Steady::now() > until) return false;
        }
        return true;
    }

    TestDatabase database;
    std::atomic<int> done = 0;
    std::shared_ptr<Dispatcher> dispatcher = make_dispatcher();
    std::unique_ptr<StateStore> store = make_state_store(database.url());
};

TEST_F(Embed, ACodeWorkflowRunsAndIsSeenLikeAnyOther) {
    const auto heard = dispatcher->subscribe("run.completed");
    const Running engine(*this, std::make_shared<Twice>());
    const std::string run = store->create_run({.workflow = "twice", .correlation_id = "k"});
    EXPECT_EQ(store->create_run({.workflow = "twice", .correlation_id = "k"}), run);
    ASSERT_TRUE(comes("select pawl.status('" + run + "')", "waiting"));
    EXPECT_TRUE(store->signal(run, "go", nullptr));
    const auto record = store->wait_for_run(run, 30s);
    ASSERT_TRUE(record);
    EXPECT_EQ(record->status, "completed");
    EXPECT_EQ(record->output, (json::value{{"did", "second"}}));
    ASSERT_EQ(record->steps.size(), 2u);
    EXPECT_EQ(record->steps[0].name, "work");
    EXPECT_EQ(record->steps[0].status, "completed");
    const auto event = heard->next(30s);
    ASSERT_TRUE(event);
    EXPECT_EQ(event->run, run);
    EXPECT_EQ(done, 2);
    EXPECT_FALSE(store->load_run("00000000-0000-7000-8000-000000000000"));
}

TEST_F(Embed, APlanThatWasChangedUnderItsVersionHoldsTheRun) {
    std::string run;
    {
        const Running engine(*this, std::make_shared<Twice>());
        run = store->create_run({.workflow = "twice"});
        ASSERT_TRUE(comes("select pawl.status('" + run + "')", "waiting"));
    }
    const std::string paused =
        "select count(*)::text from pawl.event where run_id = '" + run + "' and type = 12";
    {
        const Running engine(*this, std::make_shared<Twice>("another"));
        EXPECT_TRUE(store->signal(run, "go", nullptr));
        ASSERT_TRUE(comes(paused, "1"));
        EXPECT_EQ(
            sql("select data ->> 'code' from pawl.event where run_id = '" + run + "' and type = 12"
            ),
            "plan_differs"
        );
        EXPECT_EQ(store->load_run(run)->status, "waiting") << "held, not failed";
        EXPECT_EQ(done, 1);
        // Resumed without a fix.
        sql("select pawl.leave_message(pawl.sql_tenant(), '" + run + "', 'resume', '{}')::text");
        ASSERT_TRUE(comes(paused, "2"));
    }
    const Running engine(*this, std::make_shared<Twice>());
    sql("select pawl.leave_message(pawl.sql_tenant(), '" + run + "', 'resume', '{}')::text");
    const auto record = store->wait_for_run(run, 30s);
    ASSERT_TRUE(record) << sql("select pawl.status('" + run + "')");
    EXPECT_EQ(record->status, "completed");
    EXPECT_EQ(done, 2);
}

TEST_F(Embed, RunsOfOthersAreLeftToThem) {
    const Running engine(*this, std::make_shared<Twice>());
    sql("select version::text from pawl.apply_workflow('theirs', "
        "'{\"name\": \"theirs\", \"steps\": [{\"name\": \"a\", \"code\": \"noop\"}]}')");
    sql("select version::text from pawl.apply_workflow('newer', "
        "'{\"name\": \"newer\", \"code\": \"2.0.0\", \"nodes\": [{\"id\": \"a\", \"type\": "
        "\"code\"}]}')");
    const std::string graph = store->create_run({.workflow = "theirs"});
    const std::string code = store->create_run({.workflow = "newer"});
    const std::string own = store->create_run({.workflow = "twice"});
    ASSERT_TRUE(comes("select pawl.status('" + own + "')", "waiting"));
    for (const std::string& run : {graph, code}) {
        EXPECT_TRUE(comes(
            "select (due_at > now())::text from pawl.live_run where run_id = '" + run + "'", "true"
        )) << "given back, for later";
        EXPECT_EQ(sql("select count(*)::text from pawl.event where run_id = '" + run + "'"), "1");
    }
}

TEST_F(Embed, AVersionThatWasRolledBackStaysSo) {
    sql("select version::text from pawl.apply_workflow('twice', "
        "'{\"name\": \"twice\", \"code\": \"0.9.0\", \"nodes\": [{\"id\": \"work\", \"type\": "
        "\"code\"}]}')");
    const std::string head = "select version::text from pawl.definition where name = 'twice'";
    { const Running engine(*this, std::make_shared<Twice>()); }
    ASSERT_EQ(sql(head), "2") << "what is new is published";
    sql("select version::text from pawl.activate_workflow(1, 'twice', 1)");
    { const Running engine(*this, std::make_shared<Twice>()); }
    EXPECT_EQ(sql(head), "1");
}

TEST_F(Embed, AMoveToAPlanThatAnotherProgramHasIsLeftToThat) {
    const auto next = std::make_shared<Twice>("first", "1.1.0");
    std::string run;
    const auto count = [&](const std::string& table) {
        return sql("select count(*)::text from pawl." + table + " where run_id = '" + run + "'");
    };
    {
        const Running old(*this, std::make_shared<Twice>());
        run = store->create_run({.workflow = "twice"});
        ASSERT_TRUE(comes("select pawl.status('" + run + "')", "waiting"));
        // A program that has its plan publishes the next version, and ends.
        { const Running other(*this, next); }
        const std::string events = count("event");
        sql("select count(*)::text from pawl.leave_signals(0::smallint, array['" + run +
            "']::uuid[], array['repin'], array['{\"version\": 2, \"map\": {}}']::jsonb[], true)");
        EXPECT_TRUE(comes(
            "select (state = 0 and due_at > now())::text from pawl.live_run where run_id = '" +
                run + "'",
            "true"
        )) << "given back, for later";
        EXPECT_EQ(count("event"), events) << "nothing was written about it";
        EXPECT_EQ(count("signal"), "1") << "it waits for a program that has the plan";
    }
    const Running other(*this, next);
    EXPECT_TRUE(comes("select version::text from pawl.live_run where run_id = '" + run + "'", "2"));
    sql("select pawl.signal('" + run + "', 'go')::text");
    EXPECT_TRUE(comes("select pawl.status('" + run + "')", "completed"));
    EXPECT_EQ(done, 2);
}

TEST_F(Embed, ARunThatMovedIsReadWithAllItsVersions) {
    const auto apply = [&](const std::string& first) {
        sql("select version::text from pawl.apply_workflow('moved', '{\"name\": \"moved\", "
            "\"steps\": [{\"id\": \"" +
            first +
            "\", \"type\": \"code\", \"function\": \"noop\"}, {\"id\": \"rest\", \"type\": "
            "\"wait\", \"signal\": \"go\"}]}')");
    };
    apply("old");
    const std::string run = store->create_run({.workflow = "moved"});
    apply("new");
    sql("with log as (insert into pawl.event (run_id, at, seq, bucket, type, attempt, node, data) "
        "values ('" +
        run + "', now(), 1, 0, 1, 1, 'old', '7'), ('" + run +
        "', now(), 2, 0, 18, 0, null, '{\"version\": 2, \"from\": 1, \"map\": {\"old\": "
        "\"new\"}}')) update pawl.live_run set version = 2 where run_id = '" +
        run + "' returning version::text");
    const auto record = store->load_run(run);
    ASSERT_TRUE(record);
    ASSERT_EQ(record->steps.size(), 2u);
    EXPECT_EQ(record->steps[0].name, "new");
    EXPECT_EQ(record->steps[0].status, "completed");
    EXPECT_EQ(record->steps[0].result, 7);
    EXPECT_EQ(record->context.at("step_0_result"), 7);
}

TEST_F(Embed, AnEngineThatStopsAsksItsStepsToStop) {
    const auto step = std::make_shared<Stubborn>();
    auto registry = std::make_shared<Registry>();
    registry->add(std::make_shared<Twice>());
    registry->add(step);
    Engine engine({.database = database.url(), .drain = 100ms, .quiet = true}, registry);
    std::thread thread([&] { EXPECT_EQ(engine.run(), 0); });
    ASSERT_TRUE(comes("select count(*)::text from pawl.workflow where name = 'twice'", "1"));
    const std::string run = store->create_run({.workflow = "twice"});
    EXPECT_EQ(step->begun.get_future().wait_for(30s), std::future_status::ready);
    engine.stop();
    thread.join();
    EXPECT_EQ(sql("select count(*)::text from pawl.event where run_id = '" + run + "'"), "2");
    EXPECT_FALSE(store->load_run(run)->closed) << "it goes on elsewhere";
}

TEST_F(Embed, QueuesAreThoseOfPgmq) {
    const auto queue = make_queue(database.url());
    queue->create("work");
    queue->create("work");
    const auto id = queue->enqueue("work", {{"n", 1}});
    const auto message = queue->dequeue("work", 30s);
    ASSERT_TRUE(message);
    EXPECT_EQ(message->id, id);
    EXPECT_EQ(message->payload, (json::value{{"n", 1}}));
    EXPECT_FALSE(queue->dequeue("work", 30s)) << "hidden";
    EXPECT_TRUE(queue->remove("work", id));
    EXPECT_FALSE(queue->remove("work", id));
}

TEST_F(Embed, ADatabaseThatIsNotThereIsTold) {
    EXPECT_THROW(
        make_state_store("postgresql://127.0.0.1:1/x")->load_run(std::string(36, '0')),
        std::exception
    );
    Engine engine(
        {.database = "postgresql://127.0.0.1:1/x", .quiet = true}, std::make_shared<Registry>()
    );
    EXPECT_THROW(engine.run(), std::runtime_error);
}

}  // namespace
}  // namespace pawl::test
