#include "bench/bench.hpp"

#include "cli/commands.hpp"
#include "cli/console.hpp"

#include <cstdlib>
#include <filesystem>

namespace pawl::cli {

namespace {

// Never the database of a `pawl dev` found by chance: a benchmark fills what it runs on.
std::string chosen_database(const Globals& globals) {
    if (!globals.database_url.empty()) return globals.database_url;
    const char* url = std::getenv("DATABASE_URL");
    return url == nullptr ? "" : url;
}

}  // namespace

int run_bench(const BenchOptions& options) {
    bench::BenchOptions bench;
    bench.workloads = options.workloads;
    bench.database_url = chosen_database(options.globals);
    bench.json = options.json || options.globals.output != OutputFormat::table;
    bench.quiet = options.globals.quiet;
    bench.seconds = options.seconds;
    bench.parked_runs = options.parked_runs;
    bench.migrate_runs = options.migrate_runs;
    bench.history_events = options.history_events;
    bench.program = std::filesystem::read_symlink("/proc/self/exe").string();
    return bench::run_bench(bench);
}

int run_bench_child(const BenchChildOptions& options) {
    return bench::run_bench_child({options.globals.database_url, options.hang});
}

}  // namespace pawl::cli
