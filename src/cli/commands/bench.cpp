#include "bench/bench.hpp"

#include "cli/parse/registry.hpp"
#include "cli/parse/typed_options.hpp"
#include "cli/terminal/console.hpp"

#include <cstdlib>
#include <filesystem>

namespace pawl::cli {

namespace {

struct BenchOptions {
    Globals globals;
    std::vector<std::string> workloads;  // empty: all
    bool json = false;
    bool yes = false;  // fills the database that --database-url names
    int seconds = 6;
    long parked_runs = 1'000'000;
    long migrate_runs = 100'000;
    long history_events = 10'000'000;
    long people = 100'000;
    long rows = 100'000;
};

struct BenchChildOptions {
    Globals globals;
    bool hang = false;
};

// The database of the other process: arguments would show its password.
std::string database_of_environment() {
    const char* url = std::getenv("DATABASE_URL");
    return url == nullptr ? "" : url;
}

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
    bench.people = options.people;
    bench.rows = options.rows;
    bench.program = std::filesystem::read_symlink("/proc/self/exe").string();
    return bench::run_bench(bench);
}

int run_bench_child(const BenchChildOptions& options) {
    return bench::run_bench_child({database_of_environment(), options.hang});
}

void add_bench_child(App& app, BenchChildOptions& options) {
    app.add_flag("--hang", options.hang, "");
}

void add_bench(App& app, BenchOptions& options) {
    const char* workload =
        "Only these: limit, steps, traced, jobs, latency, migrate, parked, events, graph, "
        "recovery, "
        "horizon, history, http, pgmq, outbox, flow, journey, watch, starts [all]";
    app.add_option("WORKLOAD,--workload", options.workloads, workload)->type_name("W");
    app.add_flag("--json", options.json, "One JSON object a line");
    app.add_flag("--yes", options.yes, "Really fill the database of --database-url");
    add_number(app, "--seconds", options.seconds, 1, 3600, "How long the timed ones run [6]");
    add_number(
        app,
        "--parked-runs",
        options.parked_runs,
        1000,
        100'000'000,
        "Sleeping runs of parked [1000000]"
    );
    add_number(
        app, "--migrate-runs", options.migrate_runs, 100, 1'000'000, "Runs of migrate [100000]"
    );
    add_number(
        app,
        "--history-events",
        options.history_events,
        1000,
        1'000'000'000,
        "Events of history [10000000]"
    );
    add_number(app, "--people", options.people, 100, 10'000'000, "People of journey [100000]");
    add_number(app, "--rows", options.rows, 1000, 100'000, "Rows of watch and starts [100000]");
}

const RegisterCommand<run_bench, add_bench> bench_command(
    {"bench", 220, "Measure this machine and this database"},
    {{"pawl bench", "all workloads, on a throw-away cluster"}, {"pawl bench steps limit --json"}}
);

// The other process of the workloads that need two; not for people.
const RegisterCommand<run_bench_child, add_bench_child> bench_child_command({"bench-child", 225});

}  // namespace

}  // namespace pawl::cli
