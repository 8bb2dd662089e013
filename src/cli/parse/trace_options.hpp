#pragma once

#include "cli/parse/trace_flags.hpp"
#include "host/trace_exporter.hpp"

#include <functional>

namespace pawl::cli {

using Environment = std::function<const char*(const char* name)>;

// Without an endpoint nothing is traced. Throws Failure when something cannot be understood.
host::TraceOptions trace_options(const TraceFlags& flags, const Environment& environment);

}  // namespace pawl::cli
