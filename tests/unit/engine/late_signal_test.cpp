#include "engine/async/gate.hpp"
#include "engine/worker/worker.hpp"
#include "model/definition.hpp"
#include "store/mem/mem_store.hpp"
#include "support/loop.hpp"
#include "support/runs.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <string>

// A claim brings several runs and their messages. While the version of one is read, another may
// commit what it was told: it is not told a second time.
namespace pawl::test {
namespace {

using namespace std::chrono_literals;

// The version of one workflow is answered only when something is so.
class SlowVersion : public store::MemStore {
public:
    using store::MemStore::MemStore;

    asio::awaitable<std::optional<store::WorkflowVersion>> find_version(
        store::WorkflowId workflow, std::int32_t version
    ) override {
        const auto stored = co_await store::MemStore::find_version(workflow, version);
        if (workflow == slow) co_await until();
        co_return stored;
    }
    asio::awaitable<Instant> commit_runs(const store::CommitBatch& batch) override {
        consumed += batch.consumed.size();
        const Instant at = co_await store::MemStore::commit_runs(batch);
        ++commits;
        co_return at;
    }

    store::WorkflowId slow = 0;
    std::function<asio::awaitable<void>()> until;
    std::size_t consumed = 0;
    int commits = 0;
};

class LateSignal : public ::testing::Test {
protected:
    LateSignal() : client_(executor_), steps_(executor_, registry_, client_, {}) {
        using Later = asio::awaitable<steps::StepOutcome>;
        registry_.add_async("hold", [this](steps::StepRequest) -> Later {
            ++calls_;
            while (!released_) co_await pause();
            co_return steps::completed(nullptr);
        });
        registry_.add_sync("work", [this](const steps::StepRequest&) {
            released_ = true;
            return steps::completed(nullptr);
        });
    }
    store::WorkflowId apply(const std::string& name, const char* text) {
        tables_.apply_workflow(store::default_tenant, parse_definition(text).value());
        return tables_.find_workflow(store::default_tenant, name)->id;
    }
    RunId start(store::WorkflowId workflow) {
        auto run = new_run(workflow);
        store::StartBatch batch;
        batch.runs = {run};
        tables_.start_runs(batch);
        return run.id;
    }
    asio::awaitable<void> pause() {
        engine::Gate never(executor_);
        co_await never.wait(Steady::now() + 1ms);
    }
    asio::awaitable<void> work() {
        engine::Worker worker(executor_, store_, steps_, metrics_, options_);
        bool ended = false;
        asio::co_spawn(executor_, worker.run(), [&ended](std::exception_ptr) { ended = true; });
        const auto deadline = Steady::now() + 30s;
        while (tables_.closed_runs(0).size() < 2 && Steady::now() < deadline) co_await pause();
        worker.stop();
        while (!ended) co_await pause();
    }

    Loop loop_;
    asio::any_io_executor executor_ = loop_.context().get_executor();
    http::Client client_;
    steps::CodeRegistry registry_;
    steps::Executor steps_;
    engine::Metrics metrics_;
    engine::WorkerOptions options_;
    store::MemTables tables_;
    SlowVersion store_{tables_};
    bool released_ = false;
    int calls_ = 0;
};

TEST_F(LateSignal, IsNotReceivedAgainAfterItsCommit) {
    const auto told = apply(
        "told", "{name: told, steps: [{name: ear, wait: {signal: go}}, {name: a, code: hold}]}"
    );
    store_.slow = apply("slow", "{name: slow, steps: [{name: b, code: work}]}");
    store_.until = [this]() -> asio::awaitable<void> {
        while (store_.commits == 0) co_await pause();
        while (calls_ == 0) co_await pause();
    };
    const RunId run = start(told);
    tables_.send_signal(0, run, "signal", json::object{{"name", "go"}});
    start(store_.slow);
    loop_.run(work());
    EXPECT_EQ(tables_.closed_runs(0).size(), 2u);
    EXPECT_EQ(store_.consumed, 1u);
    EXPECT_EQ(calls_, 1) << "a run that was refused is read anew, and its step begins again";
}

}  // namespace
}  // namespace pawl::test
