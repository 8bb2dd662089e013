#include "api/work_off.hpp"

#include "engine/gate.hpp"

#include <algorithm>

namespace pawl::api {

namespace {

using namespace std::chrono_literals;

constexpr int batch_max = 1000;

}  // namespace

asio::awaitable<std::vector<store::BatchRun>> work_off(
    Services& services, store::Tenant tenant, Duration at_most
) {
    const auto runs = co_await services.organizations.to_do(tenant, batch_max);
    if (runs.empty()) co_return std::vector<store::BatchRun>();
    const bool worked_on = co_await services.organizations.has_workers();
    const auto deadline = Steady::now() + (worked_on ? at_most : Duration{});
    Steady::duration pause = 5ms;
    const auto before = co_await services.organizations.look(tenant, runs);
    services.wake_workers();
    for (;;) {
        auto found = co_await services.organizations.look(tenant, runs);
        for (std::size_t i = 0; i < found.size(); ++i) {
            const bool ended = found[i].status != "open" && found[i].status != "waiting";
            found[i].moved = ended || found[i].last_seq > before.at(i).last_seq;
        }
        if (std::ranges::all_of(found, &store::BatchRun::is_settled) || Steady::now() >= deadline) {
            co_return found;
        }
        engine::Gate gate(services.executor);
        co_await gate.wait(std::min(deadline, Steady::now() + pause));
        pause = std::min<Steady::duration>(pause * 2, 250ms);
    }
}

}  // namespace pawl::api
