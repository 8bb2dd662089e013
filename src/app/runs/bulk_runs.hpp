#pragma once

#include "app/runs/run_uses.hpp"
#include "store/repos/bulk.hpp"

namespace pawl::app {

// How many runs match, with a few of them: what a bulk job would be about. Refuses a workflow that
// the tenant does not have, and the step of a skip that no version of the workflow has.
asio::awaitable<Result<store::RunCount>> count_bulk(
    RunUses& uses, store::Tenant tenant, store::RunFilter filter, store::BulkAction action
);

// Makes a job that does one thing to all runs that match. The filter must fit the action
// (store::fitting). Refuses what count_bulk refuses, and more runs than action.limit; nothing has
// been done then.
asio::awaitable<Result<store::Job>> bulk_runs(
    RunUses& uses, Caller caller, store::RunFilter filter, store::BulkAction action
);

}  // namespace pawl::app
