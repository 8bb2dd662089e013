#include "engine/metrics.hpp"

#include <prometheus/counter.h>
#include <prometheus/gauge.h>
#include <prometheus/histogram.h>
#include <prometheus/registry.h>
#include <prometheus/text_serializer.h>

#include <array>

namespace pawl::engine {

namespace {

using prometheus::Counter;
using prometheus::Gauge;
using prometheus::Histogram;
using prometheus::Registry;

const Histogram::BucketBoundaries seconds{
    0.0001,
    0.00025,
    0.0005,
    0.001,
    0.0025,
    0.005,
    0.01,
    0.025,
    0.05,
    0.1,
    0.25,
    0.5,
    1,
    2.5,
    10,
    60};
const Histogram::BucketBoundaries counts{1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000};

Gauge& gauge(Registry& registry, const std::string& metric, const std::string& help) {
    return prometheus::BuildGauge().Name(metric).Help(help).Register(registry).Add({});
}

Counter& counter(Registry& registry, const std::string& metric, const std::string& help) {
    return prometheus::BuildCounter().Name(metric).Help(help).Register(registry).Add({});
}

Histogram& histogram(
    Registry& registry,
    const std::string& metric,
    const std::string& help,
    const Histogram::BucketBoundaries& bounds
) {
    return prometheus::BuildHistogram().Name(metric).Help(help).Register(registry).Add({}, bounds);
}

double as_seconds(Steady::duration duration) {
    return std::chrono::duration<double>(duration).count();
}

}  // namespace

struct Metrics::Impl {
    Registry registry;
    Counter& runs_started = counter(registry, "pawl_runs_started_total", "Runs started here.");
    std::array<Counter*, 4> runs_closed{};
    std::array<Counter*, node_type_count> steps_completed{};
    std::array<Counter*, node_type_count> steps_failed{};
    std::array<Counter*, node_type_count> steps_retried{};
    std::array<Counter*, node_type_count> steps_postponed{};
    Histogram& commit_seconds =
        histogram(registry, "pawl_commit_seconds", "Time of one group commit.", seconds);
    Histogram& commit_events =
        histogram(registry, "pawl_commit_batch_events", "Events in one group commit.", counts);
    Counter& commits_resent = counter(
        registry,
        "pawl_commits_resent_total",
        "Commits sent again because their outcome was unknown."
    );
    Histogram& claim_seconds =
        histogram(registry, "pawl_claim_seconds", "Time of one claim.", seconds);
    Histogram& claim_runs =
        histogram(registry, "pawl_claim_batch_runs", "Runs taken by one claim.", counts);
    Counter& workers_swept = counter(
        registry, "pawl_workers_declared_dead_total", "Workers this process declared dead."
    );
    Counter& runs_recovered =
        counter(registry, "pawl_runs_recovered_total", "Runs taken back from dead workers.");
    Gauge& runs_held = gauge(registry, "pawl_runs_held", "Runs in this process's memory.");
    Gauge& steps_executing =
        gauge(registry, "pawl_steps_executing", "Steps under way in this process.");
    Gauge& ready =
        gauge(registry, "pawl_ready_runs", "Due runs nobody holds (counted up to 10,000).");
    Gauge& oldest_ready =
        gauge(registry, "pawl_oldest_ready_age_seconds", "How long the oldest due run has waited.");
    Gauge& xmin_age = gauge(
        registry,
        "pawl_xmin_age_seconds",
        "Age of the oldest snapshot somebody holds open in the database."
    );
    Gauge& workers = gauge(registry, "pawl_workers", "Live workers in the cluster.");
    std::array<Counter*, 3> schedule_slots{};
    Histogram& schedule_lateness = histogram(
        registry,
        "pawl_schedule_lateness_seconds",
        "How long after its slot, and its jitter, a scheduled run was started.",
        seconds
    );

    Impl() {
        auto& slots = prometheus::BuildCounter()
                          .Name("pawl_schedule_slots_total")
                          .Help("Slots of schedules, by what became of them here.")
                          .Register(registry);
        schedule_slots = {
            &slots.Add({{"outcome", "fired"}}),
            &slots.Add({{"outcome", "skipped"}}),
            &slots.Add({{"outcome", "missed"}})};
        auto& closed = prometheus::BuildCounter()
                           .Name("pawl_runs_closed_total")
                           .Help("Runs closed, by how they ended.")
                           .Register(registry);
        for (const auto status : {RunStatus::completed, RunStatus::failed, RunStatus::cancelled}) {
            runs_closed[static_cast<std::size_t>(status)] =
                &closed.Add({{"status", std::string(name(status))}});
        }
        auto& steps = prometheus::BuildCounter()
                          .Name("pawl_steps_total")
                          .Help("Attempts of steps, by type and outcome.")
                          .Register(registry);
        for (int i = 0; i < node_type_count; ++i) {
            const auto type = static_cast<NodeType>(i);
            const auto index = static_cast<std::size_t>(type);
            const std::string kind(name(type));
            steps_completed[index] = &steps.Add({{"type", kind}, {"outcome", "completed"}});
            steps_failed[index] = &steps.Add({{"type", kind}, {"outcome", "failed"}});
            steps_retried[index] = &steps.Add({{"type", kind}, {"outcome", "retried"}});
            steps_postponed[index] = &steps.Add({{"type", kind}, {"outcome", "postponed"}});
        }
    }
};

Metrics::Metrics() : impl_(std::make_unique<Impl>()) {}
Metrics::~Metrics() = default;

void Metrics::runs_started(std::size_t count) {
    impl_->runs_started.Increment(static_cast<double>(count));
}

void Metrics::run_closed(RunStatus status) {
    if (auto* closed = impl_->runs_closed[static_cast<std::size_t>(status)]) closed->Increment();
}

void Metrics::step_completed(NodeType type) {
    impl_->steps_completed[static_cast<std::size_t>(type)]->Increment();
}

void Metrics::step_failed(NodeType type, bool will_retry) {
    const auto index = static_cast<std::size_t>(type);
    (will_retry ? impl_->steps_retried : impl_->steps_failed)[index]->Increment();
}

void Metrics::step_postponed(NodeType type) {
    impl_->steps_postponed[static_cast<std::size_t>(type)]->Increment();
}

void Metrics::committed(std::size_t events, Steady::duration took) {
    impl_->commit_events.Observe(static_cast<double>(events));
    impl_->commit_seconds.Observe(as_seconds(took));
}

void Metrics::resent() {
    impl_->commits_resent.Increment();
}

void Metrics::claimed(std::size_t runs, Steady::duration took) {
    impl_->claim_runs.Observe(static_cast<double>(runs));
    impl_->claim_seconds.Observe(as_seconds(took));
}

void Metrics::swept(std::size_t workers, std::size_t runs) {
    impl_->workers_swept.Increment(static_cast<double>(workers));
    impl_->runs_recovered.Increment(static_cast<double>(runs));
}

void Metrics::holding(std::size_t runs, std::size_t executing) {
    impl_->runs_held.Set(static_cast<double>(runs));
    impl_->steps_executing.Set(static_cast<double>(executing));
}

void Metrics::health(const store::Health& health) {
    impl_->ready.Set(static_cast<double>(health.ready));
    impl_->oldest_ready.Set(health.oldest_ready_age_s);
    impl_->xmin_age.Set(health.xmin_age_s);
    impl_->workers.Set(static_cast<double>(health.workers));
}

void Metrics::slots(std::int64_t fired, std::int64_t skipped, std::int64_t missed) {
    impl_->schedule_slots[0]->Increment(static_cast<double>(fired));
    impl_->schedule_slots[1]->Increment(static_cast<double>(skipped));
    impl_->schedule_slots[2]->Increment(static_cast<double>(missed));
}

void Metrics::slot_late(Duration by) {
    impl_->schedule_lateness.Observe(std::chrono::duration<double>(by).count());
}

std::string Metrics::text() const {
    return prometheus::TextSerializer().Serialize(impl_->registry.Collect());
}

}  // namespace pawl::engine
