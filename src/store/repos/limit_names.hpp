#pragma once

#include "store/repos/limits.hpp"
#include "store/store.hpp"

namespace pawl::store {

// What is wrong with a name of a limit: neither the definition that starts use has it, nor is a run
// under it now, nor was it set before. Empty: it can be set. Both outlive the call.
asio::awaitable<std::string> limit_problem(
    Store& store, Limits& limits, Tenant tenant, FlowLimitName name
);

}  // namespace pawl::store
