#include "embed/step_pool.hpp"

#include "engine/async/gate.hpp"
#include "steps/timeout.hpp"
#include "store/store.hpp"

#include <boost/asio/post.hpp>
#include <boost/asio/this_coro.hpp>
#include <fmt/core.h>

#include <algorithm>
#include <mutex>
#include <optional>

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
    engine::Gate* changed = nullptr;  // in the coroutine's frame
    std::stop_source stop;
    std::optional<Steady::time_point> ends;  // a thread has it; it may take until then
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

ExecutionContext context_of(
    const steps::StepRequest& request, Steady::time_point deadline, const std::stop_source& stop
) {
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
    context.deadline = deadline;
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

// The program's steps act with the program's rights, and it works for one tenant: other tenants may
// not name them.
steps::StepOutcome not_theirs(const steps::StepRequest& request) {
    return steps::failed(
        ErrorClass::permanent,
        "other_tenant",
        fmt::format(
            "the function of step \"{}\" belongs to a program that works for another tenant",
            request.node
        )
    );
}

// Changes the attempt on the coroutine's own thread, where nothing else touches it, and wakes the
// coroutine.
template <class Change>
void tell(const std::shared_ptr<Attempt>& attempt, Change change) {
    const std::lock_guard lock(attempt->mutex);
    if (attempt->abandoned) return;
    asio::post(attempt->executor, [attempt, change = std::move(change)]() mutable {
        if (attempt->abandoned) return;
        change(*attempt);
        attempt->changed->open();
    });
}

// How long before its timeout a step is asked to end. Its own answer (the call may have had its
// effect) is worth more than a timeout, so it must come first.
Duration margin(Duration timeout) {
    return std::min<Duration>(timeout / 10, std::chrono::seconds(2));
}

// On a thread of the pool.
void carry_out(
    const std::shared_ptr<Attempt>& attempt,
    Executor& executor,
    Step& step,
    const steps::StepRequest& request
) {
    if (attempt->stop.stop_requested()) return;
    const auto ends = Steady::now() + request.timeout;
    tell(attempt, [ends](Attempt& told) { told.ends = ends; });
    const auto deadline = ends - margin(request.timeout);
    auto outcome = execute(executor, step, context_of(request, deadline, attempt->stop));
    tell(attempt, [outcome = std::move(outcome)](Attempt& told) mutable {
        told.outcome = std::move(outcome);
        told.over = true;
    });
}

}  // namespace

StepPool::StepPool(int threads, std::shared_ptr<Executor> executor, bool every_tenant)
    : executor_(executor ? std::move(executor) : std::make_shared<Direct>()),
      every_tenant_(every_tenant),
      threads_(static_cast<std::size_t>(std::max(threads, 1))) {}

StepPool::~StepPool() {
    threads_.join();
}

steps::QueuedFunction StepPool::function_for(std::shared_ptr<Step> step) {
    return {[this, step = std::move(step)](steps::StepRequest request) {
        return run(step, std::move(request));
    }};
}

asio::awaitable<steps::StepOutcome> StepPool::run(
    std::shared_ptr<Step> step, steps::StepRequest request
) {
    if (!every_tenant_ && request.tenant != store::default_tenant) co_return not_theirs(request);
    auto attempt = std::make_shared<Attempt>();
    attempt->executor = co_await asio::this_coro::executor;
    engine::Gate changed(attempt->executor);
    attempt->changed = &changed;
    const Abandon abandon{attempt};
    const Duration limit = request.timeout;
    asio::post(
        threads_,
        [attempt, step = std::move(step), executor = executor_, request = std::move(request)] {
            carry_out(attempt, *executor, *step, request);
        }
    );
    while (!attempt->over) {
        if (attempt->ends && Steady::now() >= *attempt->ends) co_return steps::timed_out(limit);
        co_await changed.wait(attempt->ends.value_or(Steady::time_point::max()));
    }
    co_return std::move(attempt->outcome);
}

}  // namespace pawl::embed
