#pragma once

#include "app/runs/start_run.hpp"

namespace pawl::app {

// A new run that goes on where a failed or cancelled one stopped. Once: asked for again, it is the
// run that was made before.
asio::awaitable<Result<StartedRun>> retry_run(RunUses& uses, store::Tenant tenant, RunId id);

}  // namespace pawl::app
