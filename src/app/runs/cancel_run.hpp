#pragma once

#include "app/runs/run_uses.hpp"

namespace pawl::app {

struct CancelAnswer {
    bool asked = false;     // false: it had ended before
    store::RunDetails run;  // as it is now
};

// Leaves a message for the run; the worker that holds it reacts.
asio::awaitable<Result<CancelAnswer>> cancel_run(
    RunUses& uses, store::Tenant tenant, RunId id, store::CancelOrder order
);

}  // namespace pawl::app
