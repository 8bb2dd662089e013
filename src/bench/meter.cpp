#include "bench/meter.hpp"

#include "bench/run_sync.hpp"
#include "store/queries.gen.hpp"

#include <fmt/core.h>
#include <sys/resource.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

namespace pawl::bench {

namespace {

namespace fs = std::filesystem;

// The numbers of /proc/PID/stat after the name, which may hold blanks and parentheses.
std::vector<long long> process_stat(const std::string& pid) {
    std::ifstream in("/proc/" + pid + "/stat");
    std::string line;
    std::getline(in, line);
    const auto end = line.rfind(')');
    std::vector<long long> fields;
    if (end == std::string::npos) return fields;
    std::istringstream rest(line.substr(end + 3));
    for (long long value = 0; rest >> value;) fields.push_back(value);
    return fields;
}

constexpr std::size_t field_parent = 0, field_user = 10, field_system = 11, field_children = 12;

double seconds_of(long long ticks) {
    return static_cast<double>(ticks) / static_cast<double>(sysconf(_SC_CLK_TCK));
}

double own_cpu() {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    const auto seconds = [](const timeval& time) {
        return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
    };
    return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

struct Counters {
    std::int64_t transactions = 0, wal_bytes = 0, dead_tuples = 0;
    int backend_pid = 0;
};

asio::awaitable<void> read_counters(pg::ConnectOptions options, Counters& out) {
    const auto connection = co_await pg::Connection::connect(std::move(options));
    const auto rows = co_await connection->run(
        store::queries::bench_counters, pg::Params(), std::chrono::seconds(30)
    );
    out = {rows.int8(0, 2), rows.int8(0, 3), rows.int8(0, 4), rows.int4(0, 5)};
}

}  // namespace

// Of all its processes, those that have ended included. Zero when it is not on this machine.
double postgres_cpu_s(int backend) {
    const auto found = process_stat(std::to_string(backend));
    if (found.size() < 14) return 0;
    const auto postmaster = found[field_parent];
    double total = 0;
    for (const auto& entry : fs::directory_iterator("/proc")) {
        const std::string name = entry.path().filename().string();
        if (name.find_first_not_of("0123456789") != std::string::npos) continue;
        const auto stat = process_stat(name);
        if (stat.size() < 14) continue;
        const bool is_postmaster = name == std::to_string(postmaster);
        if (!is_postmaster && stat[field_parent] != postmaster) continue;
        total += seconds_of(stat[field_user] + stat[field_system]);
        if (is_postmaster) total += seconds_of(stat[field_children] + stat[field_children + 1]);
    }
    return total;
}

// By the nanosecond, unlike /proc/PID/stat.
double process_cpu_s(int process) {
    double total = 0;
    std::error_code gone;
    const fs::directory_iterator threads(fmt::format("/proc/{}/task", process), gone);
    if (gone) return 0;
    for (const auto& thread : threads) {
        std::ifstream in(thread.path() / "schedstat");
        double nanoseconds = 0;
        if (in >> nanoseconds) total += nanoseconds / 1e9;
    }
    return total;
}

double peak_memory_mib(int process) {
    const std::string whose = process == 0 ? "self" : std::to_string(process);
    std::ifstream in("/proc/" + whose + "/status");
    for (std::string line; std::getline(in, line);) {
        if (line.starts_with("VmHWM:")) return std::stod(line.substr(6)) / 1024.0;
    }
    return 0;
}

void reset_peak_memory() {
    std::ofstream("/proc/self/clear_refs") << "5";
}

Meter::Meter(const pg::ConnectOptions& connect) : connect_(connect) {
    reset_peak_memory();
    before_ = read();
}

Meter::Reading Meter::read() const {
    Reading reading;
    Counters counters;
    run_sync(read_counters(connect_, counters));
    reading.transactions = counters.transactions;
    reading.wal_bytes = counters.wal_bytes;
    reading.dead_tuples = counters.dead_tuples;
    reading.round_trips = connect_.round_trips ? connect_.round_trips->load() : 0;
    reading.postgres_cpu_s = postgres_cpu_s(counters.backend_pid);
    reading.worker_cpu_s = own_cpu();
    reading.at = Steady::now();
    return reading;
}

void Meter::finish(boost::json::object& report, std::int64_t steps) {
    const auto ended = Steady::now();
    const Reading after = read();
    report["seconds"] = std::chrono::duration<double>(ended - before_.at).count();
    report["transactions"] = after.transactions - before_.transactions;
    if (steps > 0) {
        const auto each = [&](auto amount) {
            return static_cast<double>(amount) / static_cast<double>(steps);
        };
        report["transactions_per_step"] = each(after.transactions - before_.transactions);
        report["wal_bytes_per_step"] = each(after.wal_bytes - before_.wal_bytes);
        report["round_trips_per_step"] = each(after.round_trips - before_.round_trips);
        report["worker_cpu_s_per_1000_steps"] =
            each(1000 * (after.worker_cpu_s - before_.worker_cpu_s));
        report["postgres_cpu_s_per_1000_steps"] =
            each(1000 * (after.postgres_cpu_s - before_.postgres_cpu_s));
    }
    report["dead_tuples"] = after.dead_tuples;
    report["peak_memory_mib"] = peak_memory_mib();
}

}  // namespace pawl::bench
