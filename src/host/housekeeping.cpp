#include "host/housekeeping.hpp"

#include "base/log.hpp"
#include "engine/async/gate.hpp"

namespace pawl::host {

asio::awaitable<void> keep_partitions(
    store::PgStore& store, asio::any_io_executor executor, std::optional<Duration> retention
) {
    for (;;) {
        // A transaction that stays open may be in the way: partitions are there for weeks, and to
        // insist would make everything else wait behind it.
        Duration wait = std::chrono::hours(1);
        try {
            const int made = co_await store.ensure_partitions(4);
            if (made > 0) log::info("partitions made", {log::field("count", made)});
            std::vector<std::string> dropped;
            if (retention) dropped = co_await store.drop_old_partitions(*retention);
            for (const std::string& name : dropped) {
                log::info(
                    "a partition beyond the retention was dropped", {log::field("name", name)}
                );
            }
        } catch (const Failure& failure) {
            log::warn("partitions could not be kept", {log::field("error", failure.what())});
            wait = std::chrono::minutes(1);
        }
        engine::Gate pause(executor);
        co_await pause.wait(Steady::now() + wait);
    }
}

asio::awaitable<void> keep_purging(
    asio::any_io_executor executor,
    std::string what,
    std::function<asio::awaitable<std::int64_t>(int batch)> purge,
    int batch
) {
    for (;;) {
        bool more = false;
        try {
            more = co_await purge(batch) >= batch;
        } catch (const Failure& failure) {
            log::warn(
                "old rows could not be removed",
                {log::field("what", what), log::field("error", failure.what())}
            );
        }
        engine::Gate pause(executor);
        const Duration wait =
            more ? Duration(std::chrono::milliseconds(100)) : std::chrono::hours(1);
        co_await pause.wait(Steady::now() + wait);
    }
}

}  // namespace pawl::host
