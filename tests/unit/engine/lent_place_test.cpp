#include "engine/async/gate.hpp"
#include "engine/worker/worker.hpp"
#include "model/definition.hpp"
#include "store/mem/mem_store.hpp"
#include "support/loop.hpp"

#include <boost/asio/co_spawn.hpp>
#include <fmt/core.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

// A run at its limit gives its place to one child at a time.
namespace pawl::test {
namespace {

using namespace std::chrono_literals;

// Answers when it is told to.
class Slow : public store::MemStore {
public:
    Slow(store::MemTables& tables, asio::any_io_executor executor)
        : store::MemStore(tables), tables_(tables), executor_(std::move(executor)) {}

    asio::awaitable<std::optional<store::WorkflowVersion>> find_workflow(
        store::TenantId tenant, std::string name
    ) override {
        while (name == "second" && !finds_second) co_await pause();
        co_return co_await store::MemStore::find_workflow(tenant, std::move(name));
    }
    asio::awaitable<std::vector<store::Existing>> start_runs(const store::StartBatch& batch
    ) override {
        const bool child = batch.runs.front().is_child;
        while (child && !commits) co_await pause();
        auto existing = co_await store::MemStore::start_runs(batch);
        children += child ? 1 : 0;
        co_return existing;
    }
    // The wait of the third step, which has no room, is under way meanwhile.
    asio::awaitable<Instant> commit_runs(const store::CommitBatch& batch) override {
        const bool waits = std::any_of(batch.events.begin(), batch.events.end(), [](const auto& e) {
            return e.event.type == EventType::wait_started;
        });
        commits = commits || waits;
        while (waits && !may_commit) co_await pause();
        co_return co_await store::MemStore::commit_runs(batch);
    }
    asio::awaitable<void> pause() {
        engine::Gate never(executor_);
        co_await never.wait(Steady::now() + 1ms);
        tables_.now = began_ + std::chrono::duration_cast<Duration>(Steady::now() - begun_);
    }

    int children = 0;
    bool commits = false;
    bool finds_second = false;
    bool may_commit = false;

private:
    store::MemTables& tables_;
    asio::any_io_executor executor_;
    const Steady::time_point begun_ = Steady::now();
    const Instant began_ = tables_.now;
};

class LentPlace : public ::testing::Test {
protected:
    LentPlace() : client_(executor_), steps_(executor_, registry_, client_, {}) {
        registry_.add_sync("work", [](const steps::StepRequest&) {
            return steps::completed(nullptr);
        });
        const std::string flow = "flow: {concurrency: {name: crm, limit: 1, scope: tenant}}";
        for (const char* name : {"first", "second", "third"}) {
            apply(fmt::format("{{name: {}, {}, steps: [{{name: a, code: work}}]}}", name, flow));
        }
        apply(fmt::format(
            "{{name: parent, {}, nodes: [{{id: all, type: parallel}}, "
            "{{id: a, call: {{workflow: first}}}}, {{id: b, call: {{workflow: second}}}}, "
            "{{id: c, call: {{workflow: third}}}}], "
            "edges: [{{from: all, to: a}}, {{from: all, to: b}}, {{from: all, to: c}}]}}",
            flow
        ));
    }
    void apply(const std::string& text) {
        tables_.apply_workflow(store::default_tenant, parse_definition(text).value());
    }
    asio::awaitable<void> until(std::function<bool()> so) {
        const auto deadline = Steady::now() + 30s;
        while (!so() && Steady::now() < deadline) co_await store_.pause();
        EXPECT_TRUE(so());
    }
    asio::awaitable<void> run() {
        engine::Worker worker(executor_, store_, steps_, metrics_, {});
        bool ended = false;
        asio::co_spawn(executor_, worker.run(), [&ended](std::exception_ptr) { ended = true; });
        co_await until([&] { return worker.working(); });
        engine::StartRequest request;
        request.program = co_await worker.find_program(store::default_tenant, "parent");
        request.input = json::object();
        co_await worker.start({request});
        co_await until([this] { return store_.children == 1; });
        store_.finds_second = true;
        for (int i = 0; i < 20; ++i) co_await store_.pause();  // for what should not happen
        EXPECT_EQ(store_.children, 1) << "the first one has the place, though it is not noted yet";
        store_.may_commit = true;
        co_await until([this] { return tables_.closed_runs(0).size() == 4; });
        worker.stop();
        co_await until([&ended] { return ended; });
    }

    Loop loop_;
    asio::any_io_executor executor_ = loop_.context().get_executor();
    http::Client client_;
    steps::CodeRegistry registry_;
    steps::Executor steps_;
    engine::Metrics metrics_;
    store::MemTables tables_;
    Slow store_{tables_, executor_};
};

TEST_F(LentPlace, IsNotGivenToASecondChildWhileACommitIsUnderWay) {
    loop_.run(run());
}

}  // namespace
}  // namespace pawl::test
