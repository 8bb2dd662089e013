#pragma once

#include "pg/params.hpp"
#include "store/store.hpp"

namespace pawl::store {

// The conditions of a filter as the first eight parameters of the queries on runs.
pg::Params filter_params(const Tenant& tenant, const RunFilter& filter);

// The conditions as a job keeps them, named as in the API; cursor and limits are left out.
json::object to_json(const RunFilter& filter);
RunFilter run_filter_of(const json::value& object);

}  // namespace pawl::store
