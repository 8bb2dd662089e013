#pragma once

#include "pawl/registry.hpp"
#include "steps/code.hpp"

#include <boost/asio/thread_pool.hpp>

#include <memory>

namespace pawl::embed {

namespace asio = boost::asio;

// Threads on which steps of users run and may block. Any number of workers hand attempts in, each
// from its own thread, and are answered there. The time of an attempt begins when a thread has it:
// there may be more attempts than threads, and those that wait have not failed. The destructor
// waits for the steps that are under way, which were asked to stop by then.
class StepPool {
public:
    StepPool(int threads, std::shared_ptr<Executor> executor, bool every_tenant);
    ~StepPool();
    StepPool(const StepPool&) = delete;
    StepPool& operator=(const StepPool&) = delete;

    // What a `code` step of this name does. The pool outlives every call of it.
    steps::QueuedFunction function_for(std::shared_ptr<Step> step);

private:
    asio::awaitable<steps::StepOutcome> run(std::shared_ptr<Step> step, steps::StepRequest request);

    std::shared_ptr<Executor> executor_;
    bool every_tenant_;
    asio::thread_pool threads_;
};

}  // namespace pawl::embed
