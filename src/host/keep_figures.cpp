#include "host/keep_figures.hpp"

#include "base/log.hpp"
#include "engine/async/gate.hpp"

namespace pawl::host {

asio::awaitable<void> keep_figures(
    store::Figures& figures,
    asio::any_io_executor executor,
    engine::Metrics& metrics,
    store::Bucket bucket,
    Duration every
) {
    bool complained = false;
    for (;;) {
        try {
            metrics.figures(co_await figures.take(bucket, every));
            complained = false;
        } catch (const Failure& failure) {
            if (!complained) {
                log::warn(
                    "figures of the database cannot be taken", {log::field("error", failure.what())}
                );
            }
            complained = true;
        }
        engine::Gate pause(executor);
        co_await pause.wait(Steady::now() + every);
    }
}

asio::awaitable<void> keep_circuits(
    const steps::Executor& steps,
    asio::any_io_executor executor,
    engine::Metrics& metrics,
    Duration every
) {
    for (;;) {
        metrics.circuits(&steps, steps.circuits());
        engine::Gate pause(executor);
        co_await pause.wait(Steady::now() + every);
    }
}

}  // namespace pawl::host
