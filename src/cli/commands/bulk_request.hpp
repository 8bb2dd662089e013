#pragma once

#include "base/error.hpp"
#include "cli/terminal/globals.hpp"
#include "store/repos/bulk.hpp"

#include <optional>
#include <string>
#include <vector>

namespace pawl::cli {

// What `pawl runs bulk` was asked to do, as it was written.
struct RunsBulkOptions {
    Globals globals;
    store::BulkAction action;
    std::string workflow;
    std::vector<std::string> status;
    std::string subject;
    std::string correlation;
    std::string created_after;
    std::string created_before;
    std::string error;
    std::vector<std::string> where;
    std::string data;   // of a signal or a settle: JSON, @file, or - for stdin; empty: none
    std::string value;  // of a skip, likewise
    bool all = false;
    bool dry_run = false;
    bool yes = false;
    bool no_wait = false;
};

// The same, checked.
struct BulkRequest {
    store::BulkAction action;
    store::RunFilter filter;
};

// Conditions on data as people write them; nothing when they are right.
std::optional<Error> check_where(const std::vector<std::string>& where);

Result<BulkRequest> read_bulk(const RunsBulkOptions& options);

}  // namespace pawl::cli
