#include "cli/commands/checkup_rows.hpp"

#include "base/error.hpp"
#include "base/spoken.hpp"
#include "store/queries.gen.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <fmt/core.h>

#include <algorithm>
#include <set>

namespace pawl::cli {

namespace {

constexpr Duration rows_limit = std::chrono::seconds(20);
constexpr std::int16_t bucket = 0;
// What one worker thread may have open at a time.
constexpr std::size_t seats_wanted = 15;
constexpr Duration seat_time = std::chrono::milliseconds(200);

struct Seats {
    std::set<int> backends;
    std::size_t waiting = 0;
    std::string problem;  // why not all of them could be opened
};

asio::awaitable<void> take_seat(pg::ConnectOptions connect, Seats& seats) {
    try {
        const auto connection = co_await pg::Connection::connect(connect);
        const auto rows = co_await connection->run(store::queries::doctor_seat, {}, rows_limit);
        seats.backends.insert(rows.int4(0, 0));
    } catch (const Failure& failure) {
        seats.problem = failure.error().message;
    }
    --seats.waiting;
}

}  // namespace

asio::awaitable<Finding> mend_runs(pg::Connection& connection) {
    pg::Params params;
    params.add(bucket);
    const auto rows =
        co_await connection.run(store::queries::mend_all_runs, std::move(params), rows_limit);
    const auto detail =
        counted(static_cast<std::uint64_t>(rows.size()), "closed run") + " had something open";
    co_return Finding{"repair", Verdict::ok, detail, ""};
}

asio::awaitable<Finding> check_room(pg::ConnectOptions connect) {
    const auto executor = co_await asio::this_coro::executor;
    Seats seats;
    seats.waiting = seats_wanted;
    const auto begun = Steady::now();
    for (std::size_t i = 0; i < seats_wanted; ++i) {
        asio::co_spawn(executor, take_seat(connect, seats), [](std::exception_ptr thrown) {
            if (thrown) std::rethrow_exception(thrown);
        });
    }
    asio::steady_timer pause(executor);
    while (seats.waiting > 0) {
        pause.expires_after(std::chrono::milliseconds(10));
        co_await pause.async_wait(asio::use_awaitable);
    }
    const auto took = Steady::now() - begun;
    const auto at_once = seats.backends.size();
    Finding finding{"room", Verdict::ok, "", ""};
    finding.detail = counted(at_once, "connection") + " at a time";
    if (!seats.problem.empty()) {
        finding.verdict = Verdict::warn;
        finding.detail = fmt::format(
            "of {} connections only {} could be opened: {}", seats_wanted, at_once, seats.problem
        );
        finding.next = "raise max_connections, the role's limit, or max_client_conn of the pooler";
    } else if (at_once < seats_wanted && took > 2 * seat_time) {
        finding.verdict = Verdict::warn;
        finding.detail = fmt::format(
            "{} connections share {} of the server: the pooler makes the others wait",
            seats_wanted,
            at_once
        );
        finding.next = fmt::format(
            "default_pool_size of the pooler: {} for each worker thread and 8 for the API",
            seats_wanted
        );
    }
    co_return finding;
}

}  // namespace pawl::cli
