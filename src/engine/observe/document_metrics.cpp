#include "engine/observe/document_metrics.hpp"

#include <algorithm>
#include <map>
#include <string>
#include <string_view>

namespace pawl::engine {

namespace {

using prometheus::ClientMetric;
using prometheus::MetricFamily;

const MetricFamily* find(const std::vector<MetricFamily>& families, std::string_view name) {
    const auto place = std::find_if(families.begin(), families.end(), [&](const auto& family) {
        return family.name == name;
    });
    return place == families.end() ? nullptr : &*place;
}

void add_under(std::vector<MetricFamily>& families, std::string_view name, const char* as) {
    const MetricFamily* family = find(families, name);
    if (family == nullptr) return;
    MetricFamily again = *family;
    again.name = as;
    again.help = "The same as " + std::string(name) + ".";
    families.push_back(std::move(again));
}

// Attempts of steps by workflow and type, those of some outcomes only.
MetricFamily sum_of_steps(const MetricFamily* steps, const char* as, bool all) {
    MetricFamily sums;
    sums.name = as;
    sums.help = all ? "Attempts of steps." : "Attempts of steps that failed.";
    sums.type = prometheus::MetricType::Counter;
    std::map<std::vector<ClientMetric::Label>, double> by_labels;
    if (steps == nullptr) return sums;
    for (const ClientMetric& sample : steps->metric) {
        std::vector<ClientMetric::Label> labels;
        bool counts = true;
        for (const ClientMetric::Label& label : sample.label) {
            if (label.name != "outcome") {
                labels.push_back(label);
            } else if (!all) {
                counts = label.value != "completed" && label.value != "postponed";
            }
        }
        if (counts) by_labels[labels] += sample.counter.value;
    }
    for (const auto& [labels, value] : by_labels) {
        ClientMetric sample;
        sample.label = labels;
        sample.counter.value = value;
        sums.metric.push_back(std::move(sample));
    }
    return sums;
}

}  // namespace

void add_document_metrics(std::vector<MetricFamily>& families) {
    const MetricFamily* steps = find(families, "pawl_steps_total");
    MetricFamily executed = sum_of_steps(steps, "workflow_steps_executed_total", true);
    MetricFamily failed = sum_of_steps(steps, "workflow_steps_failed_total", false);
    families.push_back(std::move(executed));
    families.push_back(std::move(failed));
    add_under(families, "pawl_runs_started_total", "workflow_runs_started_total");
    add_under(families, "pawl_ready_runs", "workflow_steps_pending");
    add_under(families, "pawl_workers", "workers_active");
    add_under(families, "pawl_step_seconds", "step_execution_latency_seconds");
    add_under(families, "pawl_step_retry_delay_seconds", "step_retry_delay_seconds");
}

}  // namespace pawl::engine
