#pragma once

#include "app/runs/run_uses.hpp"
#include "plan/why.hpp"

namespace pawl::app {

// Why a run is where it is, and what would help.
asio::awaitable<Result<plan::Why>> why_run(RunUses& uses, store::Tenant tenant, RunId id);

}  // namespace pawl::app
