#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

namespace pawl {

// A point on the database's clock, in microseconds (what timestamptz keeps). Only such instants are
// stored or compared across machines.
using Instant = std::chrono::sys_time<std::chrono::microseconds>;
using Duration = std::chrono::microseconds;

// The local monotonic clock, for waits and measurements inside one process.
using Steady = std::chrono::steady_clock;

// The wall clock of this machine: for log lines and fresh ids, never for decisions.
Instant wall_now();

std::string to_rfc3339(Instant at);
// With an offset or Z: "2026-01-31T09:00:00.5+01:00". Parts of a microsecond are cut.
std::optional<Instant> parse_rfc3339(std::string_view text);

// Translates local monotonic time to the database's clock, from the last answer that carried both.
class DbClock {
public:
    // Takes a reading: `db` was the server's now() somewhere between `sent` and `received`.
    void observe(Instant db, Steady::time_point sent, Steady::time_point received);
    Instant now(Steady::time_point at = Steady::now()) const;
    Steady::time_point local(Instant at) const;

private:
    Instant base_db_ = wall_now();
    Steady::time_point base_local_ = Steady::now();
};

}  // namespace pawl
