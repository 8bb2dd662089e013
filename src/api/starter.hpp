#pragma once

#include "api/tenant_rounds.hpp"
#include "engine/worker.hpp"

#include <vector>

namespace pawl::api {

// Starts runs for requests; durable when it returns. Requests of a tenant that come together go
// together.
class Starter {
public:
    // Carries out one batch: a worker of this process, which then goes on with the runs, or the
    // store alone.
    using Trip = Rounds<engine::StartRequest, engine::Started>::Trip;

    Starter(asio::any_io_executor executor, Trip trip) : trip_(trip), rounds_(executor, trip) {}

    asio::awaitable<engine::Started> start(engine::StartRequest request) {
        const store::TenantId tenant = request.program->tenant;
        return rounds_.ask(tenant, std::move(request));
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
    TenantRounds<engine::StartRequest, engine::Started> rounds_;
};

}  // namespace pawl::api
