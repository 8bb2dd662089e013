#pragma once

#include "app/runs/programs.hpp"
#include "base/json.hpp"
#include "engine/start/start_request.hpp"

#include <string>

namespace pawl::app {

// A start that was asked for: everything but whether the workflow exists.
struct StartParams {
    std::string workflow;
    std::string version;  // a number or a label; empty: the one that starts use now
    json::value data;
    std::string correlation_id;
    std::string subject;
    std::int16_t priority = 0;
    std::optional<Instant> start_at;
    std::optional<Duration> delay;
    std::string traceparent;   // of the request, when its trace is sampled; else empty
    std::string triggered_by;  // empty: the door that the call came by
};

// What is missing in the data for this workflow, or does not fit its input_schema; none: all is
// well. The context has the place of each value, below `pointer`.
std::optional<Error> check_input(
    const engine::Program& program, const json::value& data, const std::string& pointer = "/data"
);

// What check_fits says, for a caller whose data is at `pointer`.
Error unfit_input(const Error& wrong, const std::string& pointer = "/data");

// By what the version is chosen where several are active.
StartChoice choice_of(const StartParams& params);

engine::StartRequest to_request(engine::ProgramPtr program, StartParams params);

}  // namespace pawl::app
