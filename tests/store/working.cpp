#include "store/working.hpp"

#include "engine/async/gate.hpp"

#include <boost/asio/co_spawn.hpp>

namespace pawl::test {

using namespace std::chrono_literals;

Working::Working(PgUnderTest& db)
    : db_(db),
      client_(db.loop().context().get_executor()),
      steps_(db.loop().context().get_executor(), registry_, client_, {}) {
    registry_.add_sync("work", [this](const steps::StepRequest& request) {
        ++executed_[request.node];
        keys_[request.node].insert(request.idempotency_key);
        return steps::completed(json::object{{"node", request.node}});
    });
    registry_.add_sync("flaky", [this](const steps::StepRequest& request) {
        ++executed_[request.node];
        keys_[request.node].insert(request.idempotency_key);
        if (mended) return steps::completed(json::object{{"mended", true}});
        return steps::failed(ErrorClass::retryable, "flaky", "not mended yet");
    });
    using Later = asio::awaitable<steps::StepOutcome>;
    registry_.add_async("outside", [this](steps::StepRequest request) -> Later {
        ++executed_[request.node];
        co_return steps::completed(json::object());
    });
    registry_.add_async("hang", [this](steps::StepRequest request) -> Later {
        ++executed_[request.node];
        engine::Gate never(db_.loop().context().get_executor());
        co_await never.wait();
        co_return steps::completed(json::object());
    });
}

int Working::executed(const std::string& node) const {
    const auto found = executed_.find(node);
    return found == executed_.end() ? 0 : found->second;
}

std::set<std::string> Working::keys(const std::string& node) const {
    const auto found = keys_.find(node);
    return found == keys_.end() ? std::set<std::string>() : found->second;
}

RunId Working::run(const std::string& workflow) {
    const auto found = db_.find_workflow(workflow);
    auto run = new_run(found->id);
    run.version = found->version;
    db_.start({run});
    until_closed(1);
    return run.id;
}

void Working::until_closed(std::size_t runs) {
    const std::size_t wanted = closed_ + runs;
    db_.loop().run(work([this, wanted] { return closed_ >= wanted; }));
    EXPECT_EQ(closed_, wanted);
}

void Working::until(std::function<bool()> so) {
    db_.loop().run(work(so));
    EXPECT_TRUE(so());
}

asio::awaitable<void> Working::work(std::function<bool()> so) {
    const auto executor = db_.loop().context().get_executor();
    engine::Worker worker(executor, db_.store(), steps_, metrics_, options);
    bool ended = false;
    worker.on_closed = [this](const engine::ClosedRun&) {
        ++closed_;
        if (throws-- > 0) throw std::runtime_error("the embedding program throws");
    };
    asio::co_spawn(executor, worker.run(), [&ended](std::exception_ptr) { ended = true; });
    const auto deadline = Steady::now() + 60s;
    while (!so() && Steady::now() < deadline) co_await pause();
    worker.stop();
    while (!ended) co_await pause();
}

asio::awaitable<void> Working::pause() {
    engine::Gate never(db_.loop().context().get_executor());
    co_await never.wait(Steady::now() + 3ms);
}

}  // namespace pawl::test
