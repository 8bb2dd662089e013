#pragma once

#include "app/runs/programs.hpp"
#include "plan/places.hpp"
#include "store/pg/pg_store.hpp"

namespace pawl::app {

// A run with its version and the fold of its log.
struct FoldedRun {
    store::RunDetails run;
    engine::ProgramPtr program;
    plan::RunState state;
    std::vector<Event> log;
    std::vector<plan::EventPlace> places;  // of the events of the log
};

// An error when the tenant has no such run.
asio::awaitable<Result<store::RunDetails>> find_run(
    store::PgStore& store, store::Tenant tenant, RunId id
);

// The same with its log, folded. Both outlive the call.
asio::awaitable<Result<FoldedRun>> fold_run(
    store::PgStore& store, Programs& programs, store::Tenant tenant, RunId id
);

}  // namespace pawl::app
