#include "engine/services/projector.hpp"

namespace pawl::engine {

namespace {

// Each look reads a little of the log twice, and many small ones more than one large one.
constexpr Duration look_every = std::chrono::seconds(1);
// While another process counts.
constexpr Duration look_idle = std::chrono::seconds(5);
// A rebuild leaves room for others.
constexpr Duration breath = std::chrono::milliseconds(5);

}  // namespace

asio::awaitable<void> Projector::run() {
    for (;;) {
        Duration wait = look_every;
        try {
            const auto projected = co_await funnels_.project(bucket_);
            if (!projected) {
                wait = look_idle;
            } else if (projected->more) {
                wait = breath;
            }
            trouble_.fine();
        } catch (const Failure& failure) {
            trouble_.failed(failure.what());
        }
        Gate pause(executor_);
        co_await pause.wait(Steady::now() + wait);
    }
}

}  // namespace pawl::engine
