#include "app/runs/work_off.hpp"

#include "engine/async/gate.hpp"

#include <algorithm>

namespace pawl::app {

namespace {

using namespace std::chrono_literals;

constexpr int batch_max = 1000;

// Grows with everything that happens to the runs.
std::int64_t progress_of(const std::vector<store::BatchRun>& runs) {
    std::int64_t sum = 0;
    for (const store::BatchRun& run : runs) sum += run.last_seq + (run.is_settled() ? 1 : 0);
    return sum;
}

}  // namespace

asio::awaitable<std::vector<store::BatchRun>> work_off(
    BatchUses& uses, store::Tenant tenant, Duration at_most, Duration quiet
) {
    const auto runs = co_await uses.organizations.to_do(tenant, batch_max);
    if (runs.empty()) co_return std::vector<store::BatchRun>();
    const bool worked_on = co_await uses.organizations.has_workers();
    const auto deadline = Steady::now() + (worked_on ? at_most : Duration{});
    Steady::duration pause = 5ms;
    std::int64_t progress = -1;  // how far all of them are
    auto quiet_until = deadline;
    const auto before = co_await uses.organizations.look(tenant, runs);
    uses.wake_workers();
    for (;;) {
        auto found = co_await uses.organizations.look(tenant, runs);
        for (std::size_t i = 0; i < found.size(); ++i) {
            const bool ended = found[i].status != "open" && found[i].status != "waiting";
            found[i].moved = ended || found[i].last_seq > before.at(i).last_seq;
        }
        const std::int64_t now = progress_of(found);
        if (now != progress)
            quiet_until = std::min<Steady::time_point>(deadline, Steady::now() + quiet);
        progress = now;
        const bool settled = std::ranges::all_of(found, &store::BatchRun::is_settled);
        if (settled || Steady::now() >= quiet_until) co_return found;
        engine::Gate gate(uses.executor);
        co_await gate.wait(std::min<Steady::time_point>(quiet_until, Steady::now() + pause));
        pause = std::min<Steady::duration>(pause * 2, 250ms);
    }
}

}  // namespace pawl::app
