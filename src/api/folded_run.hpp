#pragma once

#include "plan/places.hpp"
#include "store/pg/pg_store.hpp"

namespace pawl::api {

// A run with its definition and the fold of its log.
struct FoldedRun {
    store::RunDetails run;
    Definition definition;
    plan::RunState state;
    std::vector<Event> log;  // with the names that nodes have now
    std::vector<plan::EventPlace> places;
};

boost::asio::awaitable<Result<FoldedRun>> fold_run(
    store::PgStore& store, store::Tenant tenant, RunId id
);

}  // namespace pawl::api
