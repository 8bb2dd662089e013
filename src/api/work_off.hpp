#pragma once

#include "api/services.hpp"

#include <vector>

namespace pawl::api {

// What is due or under way for a tenant, done: makes the workers look now and waits until nothing
// can be done for any of those runs at the moment, but no longer than `at_most`. What is left then
// is still open. Where no worker is alive it does not wait. The services outlive it.
asio::awaitable<std::vector<store::BatchRun>> work_off(
    Services& services, store::Tenant tenant, Duration at_most
);

}  // namespace pawl::api
