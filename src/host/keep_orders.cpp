#include "host/keep_orders.hpp"

#include "base/complaint.hpp"
#include "base/log.hpp"
#include "engine/async/gate.hpp"
#include "steps/storable_text.hpp"

namespace pawl::host {

namespace {

// What a worker tells is bounded, however many targets fail.
constexpr std::size_t targets_told = 200;
constexpr std::size_t target_bytes_max = 500;
constexpr std::size_t error_bytes_max = 500;

const char* state_name(Circuit::State state) {
    switch (state) {
        case Circuit::State::open: return "open";
        case Circuit::State::half_open: return "half_open";
        case Circuit::State::closed: break;
    }
    return "closed";
}

std::vector<store::CircuitReport> circuits_of(const steps::Executor& steps) {
    std::vector<store::CircuitReport> circuits;
    for (steps::TargetView& view : steps.targets(targets_told)) {
        if (view.target.size() > target_bytes_max) continue;
        store::CircuitReport one;
        one.tenant = view.tenant;
        one.target = std::move(view.target);
        one.state = state_name(view.state);
        one.opened = view.opened;
        one.wait = view.wait;
        one.error = steps::storable(view.last_error, error_bytes_max);
        circuits.push_back(std::move(one));
    }
    return circuits;
}

void obey(const store::WorkerOrders& orders, engine::Worker& worker, const steps::Executor& steps) {
    if (orders.draining && !worker.resting()) {
        log::info("the worker takes no more runs: an operator drains it");
        worker.rest();
    } else if (!orders.draining && worker.resting()) {
        log::info("the worker takes runs again");
        worker.work_again();
    }
    for (const auto& [tenant, target] : orders.close) {
        log::info("a circuit is closed by an operator", {log::field("target", target)});
        steps.close_circuit(tenant, target);
    }
}

}  // namespace

asio::awaitable<void> keep_orders(
    store::Operations& operations,
    engine::Worker& worker,
    const steps::Executor& steps,
    asio::any_io_executor executor,
    Duration every
) {
    Complaint reporting("orders of operators could not be read");
    for (;;) {
        try {
            if (worker.working()) {
                const auto held = static_cast<std::int32_t>(worker.held());
                const auto orders = co_await operations.report(
                    worker.id(), worker.resting(), held, circuits_of(steps)
                );
                obey(orders, worker, steps);
            }
            reporting.fine();
        } catch (const Failure& failure) {
            reporting.failed(failure.what());
        }
        engine::Gate pause(executor);
        co_await pause.wait(Steady::now() + every);
    }
}

}  // namespace pawl::host
