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
    // A connection string or URL, as libpq takes it. Migrated by `pawl migrate up`.
    std::string database;
    int threads = 1;        // of workers; each holds up to 2000 runs
    int step_threads = 16;  // on which steps run, and may block
    // Carry on graphs too. false: only the workflows of the registry; other programs, such as
    // `pawl serve`, carry on the rest.
    bool graphs = false;
    std::string functions_url;               // for function steps of graphs
    std::shared_ptr<Executor> executor;      // null: the engine's own
    std::shared_ptr<Dispatcher> dispatcher;  // gets run.completed, run.failed, run.cancelled
    std::chrono::milliseconds drain = std::chrono::seconds(8);  // what steps get to finish in
    bool quiet = false;                                         // no log lines but warnings
    std::function<void()> on_ready;  // called once, on a thread of the engine
};

// Workers of a program's own workflows, on the same tables, log and views as every other: the API,
// `pawl runs` and other programs see no difference. Owns its threads. kill -9 loses nothing that
// was committed; another program with the same workflows goes on within 15 s.
class Engine {
public:
    // Throws std::invalid_argument when a workflow names a step that is not in the registry.
    Engine(EngineOptions options, std::shared_ptr<const Registry> registry);
    ~Engine();
    Engine(const Engine&) = delete;
    Engine& operator=(const Engine&) = delete;

    // Makes the workflows of the registry known to the database, the highest version of each as the
    // active one, then works until stop(), SIGTERM or SIGINT. Blocks. Returns an exit code.
    // Throws std::runtime_error when the database cannot be reached or is not migrated. Once.
    int run();
    // From any thread: finish what is under way, then return from run().
    void stop();

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace pawl
