#include "api/streams/run_end.hpp"

#include "api/http/problem.hpp"
#include "api/shapes.hpp"
#include "engine/async/gate.hpp"

#include <algorithm>

namespace pawl::api {

asio::awaitable<store::RunDetails> find_run(Services& services, store::Tenant tenant, RunId run) {
    auto found = co_await services.store.find_run(tenant, run);
    if (!found) refuse_not_found("there is no run " + to_string(run));
    co_return std::move(*found);
}

asio::awaitable<store::RunDetails> wait_for_end(
    Services& services, store::Tenant tenant, RunId run, Duration at_most
) {
    using namespace std::chrono_literals;
    const auto deadline = Steady::now() + at_most;
    Steady::duration pause = 2ms;
    for (;;) {
        auto found = co_await find_run(services, tenant, run);
        if (is_closed(found) || Steady::now() >= deadline || services.stopping) co_return found;
        engine::Gate gate(services.executor);
        co_await gate.wait(std::min(deadline, Steady::now() + pause));
        pause = std::min<Steady::duration>(pause * 2, 250ms);
    }
}

}  // namespace pawl::api
