#pragma once

// Runs workers in your own program.

#include "pawl/dispatcher.hpp"
#include "pawl/registry.hpp"

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <string>

namespace pawl {

struct EngineOptions {
    // A libpq connection string or URL. The database is migrated by `pawl migrate up`.
    std::string database;
    int threads = 1;        // worker threads; each holds up to 2000 runs
    int step_threads = 16;  // threads on which steps run, and may block
    // Run graphs too. false: only the workflows of the registry; other programs, such as
    // `pawl serve`, run the rest.
    bool graphs = false;
    std::string functions_url;               // for function steps of graphs
    std::shared_ptr<Executor> executor;      // null: the engine's default
    std::shared_ptr<Dispatcher> dispatcher;  // gets run.completed, run.failed, run.cancelled
    std::chrono::milliseconds drain = std::chrono::seconds(8);  // time for steps to finish
    bool quiet = false;                                         // log only warnings
    std::function<void()> on_ready;  // called once, on a thread of the engine
};

// Workers for a program's own workflows, on the same tables, log and views as all others: the API,
// `pawl runs` and other programs see no difference. Owns its threads. kill -9 loses nothing that
// was committed; another program with the same workflows continues within 15 s.
class Engine {
public:
    // Throws std::invalid_argument if a workflow names a step that is not in the registry.
    Engine(EngineOptions options, std::shared_ptr<const Registry> registry);
    ~Engine();
    Engine(const Engine&) = delete;
    Engine& operator=(const Engine&) = delete;

    // Publishes the highest version of each workflow, unless the database has it already or a
    // higher one is active; then works until stop(), SIGTERM or SIGINT. Blocks. Returns an exit
    // code. Throws std::runtime_error if the database cannot be reached or is not migrated. Call it
    // once.
    int run();
    // From any thread: finish the steps under way, then return from run().
    void stop();

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace pawl
