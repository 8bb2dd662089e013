#pragma once

#include "base/json.hpp"
#include "host/worker_thread.hpp"

#include <cstdint>
#include <string>

namespace pawl::bench {

namespace asio = boost::asio;

// A worker in this process with the no-op workflows the workloads need.
class Rig {
public:
    explicit Rig(const pg::ConnectOptions& connect, engine::WorkerOptions options = {});
    ~Rig();

    host::WorkerThread& thread() { return *thread_; }
    engine::Worker& worker() { return thread_->worker(); }
    steps::CodeRegistry& registry() { return registry_; }
    // Runs a coroutine on the worker's thread and waits for its end.
    void run(asio::awaitable<void> task);
    void start();

private:
    engine::Metrics metrics_;
    steps::CodeRegistry registry_;
    std::unique_ptr<host::WorkerThread> thread_;
};

// Makes a workflow of `steps` no-op steps (or of `step_function`) and returns its program.
asio::awaitable<engine::ProgramPtr> make_workflow(
    host::WorkerThread& thread, std::string name, int steps, std::string step_function
);

// Starts 3-step runs as fast as they finish for `seconds`, waits for the last, and returns how many
// steps were done.
asio::awaitable<void> run_steps_for(
    host::WorkerThread& thread, double seconds, std::int64_t& steps
);

// The same for any definition text: `steps` are those of a run.
struct Drive {
    std::string text;
    std::string name;
    std::int64_t steps = 1;   // of one run
    std::size_t batch = 500;  // runs started at a time
    double seconds = 5;
    json::value input = json::object();
    std::int64_t keys = 0;  // runs get an input `key`, so many different ones
};
asio::awaitable<void> drive(host::WorkerThread& thread, Drive drive, std::int64_t& steps);

// The rate of run_steps_for.
double steps_per_second(Rig& rig, double seconds);
// The same of a rig that is started by it, after a second that does not count.
double warm_steps_per_second(Rig& rig, double seconds);

}  // namespace pawl::bench
