#pragma once

#include "base/clock.hpp"
#include "cli/parse/command_line.hpp"

#include <optional>
#include <string>

namespace pawl::cli {

// What was said about traces on the command line; the rest is in OpenTelemetry's environment
// variables.
struct TraceFlags {
    std::string endpoint;
    std::string url;  // where people look at traces
    std::optional<double> sample;
    Duration cut = std::chrono::minutes(1);
};

void add_trace_flags(App& app, TraceFlags& flags);

}  // namespace pawl::cli
