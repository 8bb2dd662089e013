#pragma once

#include "api/rounds.hpp"
#include "engine/worker.hpp"

#include <vector>

namespace pawl::api {

// Starts runs for requests; durable when it returns. Requests that come together go together.
class Starter {
public:
    // Carries out one batch: a worker of this process, which then goes on with the runs, or the
    // store alone.
    using Trip = Rounds<engine::StartRequest, engine::Started>::Trip;

    Starter(asio::any_io_executor executor, Trip trip) : trip_(trip), rounds_(executor, trip) {}

    asio::awaitable<engine::Started> start(engine::StartRequest request) {
        return rounds_.ask(std::move(request));
    }
    // In one transaction.
    asio::awaitable<std::vector<engine::Started>> start_all(
        std::vector<engine::StartRequest> requests
    ) {
        return trip_(std::move(requests));
    }
    asio::awaitable<void> stop() { return rounds_.stop(); }

private:
    Trip trip_;
    Rounds<engine::StartRequest, engine::Started> rounds_;
};

}  // namespace pawl::api
