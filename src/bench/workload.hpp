#pragma once

#include "bench/bench.hpp"
#include "bench/bench_database.hpp"

#include <boost/json/object.hpp>

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace pawl::bench {

namespace json = boost::json;

// One measured case: an object by name. A workload may report several.
using Reports = std::vector<json::object>;
// Tells a person what is going on; on a TTY only.
using Progress = std::function<void(std::string_view)>;

struct WorkloadContext {
    const BenchOptions& options;
    BenchDatabase& target;
    Progress progress;
};

Reports run_limit(WorkloadContext context);
Reports run_steps(WorkloadContext context);
Reports run_jobs(WorkloadContext context);
Reports run_latency(WorkloadContext context);
Reports run_parked(WorkloadContext context);
Reports run_migrate(WorkloadContext context);
Reports run_events(WorkloadContext context);
Reports run_recovery(WorkloadContext context);
Reports run_horizon(WorkloadContext context);
Reports run_history(WorkloadContext context);
Reports run_http(WorkloadContext context);
Reports run_graph(WorkloadContext context);
Reports run_pgmq(WorkloadContext context);
Reports run_outbox(WorkloadContext context);
Reports run_flow(WorkloadContext context);
Reports run_traced(WorkloadContext context);
Reports run_journey(WorkloadContext context);
Reports run_starts(WorkloadContext context);
Reports run_watch(WorkloadContext context);

}  // namespace pawl::bench
