#include "engine/observe/process_metrics.hpp"

#include "base/clock.hpp"

#include <sys/resource.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

namespace pawl::engine {

namespace {

void add(
    std::vector<prometheus::MetricFamily>& families,
    const char* name,
    const char* help,
    double value
) {
    prometheus::MetricFamily family;
    family.name = name;
    family.help = help;
    const bool counts = family.name.ends_with("_total");
    family.type = counts ? prometheus::MetricType::Counter : prometheus::MetricType::Gauge;
    prometheus::ClientMetric sample;
    (counts ? sample.counter.value : sample.gauge.value) = value;
    family.metric.push_back(sample);
    families.push_back(std::move(family));
}

double seconds(const timeval& time) {
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
}

double resident_bytes() {
    std::ifstream file("/proc/self/statm");
    double total = 0;
    double resident = 0;
    file >> total >> resident;
    return resident * static_cast<double>(sysconf(_SC_PAGESIZE));
}

double open_files() {
    std::error_code failed;
    double count = 0;
    for (auto it = std::filesystem::directory_iterator("/proc/self/fd", failed);
         !failed && it != std::filesystem::directory_iterator();
         it.increment(failed)) {
        ++count;
    }
    return count;
}

// When the program was loaded: near enough to its start.
const Instant began = wall_now();

}  // namespace

void add_process_metrics(std::vector<prometheus::MetricFamily>& families) {
    rusage used{};
    getrusage(RUSAGE_SELF, &used);
    const double cpu = seconds(used.ru_utime) + seconds(used.ru_stime);
    add(families, "process_cpu_seconds_total", "Processor time of this process.", cpu);
    add(families, "process_resident_memory_bytes", "Memory of this process.", resident_bytes());
    add(families, "process_open_fds", "Files and connections it has open.", open_files());
    const double since = std::chrono::duration<double>(began.time_since_epoch()).count();
    add(families, "process_start_time_seconds", "When it began, since 1970.", since);
}

}  // namespace pawl::engine
