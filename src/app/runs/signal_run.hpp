#pragma once

#include "app/runs/run_uses.hpp"
#include "plan/settle.hpp"

#include <string>

namespace pawl::app {

// Messages to a run. Each answers with the run as it is: the message has been kept, and the run
// will react to it. A run that has closed refuses all of them.

struct SignalParams {
    std::string name;
    json::value data;
    bool early = false;  // it may come before the run waits for it
};
// A name that the run does not wait for is refused unless it is `early`: it would be kept without
// a word, and the run wait on.
asio::awaitable<Result<store::RunDetails>> signal_run(
    RunUses& uses, Caller caller, RunId id, SignalParams params
);

asio::awaitable<Result<store::RunDetails>> pause_run(
    RunUses& uses, Caller caller, RunId id, std::string reason
);
asio::awaitable<Result<store::RunDetails>> resume_run(RunUses& uses, Caller caller, RunId id);

struct SkipParams {
    std::string node;
    std::string by;
    std::string reason;
    std::optional<json::value> value;  // the step's result
    std::string handle;                // by which way it is left; empty: default
};
// A step that the run is not at is refused. The run may go on before the message comes: then
// nothing is skipped.
asio::awaitable<Result<store::RunDetails>> skip_step(
    RunUses& uses, Caller caller, RunId id, SkipParams params
);

// For a step whose outcome is not known.
asio::awaitable<Result<store::RunDetails>> settle_step(
    RunUses& uses, Caller caller, RunId id, plan::SettleRequest request
);

}  // namespace pawl::app
