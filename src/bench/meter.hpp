#pragma once

#include "base/clock.hpp"
#include "pg/connection.hpp"

#include <boost/json/object.hpp>

#include <cstdint>

namespace pawl::bench {

// What was used between the construction and finish(): time, transactions, WAL, round trips, CPU,
// memory.
class Meter {
public:
    explicit Meter(const pg::ConnectOptions& connect);

    // Adds to `report`: seconds, and per step (steps > 0) the costs by name. `worker_pid` is
    // another process that did the work, 0 for this one.
    void finish(boost::json::object& report, std::int64_t steps);

private:
    struct Reading {
        Steady::time_point at{};
        std::int64_t transactions = 0;
        std::int64_t wal_bytes = 0;
        std::int64_t dead_tuples = 0;
        std::uint64_t round_trips = 0;
        double worker_cpu_s = 0;
        double postgres_cpu_s = 0;
    };
    Reading read() const;

    pg::ConnectOptions connect_;
    Reading before_;
};

// CPU time that a process of this machine has used with all its threads; 0 for one that is not
// here.
double process_cpu_s(int process);
// The same for all processes of the Postgres server that has this backend.
double postgres_cpu_s(int backend);

// Highest resident memory since the last reset, in MiB; of this process, or of another.
double peak_memory_mib(int process = 0);
void reset_peak_memory();

}  // namespace pawl::bench
