#pragma once

#include "plan/run_state.hpp"

#include <optional>
#include <string>
#include <vector>

namespace pawl::plan {

// Why a run stands where it stands, for a person.
struct Why {
    std::string sentence;             // "Waits at 'pay' for the event order.paid with key 17."
    std::string what_helps;           // what would move it; empty when nothing needs to be done
    std::vector<std::string> places;  // one line for every token when there are several
};

// What the run's own log cannot tell.
struct Surroundings {
    bool held = false;         // a worker has it
    std::int64_t workers = 1;  // that are alive
    std::string run;           // its id, for the commands that help
    struct Gate {
        std::string workflow;  // whose limit it is; empty: several share it
        std::string name;
        std::string key;  // empty: the only one
        std::int64_t limit = 0;
        std::int64_t running = 0;
        std::int64_t waiting = 0;
    };
    std::optional<Gate> gate = std::nullopt;       // that it waits at
    std::optional<Instant> due_at = std::nullopt;  // no worker takes it before
    std::string reason = {};                       // why it was paused or cancelled
    std::string went_on_as = {};                   // the run that it was retried as
};

// The reason given for the last pause or cancellation; empty when none was.
std::string reason_in(const std::vector<Event>& log);

Why why(
    const Definition& definition, const RunState& state, const Surroundings& around, Instant now
);

}  // namespace pawl::plan
