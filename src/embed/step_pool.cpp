#include "embed/step_pool.hpp"

#include "engine/gate.hpp"

#include <boost/asio/post.hpp>
#include <boost/asio/this_coro.hpp>

#include <algorithm>
#include <mutex>

namespace pawl::embed {

namespace {

class Direct : public Executor {
public:
    StepResult run_step(Step& step, const ExecutionContext& context) override {
        return step.execute(context);
    }
};

// Shared by the coroutine that waits and the thread that works. The coroutine may go first (a
// timeout, the end of the process); what comes after that is dropped.
struct Attempt {
    asio::any_io_executor executor;
    engine::Gate* done = nullptr;  // in the coroutine's frame
    std::stop_source stop;
    steps::StepOutcome outcome;
    bool over = false;
    std::mutex mutex;        // between the two threads
    bool abandoned = false;  // under the mutex: executor and gate may be gone
};

// Ends with the coroutine's frame, which ends before its executor.
struct Abandon {
    std::shared_ptr<Attempt> attempt;
    ~Abandon() {
        attempt->stop.request_stop();
        const std::lock_guard lock(attempt->mutex);
        attempt->abandoned = true;
    }
};

ExecutionContext context_of(const steps::StepRequest& request, const std::stop_source& stop) {
    ExecutionContext context;
    context.run_id = request.run_id;
    context.tenant = request.tenant;
    context.workflow = request.workflow;
    context.step = request.node;
    context.subject = request.subject;
    context.attempt = request.attempt;
    context.idempotency_key = request.idempotency_key;
    context.config = request.config;
    if (const auto* input = request.config.if_contains("input")) context.input = *input;
    context.deadline = Steady::now() + request.timeout;
    context.stop = stop.get_token();
    return context;
}

steps::StepOutcome outcome_of(const StepResult& result) {
    if (!result.failed()) return steps::completed(result.result());
    StepError error;
    error.error_class = result.kind() == FailureKind::retryable   ? ErrorClass::retryable
                        : result.kind() == FailureKind::permanent ? ErrorClass::permanent
                                                                  : ErrorClass::ambiguous;
    error.code = result.code().empty() ? "failed" : result.code();
    error.message = result.message();
    if (result.retry_after()) error.retry_after = *result.retry_after();
    return steps::failed(std::move(error));
}

steps::StepOutcome execute(Executor& executor, Step& step, const ExecutionContext& context) {
    try {
        return outcome_of(executor.run_step(step, context));
    } catch (const std::exception& error) {
        return steps::failed(ErrorClass::retryable, "exception", error.what());
    } catch (...) {
        return steps::failed(
            ErrorClass::retryable, "exception", "something that is not a std::exception was thrown"
        );
    }
}

void answer(const std::shared_ptr<Attempt>& attempt, steps::StepOutcome outcome) {
    const std::lock_guard lock(attempt->mutex);
    if (attempt->abandoned) return;
    asio::post(attempt->executor, [attempt, outcome = std::move(outcome)]() mutable {
        // On the coroutine's own thread, where nothing else touches these.
        if (attempt->abandoned) return;
        attempt->outcome = std::move(outcome);
        attempt->over = true;
        attempt->done->open();
    });
}

}  // namespace

StepPool::StepPool(int threads, std::shared_ptr<Executor> executor)
    : executor_(executor ? std::move(executor) : std::make_shared<Direct>()),
      threads_(static_cast<std::size_t>(std::max(threads, 1))) {}

StepPool::~StepPool() {
    threads_.join();
}

steps::AsyncFunction StepPool::function_for(std::shared_ptr<Step> step) {
    return [this, step = std::move(step)](steps::StepRequest request) {
        return run(step, std::move(request));
    };
}

asio::awaitable<steps::StepOutcome> StepPool::run(
    std::shared_ptr<Step> step, steps::StepRequest request
) {
    auto attempt = std::make_shared<Attempt>();
    attempt->executor = co_await asio::this_coro::executor;
    engine::Gate done(attempt->executor);
    attempt->done = &done;
    const Abandon abandon{attempt};
    asio::post(
        threads_,
        [attempt, step = std::move(step), executor = executor_, request = std::move(request)] {
            if (attempt->stop.stop_requested()) return;
            answer(attempt, execute(*executor, *step, context_of(request, attempt->stop)));
        }
    );
    while (!attempt->over) co_await done.wait();
    co_return std::move(attempt->outcome);
}

}  // namespace pawl::embed
