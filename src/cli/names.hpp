#pragma once

#include "base/error.hpp"
#include "store/store.hpp"

#include <boost/asio/awaitable.hpp>

#include <string>

namespace pawl::cli {

// "there is no workflow named 'helo', did you mean 'hello'?"
boost::asio::awaitable<Error> unknown_workflow(
    store::Store& store, store::TenantId tenant, std::string name
);
// There is one, and it may not be started.
Error inactive_workflow(const store::WorkflowVersion& workflow);

}  // namespace pawl::cli
