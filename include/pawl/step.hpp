#pragma once

// What a step does: the only place for effects.

#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include <chrono>
#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>

namespace pawl {

// One attempt, as the step sees it. A copy: it may be kept.
struct ExecutionContext {
    std::string run_id;
    int tenant = 1;  // the tenant of the run
    std::string workflow;
    std::string step;  // as the workflow declares it
    std::string subject;
    int attempt = 1;
    // The same over retries, crashes and workers: pass it on to the service you call.
    std::string idempotency_key;
    boost::json::value input;    // config.input, or null
    boost::json::object config;  // from the plan and the declaration
    // Return before this. The attempt counts as failed a little later: after another tenth of its
    // timeout, two seconds at most.
    std::chrono::steady_clock::time_point deadline;
    std::stop_token stop;  // requested when the attempt times out or the process ends
};

// What a failure means for a retry.
enum class FailureKind {
    retryable,  // retried by the step's policy
    permanent,  // a retry cannot help
    ambiguous,  // it may have taken place; not retried blindly
};

// The outcome of an attempt. An exception from execute() is a retryable failure with code
// "exception".
class StepResult {
public:
    static StepResult ok(boost::json::value result = nullptr);
    static StepResult fail(
        FailureKind kind,
        std::string code,
        std::string message,
        std::optional<std::chrono::milliseconds> retry_after = std::nullopt
    );

    bool failed() const { return failed_; }
    const boost::json::value& result() const { return result_; }
    FailureKind kind() const { return kind_; }
    const std::string& code() const { return code_; }
    const std::string& message() const { return message_; }
    std::optional<std::chrono::milliseconds> retry_after() const { return retry_after_; }

private:
    bool failed_ = false;
    boost::json::value result_;
    FailureKind kind_ = FailureKind::retryable;
    std::string code_;
    std::string message_;
    std::optional<std::chrono::milliseconds> retry_after_;
};

// A step in C++. It must be idempotent: after a crash it may be executed again, with the same
// idempotency key. The result is committed to the run's log before anything builds on it.
//
// Threads: execute() is called on a thread of the executor, for many runs at once, so it must be
// safe to call concurrently; it may block until its deadline. An attempt that does not end soon
// after counts as failed (retryable, code "timeout") while its thread continues; watch `stop`.
class Step {
public:
    virtual ~Step() = default;

    virtual std::string name() const = 0;
    virtual StepResult execute(const ExecutionContext& context) = 0;
};

// Executes attempts. The default uses a pool of threads (EngineOptions); provide another to run
// them elsewhere. run_step() is called on threads of the engine's pool, concurrently.
class Executor {
public:
    virtual ~Executor() = default;
    virtual StepResult run_step(Step& step, const ExecutionContext& context) = 0;
};

}  // namespace pawl
