#pragma once

#include "engine/observe/metrics.hpp"
#include "steps/executor.hpp"
#include "store/repos/figure_counts.hpp"

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>

namespace pawl::host {

namespace asio = boost::asio;

// Shows the database's figures in the metrics until it is cancelled. Every process asks; one of
// them counts, at this pace, for all.
asio::awaitable<void> keep_figures(
    store::Figures& figures,
    asio::any_io_executor executor,
    engine::Metrics& metrics,
    store::Bucket bucket,
    Duration every = std::chrono::seconds(15)
);

// Shows what one worker's steps know of their targets, until it is cancelled. They outlive it.
asio::awaitable<void> keep_circuits(
    const steps::Executor& steps,
    asio::any_io_executor executor,
    engine::Metrics& metrics,
    Duration every = std::chrono::seconds(1)
);

}  // namespace pawl::host
