#pragma once

#include "plan/run_state.hpp"
#include "plan/why_codes.hpp"

#include <boost/json/object.hpp>

#include <optional>
#include <string>
#include <vector>

namespace pawl::plan {

// A sentence for a person, and the same as data.
struct Clause {
    WhyCode code = WhyCode::ending;
    std::string sentence;       // "Waits at 'pay' for the event order.paid with key 17."
    boost::json::object names;  // what differs: {"step": "pay", ...}; a time is text (RFC 3339)
};

// What would move a run.
struct Help {
    HelpCode code = HelpCode::nothing;
    std::string sentence;       // "send it: pawl events send order.paid --key 17"; empty: nothing
    boost::json::object names;  // {"command": "pawl events send order.paid --key 17"}
};

// Why a run stands where it stands, for a person.
struct Why {
    std::vector<Clause> clauses;  // one after the other, at least one
    Help help;
    std::vector<Clause> places;  // one for every token when there are several
};

std::string sentence_of(const Why& why);

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
