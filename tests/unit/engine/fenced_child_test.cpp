#include "engine/async/gate.hpp"
#include "engine/worker/worker.hpp"
#include "model/definition.hpp"
#include "store/mem/mem_store.hpp"
#include "support/loop.hpp"
#include "support/runs.hpp"

#include <gtest/gtest.h>

#include <deque>
#include <functional>
#include <set>
#include <string>
#include <vector>

// A worker is declared dead while it starts children: none is lost, none is started twice, and none
// is started for a run that is not there.
namespace pawl::test {
namespace {

using namespace std::chrono_literals;

// Something happens right before children are started, once for each that is put here.
class Interrupted : public store::MemStore {
public:
    using Event = std::function<asio::awaitable<void>()>;
    using store::MemStore::MemStore;

    asio::awaitable<std::vector<store::Existing>> start_runs(const store::StartBatch& batch
    ) override {
        for (const store::NewRun& run : batch.runs) keys.insert(run.correlation);
        if (!before_.empty()) {
            const Event event = std::move(before_.front());
            before_.pop_front();
            co_await event();
        }
        co_return co_await store::MemStore::start_runs(batch);
    }
    asio::awaitable<Instant> register_worker(store::WorkerInfo worker) override {
        ++sessions;
        return store::MemStore::register_worker(std::move(worker));
    }
    void before_start(Event event) { before_.push_back(std::move(event)); }

    int sessions = 0;
    std::set<std::string> keys;  // of all the children that were asked for

private:
    std::deque<Event> before_;
};

class FencedChild : public ::testing::Test {
protected:
    FencedChild() : client_(executor_), steps_(executor_, registry_, client_, {}) {
        options_.heartbeat_every = 20ms;
        registry_.add_sync("work", [this](const steps::StepRequest& request) {
            keys_.push_back(request.idempotency_key);
            return steps::completed(nullptr);
        });
        using Later = asio::awaitable<steps::StepOutcome>;
        registry_.add_async("later", [this](steps::StepRequest) -> Later {
            co_await pause(50ms);
            co_return steps::completed(nullptr);
        });
        apply("{name: child, steps: [{name: a, code: work}]}");
        apply("{name: parent, steps: [{name: ask, call: {workflow: child}}]}");
        apply("{name: slow, steps: [{name: b, code: later}, {name: ask, call: {workflow: child}}]}"
        );
    }
    void apply(const char* text) {
        tables_.apply_workflow(store::default_tenant, parse_definition(text).value());
    }
    RunId start(const std::string& workflow) {
        auto run = new_run(tables_.find_workflow(store::default_tenant, workflow)->id);
        store::StartBatch batch;
        batch.runs = {run};
        tables_.start_runs(batch);
        return run.id;
    }
    // Works until something is so.
    void until(std::function<bool()> so) {
        loop_.run(work(so));
        EXPECT_TRUE(so());
    }
    asio::awaitable<void> pause(Duration duration) {
        engine::Gate never(executor_);
        co_await never.wait(Steady::now() + duration);
    }
    void declare_dead() {
        tables_.now += 1min;
        tables_.sweep_dead_workers(30s);
    }
    // A standby takes over that has received nothing since.
    void fail_over(const store::MemTables& standby) {
        tables_ = standby;
        declare_dead();
    }
    std::size_t runs_of(const std::string& workflow) {
        store::RunFilter filter;
        filter.workflow = workflow;
        return tables_.list_runs({}, filter).runs.size();
    }
    bool is_closed(RunId run) {
        for (const RunId closed : tables_.closed_runs(0)) {
            if (closed == run) return true;
        }
        return false;
    }
    int failures(RunId run) {
        int count = 0;
        for (const Event& event : tables_.load_log(0, run)) {
            if (event.type == EventType::step_failed) ++count;
        }
        return count;
    }

    Loop loop_;
    asio::any_io_executor executor_ = loop_.context().get_executor();
    http::Client client_;
    steps::CodeRegistry registry_;
    steps::Executor steps_;
    engine::Metrics metrics_;
    engine::WorkerOptions options_;
    store::MemTables tables_;
    Interrupted store_{tables_};
    std::vector<std::string> keys_;

private:
    asio::awaitable<void> work(std::function<bool()> so) {
        engine::Worker worker(executor_, store_, steps_, metrics_, options_);
        bool ended = false;
        asio::co_spawn(executor_, worker.run(), [&ended](std::exception_ptr) { ended = true; });
        const auto deadline = Steady::now() + 30s;
        while (!so() && Steady::now() < deadline) co_await pause(1ms);
        co_await pause(20ms);  // for what should not happen
        worker.stop();
        while (!ended) co_await pause(1ms);
    }
};

TEST_F(FencedChild, IsStartedOnceByTheNextWorker) {
    const RunId parent = start("parent");
    store_.before_start([this]() -> asio::awaitable<void> {
        declare_dead();
        co_return;
    });
    until([&] { return is_closed(parent); });
    EXPECT_EQ(store_.sessions, 2) << "another worker went on";
    EXPECT_EQ(runs_of("child"), 1u);
    EXPECT_EQ(keys_.size(), 1u);
    EXPECT_EQ(store_.keys.size(), 1u) << "it asked for the same child";
    EXPECT_EQ(failures(parent), 0) << "the fence is no fault of the step";
}

// The first one is started without the worker's being told; the next worker finds it.
TEST_F(FencedChild, ThatWasStartedBeforeTheFenceIsFound) {
    const RunId parent = start("parent");
    store_.before_start([this]() -> asio::awaitable<void> {
        store::StartBatch batch;
        batch.runs = {new_run(tables_.find_workflow(store::default_tenant, "child")->id)};
        batch.runs[0].correlation = *store_.keys.begin();
        tables_.start_runs(batch);
        declare_dead();
        co_return;
    });
    until([&] { return store_.keys.size() == 1 && store_.sessions == 2 && !keys_.empty(); });
    EXPECT_EQ(runs_of("child"), 1u);
    EXPECT_EQ(keys_.size(), 1u);
    EXPECT_EQ(failures(parent), 0);
}

TEST_F(FencedChild, OfARunThatNeverWasIsNotStarted) {
    const store::MemTables standby = tables_;
    start("parent");
    store_.before_start([this, standby]() -> asio::awaitable<void> {
        fail_over(standby);
        co_return;
    });
    until([&] { return store_.sessions == 2; });
    EXPECT_EQ(runs_of("parent"), 0u);
    EXPECT_EQ(runs_of("child"), 0u);
}

// Then it asks for no lease, and is fenced all the same.
TEST_F(FencedChild, OfARunThatNeverWasIsNotStartedWhereThereIsNoRoom) {
    options_.runs_max = 1;
    const store::MemTables standby = tables_;
    start("parent");
    store_.before_start([this, standby]() -> asio::awaitable<void> {
        fail_over(standby);
        co_return;
    });
    until([&] { return store_.sessions == 2; });
    EXPECT_EQ(runs_of("parent"), 0u);
    EXPECT_EQ(runs_of("child"), 0u);
}

// It waits for another start until the worker has a new session.
TEST_F(FencedChild, OfAnEarlierSessionIsNotStarted) {
    const store::MemTables standby = tables_;
    start("parent");
    start("slow");
    store_.before_start([this, standby]() -> asio::awaitable<void> {
        co_await pause(150ms);
        fail_over(standby);
        while (store_.sessions < 2) co_await pause(1ms);
    });
    until([&] { return store_.sessions == 2; });
    EXPECT_EQ(store_.keys.size(), 1u) << "the other is not asked for";
    EXPECT_EQ(runs_of("child"), 0u);
}

}  // namespace
}  // namespace pawl::test
