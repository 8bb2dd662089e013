#pragma once

#include "engine/worker/worker.hpp"
#include "steps/executor.hpp"
#include "store/repos/operations.hpp"

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>

namespace pawl::host {

namespace asio = boost::asio;

// Tells the database what a worker holds and which targets it leaves alone, and does what operators
// want of it: to rest, to work again, to call a target again. They outlive it.
asio::awaitable<void> keep_orders(
    store::Operations& operations,
    engine::Worker& worker,
    const steps::Executor& steps,
    asio::any_io_executor executor,
    Duration every = std::chrono::seconds(2)
);

}  // namespace pawl::host
