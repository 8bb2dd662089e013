#pragma once

#include "api/services.hpp"

namespace pawl::api {

// The run once it has closed, or as it is when the time is over.
asio::awaitable<store::RunDetails> wait_for_end(
    Services& services, store::Tenant tenant, RunId run, Duration at_most
);

}  // namespace pawl::api
