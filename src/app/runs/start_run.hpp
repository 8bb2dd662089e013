#pragma once

#include "app/runs/run_uses.hpp"
#include "app/runs/start_params.hpp"

#include <vector>

namespace pawl::app {

struct StartedRun {
    engine::ProgramPtr program;
    engine::Started started;
};

// Chooses the version, checks the data, asks the limits, starts: durable when it returns.
asio::awaitable<Result<StartedRun>> start_run(RunUses& uses, Caller caller, StartParams params);

// All of them or none, in one transaction.
asio::awaitable<Result<std::vector<StartedRun>>> start_runs(
    RunUses& uses, Caller caller, std::vector<StartParams> all
);

// Two different starts at once with one key: the second finds the run of the first, which must not
// look like an answer to its own request.
asio::awaitable<Result<void>> check_same_start(
    RunUses& uses, store::Tenant tenant, engine::Started started, StartParams params
);
Error reused_key();
// The person does not meet enter_if.
Error kept_out(const engine::Program& program, std::string_view subject);

}  // namespace pawl::app
