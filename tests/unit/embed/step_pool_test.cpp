#include "embed/code_host.hpp"
#include "steps/executor.hpp"
#include "support/loop.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <condition_variable>
#include <functional>
#include <mutex>

// Steps in C++ on the threads of a pool, as a worker executes them.
namespace pawl::embed {
namespace {

using namespace std::chrono_literals;
using Body = std::function<StepResult(const ExecutionContext&)>;

// Blocks this thread; ends early when the step is asked to stop.
void block(const ExecutionContext& context, Steady::time_point until) {
    std::mutex mutex;
    std::condition_variable_any never;
    std::unique_lock lock(mutex);
    never.wait_until(lock, context.stop, until, [] { return false; });
}

class Does : public Step {
public:
    explicit Does(Body body) : body_(std::move(body)) {}
    std::string name() const override { return "work"; }
    StepResult execute(const ExecutionContext& context) override { return body_(context); }

private:
    Body body_;
};

class StepPoolTest : public testing::Test {
protected:
    // One thread, whose steps do this.
    void serve(Body body) {
        auto registry = std::make_shared<Registry>();
        registry->add(std::make_shared<Does>(std::move(body)));
        host_ = std::make_unique<CodeHost>(registry, CodeHostOptions{.step_threads = 1});
        host::ServeOptions options;
        host_->add_to(options);
        options.add_steps(code_);
    }
    static steps::StepRequest request(Duration timeout) {
        steps::StepRequest request;
        request.config = {{"function", "work"}};
        request.timeout = timeout;
        return request;
    }
    std::string run(std::vector<steps::StepRequest> requests) {
        steps::Executor executor(loop_.context().get_executor(), code_, client_, {});
        std::vector<asio::awaitable<steps::StepOutcome>> attempts;
        for (auto& one : requests) attempts.push_back(executor.execute(std::move(one)));
        std::string codes;
        for (const auto& outcome : loop_.run_all(std::move(attempts))) {
            codes += (codes.empty() ? "" : " ") + (outcome.error ? outcome.error->code : "ok");
        }
        return codes;
    }

    test::Loop loop_;
    http::Client client_{loop_.context().get_executor()};
    steps::CodeRegistry code_;
    std::unique_ptr<CodeHost> host_;
};

TEST_F(StepPoolTest, StepsOfThisProgramAreForTheTenantItWorksFor) {
    std::atomic<int> executed = 0;
    serve([&](const ExecutionContext&) {
        ++executed;
        return StepResult::ok();
    });
    auto theirs = request(10s);
    theirs.tenant = 2;
    EXPECT_EQ(run({theirs}), "other_tenant");
    EXPECT_EQ(executed, 0);
    EXPECT_EQ(run({request(10s)}), "ok");
}

TEST_F(StepPoolTest, TheTimeOfAnAttemptBeginsWhenAThreadHasIt) {
    serve([first = true](const ExecutionContext& context) mutable {
        if (std::exchange(first, false)) block(context, Steady::now() + 400ms);
        return StepResult::ok();
    });
    EXPECT_EQ(run({request(30s), request(100ms)}), "ok ok");
}

TEST_F(StepPoolTest, AnAttemptThatTakesTooLongIsOver) {
    serve([](const ExecutionContext& context) {
        block(context, Steady::now() + 30s);
        return StepResult::ok();
    });
    EXPECT_EQ(run({request(50ms)}), "timeout");
}

TEST_F(StepPoolTest, AStepThatAnswersAtItsDeadlineIsHeard) {
    serve([](const ExecutionContext& context) {
        block(context, context.deadline);
        return StepResult::fail(FailureKind::ambiguous, "accepted", "perhaps");
    });
    EXPECT_EQ(run({request(1s)}), "accepted");
}

}  // namespace
}  // namespace pawl::embed
