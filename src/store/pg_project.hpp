#pragma once

#include "pg/params.hpp"
#include "store/store.hpp"

namespace pawl::store {

// The parameters of project_runs for the projections of a batch.
pg::Params project_params(const CommitBatch& batch);

}  // namespace pawl::store
