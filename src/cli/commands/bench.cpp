#include "bench/bench.hpp"

#include "cli/commands/commands.hpp"
#include "cli/terminal/console.hpp"

#include <cstdlib>
#include <filesystem>

namespace pawl::cli {

namespace {

// The database of the other process: arguments would show its password.
std::string database_of_environment() {
    const char* url = std::getenv("DATABASE_URL");
    return url == nullptr ? "" : url;
}

}  // namespace

int run_bench(const BenchOptions& options) {
    // A benchmark fills what it runs on: never a database that an environment happens to name.
    if (!options.globals.database_url.empty() && !options.yes) {
        const char* next = "say --yes, or leave --database-url out for a throw-away cluster";
        Error error{Errc::invalid, "the benchmark fills the database with runs", {{"next", next}}};
        return report(options.globals, error);
    }
    bench::BenchOptions bench;
    bench.workloads = options.workloads;
    bench.database_url = options.globals.database_url;
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
    return bench::run_bench_child({database_of_environment(), options.hang});
}

}  // namespace pawl::cli
