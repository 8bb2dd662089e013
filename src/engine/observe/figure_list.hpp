#pragma once

#include "base/json.hpp"

#include <prometheus/metric_family.h>

#include <string>
#include <utility>
#include <vector>

namespace pawl::engine {

// One figure of the database: pawl.take_figures.
struct Figure {
    std::string metric;
    std::vector<std::pair<std::string, std::string>> labels;
    double value = 0;
};
using FigureList = std::vector<Figure>;

// Reads [[metric, labels or null, value], ...]; leaves out what this version does not know.
FigureList read_figures(const json::value& taken);
// So much time has passed since they were read.
void grow_older(FigureList& figures, double seconds);
// Every figure has its family, also those that nothing was counted for.
void add_figures(std::vector<prometheus::MetricFamily>& families, const FigureList& figures);

}  // namespace pawl::engine
