#pragma once

#include "cli/parse/options.hpp"

namespace pawl::cli {

// What `pawl runs bulk` was asked to do, checked.
struct BulkRequest {
    store::BulkAction action;
    store::RunFilter filter;
};

Result<BulkRequest> read_bulk(const RunsBulkOptions& options);

}  // namespace pawl::cli
