#pragma once

#include <prometheus/metric_family.h>

#include <vector>

namespace pawl::engine {

// The names that the orchestration engine's document gives to what Pawl counts anyhow, so that
// dashboards made for it work. Nothing is counted twice: they are copied at each scrape.
void add_document_metrics(std::vector<prometheus::MetricFamily>& families);

}  // namespace pawl::engine
