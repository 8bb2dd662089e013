#pragma once

#include "app/runs/starter.hpp"
#include "host/worker_thread.hpp"
#include "store/pg/pg_store.hpp"

#include <memory>
#include <vector>

namespace pawl::host {

// Starts on the worker threads of this process, in turn: they go on with the runs at once.
app::Starter::Trip start_on_workers(std::vector<WorkerThread*> workers);

// Starts by the store alone and tells workers elsewhere. The store outlives it.
app::Starter::Trip start_in_store(store::PgStore& store);

}  // namespace pawl::host
