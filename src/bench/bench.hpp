#pragma once

#include <string>
#include <vector>

namespace pawl::bench {

struct BenchOptions {
    std::vector<std::string> workloads;  // empty: all
    std::string database_url;            // empty: a throw-away cluster of its own for each workload
    bool json = false;                   // one object a line on stdout
    bool quiet = false;                  // no progress
    double seconds = 6;                  // how long the timed workloads run
    long parked_runs = 1'000'000;
    long migrate_runs = 100'000;
    long history_events = 10'000'000;
    long people = 100'000;  // who enter the journey
    long rows = 100'000;    // of a watched table, and runs that one statement starts
    std::string program;    // path of this binary, for workloads with several processes
};

// Names of all workloads, in the order they run.
std::vector<std::string> workload_names();

// Runs the workloads one after the other. Returns the exit code.
int run_bench(const BenchOptions& options);

struct BenchChildOptions {
    std::string database_url;
    bool hang = false;  // its steps never end
};

// A child of the workloads with several processes: a worker that reports each first line of a step
// on stdout.
int run_bench_child(const BenchChildOptions& options);

}  // namespace pawl::bench
