#pragma once

#include "bench/rig.hpp"
#include "bench/workload.hpp"

namespace pawl::bench {

// Drives a definition, after a second to warm up, and reports its rate; beside that of a linear
// workflow, if that is known.
json::object report_drive(
    Rig& rig, const WorkloadContext& context, const char* workload, Drive work, double linear
);

}  // namespace pawl::bench
