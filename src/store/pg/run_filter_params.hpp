#pragma once

#include "pg/params.hpp"
#include "store/store.hpp"

#include <optional>

namespace pawl::store {

// The conditions of a filter as the first eight parameters of the queries on runs; `from`: none
// that is older than this one.
pg::Params filter_params(
    const Tenant& tenant, const RunFilter& filter, std::optional<RunId> from = std::nullopt
);

// Whether a condition has no index, so that runs are looked through for it.
bool is_search(const RunFilter& filter);
// Adds what the queries look through runs for: p_error, p_where, p_look.
void add_search(pg::Params& params, const RunFilter& filter);

// The conditions as a job keeps them, named as in the API; cursor and limits are left out.
json::object to_json(const RunFilter& filter);
RunFilter run_filter_of(const json::value& object);

}  // namespace pawl::store
