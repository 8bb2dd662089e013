#pragma once

#include <prometheus/metric_family.h>

#include <vector>

namespace pawl::engine {

// Processor time, memory and files of this process, by the names that every exporter uses.
void add_process_metrics(std::vector<prometheus::MetricFamily>& families);

}  // namespace pawl::engine
