#include "bench/bench.hpp"

#include "base/error.hpp"
#include "base/exact_json.hpp"
#include "base/log.hpp"
#include "bench/workload.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

namespace pawl::bench {

namespace {

struct Workload {
    std::string_view name;
    Reports (*run)(WorkloadContext);
};

constexpr Workload workloads[] = {
    {"limit", run_limit},     {"steps", run_steps},       {"traced", run_traced},
    {"jobs", run_jobs},       {"graph", run_graph},       {"flow", run_flow},
    {"latency", run_latency}, {"parked", run_parked},     {"migrate", run_migrate},
    {"events", run_events},   {"recovery", run_recovery}, {"horizon", run_horizon},
    {"history", run_history}, {"http", run_http},         {"pgmq", run_pgmq},
    {"outbox", run_outbox},   {"journey", run_journey},   {"watch", run_watch},
    {"starts", run_starts},
};

std::string shown(const json::value& value) {
    if (value.is_double()) {
        const double number = value.get_double();
        if (number >= 1000) return fmt::format("{:.0f}", number);
        return number >= 10 ? fmt::format("{:.2f}", number) : fmt::format("{:.4f}", number);
    }
    if (value.is_string()) return std::string(value.get_string());
    return plain_json(value);
}

void print_table(const json::object& report) {
    fmt::print("\n{}\n", shown(report.at("workload")));
    for (const auto& [key, value] : report) {
        if (key == "workload") continue;
        fmt::print("  {:<32} {}\n", std::string_view(key.data(), key.size()), shown(value));
    }
}

void run_one(const Workload& workload, const BenchOptions& options) {
    const bool talk = !options.quiet && isatty(STDERR_FILENO) != 0;
    const Progress progress = [talk](std::string_view text) {
        if (talk) fmt::print(stderr, "\r\x1b[K{}", text);
    };
    progress(fmt::format("{}: preparing the database", workload.name));
    BenchDatabase target(options.database_url);
    progress(fmt::format("{}: running", workload.name));
    const Reports reports = workload.run({options, target, progress});
    progress("");
    for (const json::object& report : reports) {
        if (options.json) {
            fmt::print("{}\n", plain_json(report));
        } else {
            print_table(report);
        }
        std::fflush(stdout);
    }
}

}  // namespace

std::vector<std::string> workload_names() {
    std::vector<std::string> names;
    for (const Workload& workload : workloads) names.emplace_back(workload.name);
    return names;
}

int run_bench(const BenchOptions& options) {
    log::configure(log::Level::error, log::Format::human);
    for (const std::string& name : options.workloads) {
        const auto names = workload_names();
        if (std::find(names.begin(), names.end(), name) == names.end()) {
            const std::string known = fmt::format("there are {}", fmt::join(names, ", "));
            throw Failure(
                {Errc::invalid, "there is no workload named '" + name + "'", {{"next", known}}}
            );
        }
    }
    for (const Workload& workload : workloads) {
        const auto& wanted = options.workloads;
        const bool chosen = wanted.empty() ||
                            std::find(wanted.begin(), wanted.end(), workload.name) != wanted.end();
        if (chosen) run_one(workload, options);
    }
    return 0;
}

}  // namespace pawl::bench
