#pragma once

#include "base/error.hpp"
#include "pg/pool.hpp"
#include "store/store.hpp"

#include <boost/asio/awaitable.hpp>

#include <optional>
#include <string>

namespace pawl::cli {

// "there is no workflow named 'helo', did you mean 'hello'?"
boost::asio::awaitable<Error> unknown_workflow(
    store::Store& store, store::TenantId tenant, std::string name
);
// The same as a question, for a list that is empty: a misspelt name should not look like a workflow
// without any. Nothing: there is one of that name, or none was asked for.
boost::asio::awaitable<std::optional<Error>> misspelt_workflow(
    pg::Pool& pool, store::TenantId tenant, std::string name
);
// There is one, and it may not be started.
Error inactive_workflow(const store::WorkflowVersion& workflow);

}  // namespace pawl::cli
