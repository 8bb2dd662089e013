#include "engine/observe/metrics.hpp"

#include "engine/observe/circuit_metrics.hpp"
#include "engine/observe/document_metrics.hpp"
#include "engine/observe/figure_list.hpp"
#include "engine/observe/process_metrics.hpp"

#include <prometheus/counter.h>
#include <prometheus/gauge.h>
#include <prometheus/histogram.h>
#include <prometheus/registry.h>
#include <prometheus/text_serializer.h>

#include <array>
#include <map>
#include <mutex>

namespace pawl::engine {

namespace {

using prometheus::Counter;
using prometheus::Family;
using prometheus::Gauge;
using prometheus::Histogram;
using prometheus::Registry;
using Bounds = Histogram::BucketBoundaries;

constexpr std::size_t workflows_max = 200;

const Bounds seconds{
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
const Bounds delays{0.1, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 900, 3600};
const Bounds counts{1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000};

Family<Counter>& counters(Registry& registry, const char* metric, const char* help) {
    return prometheus::BuildCounter().Name(metric).Help(help).Register(registry);
}

Counter& counter(Registry& registry, const char* metric, const char* help) {
    return counters(registry, metric, help).Add({});
}

Gauge& gauge(Registry& registry, const char* metric, const char* help) {
    return prometheus::BuildGauge().Name(metric).Help(help).Register(registry).Add({});
}

Family<Histogram>& histograms(Registry& registry, const char* metric, const char* help) {
    return prometheus::BuildHistogram().Name(metric).Help(help).Register(registry);
}

Histogram& histogram(Registry& registry, const char* metric, const char* help, const Bounds& of) {
    return histograms(registry, metric, help).Add({}, of);
}

template <class D>
double as_seconds(D duration) {
    return std::chrono::duration<double>(duration).count();
}

}  // namespace

struct Metrics::Impl {
    Registry registry;
    WorkflowFamilies workflow_families{
        counters(registry, "pawl_runs_started_total", "Runs started by this process."),
        counters(registry, "pawl_runs_closed_total", "Runs closed, by how they ended."),
        counters(registry, "pawl_steps_total", "Attempts of steps, by type and outcome.")};
    std::array<Histogram*, node_type_count> step_seconds{};
    Histogram& retry_delay = histogram(
        registry,
        "pawl_step_retry_delay_seconds",
        "How long failed steps wait for their next attempt.",
        delays
    );
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
    Family<Counter>& schedule_slots = counters(
        registry,
        "pawl_schedule_slots_total",
        "Slots of schedules that this process handled, by outcome."
    );
    Histogram& schedule_lateness = histogram(
        registry,
        "pawl_schedule_lateness_seconds",
        "How long after its slot, and its jitter, a scheduled run was started.",
        seconds
    );
    Family<Counter>& tasks = counters(
        registry, "pawl_tasks_total", "Tasks of the database's queue, by type and outcome."
    );
    CircuitMetrics circuits{
        prometheus::BuildGauge()
            .Name("pawl_circuits_open")
            .Help("Workers of this process whose circuit for a target is open, by target.")
            .Register(registry),
        counters(registry, "pawl_circuits_opened_total", "How often a circuit opened, by target.")};
    Family<Counter>& deliveries = counters(
        registry,
        "pawl_outbox_deliveries_total",
        "Messages of the outbox, by kind of target and outcome."
    );
    Family<Counter>& hooks = counters(
        registry, "pawl_hooks_total", "Calls of providers, by connector and what became of them."
    );
    Family<Counter>& http_requests =
        counters(registry, "pawl_http_requests_total", "Requests answered, by status code.");
    std::array<std::atomic<Counter*>, 600> http_by_code{};
    Histogram& http_seconds = histogram(
        registry, "pawl_http_request_seconds", "Time until a request was answered.", seconds
    );
    Family<Counter>& service_restarts = counters(
        registry,
        "pawl_service_restarts_total",
        "How often a background service restarted after an unexpected error."
    );
    Family<Counter>& span_counts =
        counters(registry, "pawl_trace_spans_total", "Spans of traces, by outcome.");
    std::array<Counter*, 2> span_fates{
        &span_counts.Add({{"outcome", "exported"}}), &span_counts.Add({{"outcome", "dropped"}})};

    mutable std::mutex mutex;
    std::map<std::string, WorkflowMetrics> workflows;
    std::map<const void*, std::pair<std::size_t, std::size_t>> held;
    FigureList figures;
    Steady::time_point figures_read{};

    explicit Impl(const std::string& version) {
        auto& took = histograms(
            registry, "pawl_step_seconds", "How long attempts of steps took, by type of step."
        );
        for (int i = 0; i < node_type_count; ++i) {
            const std::string type(name(static_cast<NodeType>(i)));
            step_seconds[static_cast<std::size_t>(i)] = &took.Add({{"type", type}}, seconds);
        }
        for (const char* outcome : {"fired", "skipped", "missed"}) {
            schedule_slots.Add({{"outcome", outcome}});
        }
        for (const char* outcome : {"taken", "bad_signature"}) {
            hooks.Add({{"connector", "own"}, {"outcome", outcome}});
        }
        for (const char* kind : {"webhook", "notify", "queue"}) {
            for (const char* outcome : {"published", "retried", "failed"}) {
                deliveries.Add({{"kind", kind}, {"outcome", outcome}});
            }
        }
        prometheus::BuildGauge()
            .Name("pawl_build_info")
            .Help("Always 1; says which version this is.")
            .Register(registry)
            .Add({{"version", version}})
            .Set(1);
    }
};

Metrics::Metrics(std::string version) : impl_(std::make_unique<Impl>(version)) {}
Metrics::~Metrics() = default;

WorkflowMetrics& Metrics::of(const std::string& workflow) {
    const std::lock_guard lock(impl_->mutex);
    const bool known = impl_->workflows.contains(workflow);
    const std::string& as =
        known || impl_->workflows.size() < workflows_max ? workflow : "(others)";
    return impl_->workflows.try_emplace(as, impl_->workflow_families, as).first->second;
}

void Metrics::step_took(NodeType type, Steady::duration took) {
    impl_->step_seconds[static_cast<std::size_t>(type)]->Observe(as_seconds(took));
}

void Metrics::retry_in(Duration delay) {
    impl_->retry_delay.Observe(as_seconds(delay));
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

void Metrics::holding(const void* worker, std::size_t runs, std::size_t executing) {
    const std::lock_guard lock(impl_->mutex);
    impl_->held[worker] = {runs, executing};
    std::size_t all = 0;
    std::size_t busy = 0;
    for (const auto& [who, what] : impl_->held) {
        all += what.first;
        busy += what.second;
    }
    impl_->runs_held.Set(static_cast<double>(all));
    impl_->steps_executing.Set(static_cast<double>(busy));
}

void Metrics::slots(std::int64_t fired, std::int64_t skipped, std::int64_t missed) {
    auto& family = impl_->schedule_slots;
    family.Add({{"outcome", "fired"}}).Increment(static_cast<double>(fired));
    family.Add({{"outcome", "skipped"}}).Increment(static_cast<double>(skipped));
    family.Add({{"outcome", "missed"}}).Increment(static_cast<double>(missed));
}

void Metrics::slot_late(Duration by) {
    impl_->schedule_lateness.Observe(as_seconds(by));
}

void Metrics::task_ended(const std::string& type, const std::string& outcome) {
    impl_->tasks.Add({{"type", type}, {"outcome", outcome}}).Increment();
}

void Metrics::circuits(const void* worker, const std::vector<steps::CircuitView>& seen) {
    impl_->circuits.saw(worker, seen);
}

void Metrics::delivered(const std::string& kind, const std::string& outcome, std::size_t count) {
    const prometheus::Labels labels{{"kind", kind}, {"outcome", outcome}};
    impl_->deliveries.Add(labels).Increment(static_cast<double>(count));
}

void Metrics::hook_called(const std::string& connector, const std::string& outcome) {
    impl_->hooks.Add({{"connector", connector}, {"outcome", outcome}}).Increment();
}

void Metrics::http_answered(int status, Steady::duration took) {
    if (status < 100 || status > 599) return;
    auto& place = impl_->http_by_code[static_cast<std::size_t>(status)];
    Counter* answered = place.load(std::memory_order_acquire);
    if (answered == nullptr) {
        answered = &impl_->http_requests.Add({{"code", std::to_string(status)}});
        place.store(answered, std::memory_order_release);
    }
    answered->Increment();
    impl_->http_seconds.Observe(as_seconds(took));
}

void Metrics::spans(SpanFate fate, std::size_t count) {
    impl_->span_fates[static_cast<std::size_t>(fate)]->Increment(static_cast<double>(count));
}

void Metrics::service_restarted(const std::string& service, std::size_t times) {
    impl_->service_restarts.Add({{"service", service}}).Increment(static_cast<double>(times));
}

void Metrics::figures(const json::value& taken) {
    FigureList read = read_figures(taken);
    const std::lock_guard lock(impl_->mutex);
    impl_->figures = std::move(read);
    impl_->figures_read = Steady::now();
}

std::string Metrics::text() const {
    auto families = impl_->registry.Collect();
    FigureList figures;
    {
        const std::lock_guard lock(impl_->mutex);
        figures = impl_->figures;
        grow_older(figures, as_seconds(Steady::now() - impl_->figures_read));
    }
    add_figures(families, figures);
    add_document_metrics(families);
    add_process_metrics(families);
    return prometheus::TextSerializer().Serialize(families);
}

}  // namespace pawl::engine
