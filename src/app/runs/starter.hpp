#pragma once

#include "app/batching/tenant_rounds.hpp"
#include "engine/worker/worker.hpp"

#include <functional>
#include <utility>
#include <vector>

namespace pawl::app {

// Starts runs for requests; durable when it returns. Requests of a tenant that come together go
// together.
class Starter {
public:
    // Carries out one batch: a worker of this process, which then goes on with the runs, or the
    // store alone. Together: all of them or none. Else each one is Started::refused by itself.
    using Trip = std::function<
        asio::awaitable<std::vector<engine::Started>>(std::vector<engine::StartRequest>, bool)>;

    Starter(asio::any_io_executor executor, Trip trip)
        : trip_(trip), rounds_(executor, [trip](std::vector<engine::StartRequest> requests) {
              return trip(std::move(requests), false);
          }) {}

    // Throws when it is refused.
    asio::awaitable<engine::Started> start(engine::StartRequest request) {
        const store::TenantId tenant = request.program->tenant;
        auto started = co_await rounds_.ask(tenant, std::move(request));
        if (started.refused) throw Failure(std::move(*started.refused));
        co_return started;
    }
    // In one transaction.
    asio::awaitable<std::vector<engine::Started>> start_all(
        std::vector<engine::StartRequest> requests
    ) {
        return trip_(std::move(requests), true);
    }
    asio::awaitable<void> stop() { return rounds_.stop(); }

private:
    Trip trip_;
    TenantRounds<engine::StartRequest, engine::Started> rounds_;
};

}  // namespace pawl::app
