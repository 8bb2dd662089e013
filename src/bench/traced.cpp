#include "bench/meter.hpp"
#include "bench/rig.hpp"
#include "bench/workload.hpp"
#include "engine/observe/otlp.hpp"
#include "engine/observe/tracer.hpp"

#include <condition_variable>
#include <mutex>
#include <thread>

namespace pawl::bench {

namespace {

constexpr double share = 0.01;
constexpr int rounds = 3;

// Takes spans and writes them out as an exporter does, to nowhere.
class Drain {
public:
    explicit Drain(engine::Tracer& tracer) : thread_([this, &tracer] { run(tracer); }) {}
    ~Drain() {
        {
            const std::lock_guard lock(mutex_);
            stop_ = true;
        }
        stopped_.notify_one();
        thread_.join();
    }
    Drain(const Drain&) = delete;
    Drain& operator=(const Drain&) = delete;

private:
    void run(engine::Tracer& tracer) {
        std::unique_lock lock(mutex_);
        while (!stopped_.wait_for(lock, std::chrono::milliseconds(50), [this] { return stop_; })) {
            for (auto spans = tracer.take(512); !spans.empty(); spans = tracer.take(512)) {
                engine::to_otlp(spans, {});
            }
        }
    }

    std::mutex mutex_;
    std::condition_variable stopped_;
    bool stop_ = false;
    std::thread thread_;
};

struct Cost {
    std::int64_t steps = 0;
    double seconds = 0;
    double worker = 0;
    double postgres = 0;
};

void measure(const WorkloadContext& context, engine::Tracer* tracer, Cost& cost) {
    engine::WorkerOptions options;
    options.tracer = tracer;
    Rig rig(context.target.connect(), options);
    rig.start();
    std::int64_t steps = 0;
    rig.run(run_steps_for(rig.thread(), 1, steps));
    Meter meter(context.target.connect());
    rig.run(run_steps_for(rig.thread(), context.options.seconds, steps));
    json::object report;
    meter.finish(report, steps);
    const auto all = static_cast<double>(steps) / 1000;
    cost.steps += steps;
    cost.seconds += report["seconds"].as_double();
    cost.worker += report["worker_cpu_s_per_1000_steps"].as_double() * all;
    cost.postgres += report["postgres_cpu_s_per_1000_steps"].as_double() * all;
}

json::object describe_result(const char* name, const Cost& cost) {
    const auto steps = static_cast<double>(cost.steps);
    return {
        {"workload", name},
        {"steps_per_s", steps / cost.seconds},
        {"worker_cpu_us_per_step", cost.worker / steps * 1e6},
        {"postgres_cpu_us_per_step", cost.postgres / steps * 1e6}};
}

}  // namespace

// The steps of `steps`, in turns without traces and with one run in a hundred traced.
Reports run_traced(WorkloadContext context) {
    engine::Metrics metrics;
    engine::Tracer tracer({.sample = share}, metrics);
    const Drain drain(tracer);
    Cost off;
    Cost on;
    for (int round = 0; round < rounds; ++round) {
        measure(context, nullptr, off);
        measure(context, &tracer, on);
    }
    return {describe_result("traced: off", off), describe_result("traced: 1 of 100", on)};
}

}  // namespace pawl::bench
