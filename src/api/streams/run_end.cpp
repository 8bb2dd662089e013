#include "api/streams/run_end.hpp"

#include "api/http/problem.hpp"
#include "app/runs/folded_run.hpp"
#include "app/views/run_json.hpp"
#include "engine/async/gate.hpp"

#include <algorithm>

namespace pawl::api {

asio::awaitable<store::RunDetails> wait_for_end(
    Services& services, store::Tenant tenant, RunId run, Duration at_most
) {
    using namespace std::chrono_literals;
    const auto deadline = Steady::now() + at_most;
    Steady::duration pause = 2ms;
    for (;;) {
        auto found = or_refuse(co_await app::find_run(services.app.repos().store, tenant, run));
        const bool over = Steady::now() >= deadline || services.stopping;
        if (app::is_closed(found) || over) co_return found;
        engine::Gate gate(services.app.executor());
        co_await gate.wait(std::min(deadline, Steady::now() + pause));
        pause = std::min<Steady::duration>(pause * 2, 250ms);
    }
}

}  // namespace pawl::api
