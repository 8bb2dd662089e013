#pragma once

#include "store/repos/bulk.hpp"

#include <string>
#include <vector>

namespace pawl::store {

// An entry of a migration's map, or of its exits, that can mean nothing.
struct MapMistake {
    std::string from;
    std::string to;       // empty: of its exits
    std::string problem;  // for a person: which step is not there, and which are
};

// Steps that the old versions or the new one do not have. The old ones are those of
// `migration.from`, or all others of the workflow. The store must outlive it.
asio::awaitable<std::vector<MapMistake>> mistakes_in_map(
    Store& store, TenantId tenant, std::string workflow, RunMigration migration
);

}  // namespace pawl::store
