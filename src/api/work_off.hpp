#pragma once

#include "api/services.hpp"

#include <vector>

namespace pawl::api {

// What is due or under way for a tenant, done: makes the workers look now and waits until nothing
// can be done for any of those runs at the moment, but no longer than `at_most`, and no longer than
// `quiet` after something happened to one of them: a step that takes long is not waited for. What
// is left then is still open. Where no worker is alive it does not wait. The services outlive it.
asio::awaitable<std::vector<store::BatchRun>> work_off(
    Services& services, store::Tenant tenant, Duration at_most, Duration quiet
);

}  // namespace pawl::api
