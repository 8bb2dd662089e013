#pragma once

#include "app/caller.hpp"
#include "store/repos/organizations.hpp"

#include <boost/asio/any_io_executor.hpp>

#include <vector>

namespace pawl::app {

// What batches of due work are done with. All of it outlives them.
struct BatchUses {
    asio::any_io_executor executor;
    store::Organizations& organizations;
    const Wake& wake_workers;
};

// What is due or under way for a tenant, done: makes the workers look now and waits until nothing
// can be done for any of those runs at the moment, but no longer than `at_most`, and no longer than
// `quiet` after something happened to one of them: a step that takes long is not waited for. What
// is left then is still open. Where no worker is alive it does not wait.
asio::awaitable<std::vector<store::BatchRun>> work_off(
    BatchUses& uses, store::Tenant tenant, Duration at_most, Duration quiet
);

}  // namespace pawl::app
