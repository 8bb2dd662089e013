#include "base/rng.hpp"
#include "store/pg/pg_store.hpp"
#include "store/queries.gen.hpp"

#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <string_view>

// How PgStore takes away weeks beyond the retention.
namespace pawl::store {

namespace {

using namespace std::chrono_literals;

constexpr std::int32_t batch_rows = 5000;
// A start waits this long at most, and for as long as the swap itself takes: milliseconds.
constexpr Duration lock_wait = 20ms;
constexpr int busy_max = 60;
constexpr Duration busy_pause = 500ms;

asio::awaitable<void> pause_for(Duration duration) {
    asio::steady_timer timer(co_await asio::this_coro::executor);
    timer.expires_after(duration);
    co_await timer.async_wait(asio::use_awaitable);
}

// "drop event_gone_20260105" is the end of the week event_20260105; anything else is a step on the
// way.
std::optional<std::string> week_of(std::string_view step) {
    constexpr std::string_view drop = "drop ", gone = "_gone_";
    if (!step.starts_with(drop)) return std::nullopt;
    step.remove_prefix(drop.size());
    const auto mark = step.find(gone);
    if (mark == std::string_view::npos) return std::nullopt;
    const auto week = step.substr(mark + gone.size());
    if (week == "kept") return std::nullopt;
    return std::string(step.substr(0, mark)) + "_" + std::string(week);
}

}  // namespace

asio::awaitable<std::vector<std::string>> PgStore::drop_old_partitions(Duration keep) {
    Rng rng;
    const Uuid token = make_uuid7(rng.next() >> 16, 1, rng.next());
    std::vector<std::string> names;
    for (int busy = 0; busy < busy_max;) {
        pg::Params params;
        params.add(token).add(keep).add(batch_rows).add(lock_wait);
        const auto rows = co_await run(queries::retain, std::move(params));
        if (rows.is_null(0, 0)) break;
        if (rows.boolean(0, 1)) {
            ++busy;
            co_await pause_for(busy_pause);
            continue;
        }
        busy = 0;
        if (auto name = week_of(rows.text(0, 0))) names.push_back(std::move(*name));
    }
    co_return names;
}

}  // namespace pawl::store
