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

constexpr Duration limit = std::chrono::seconds(20);
constexpr std::int16_t bucket = 0;
// What one worker thread may have open at a time.
constexpr std::size_t seats_wanted = 15;
constexpr Duration seat_time = std::chrono::milliseconds(200);

Verdict verdict_of(const std::string& text) {
    return text == "ok" ? Verdict::ok : text == "warn" ? Verdict::warn : Verdict::fail;
}

struct Seats {
    std::set<int> backends;
    std::size_t waiting = 0;
    std::string problem;  // why not all of them could be opened
};

asio::awaitable<void> take_seat(pg::ConnectOptions connect, Seats& seats) {
    try {
        const auto connection = co_await pg::Connection::connect(connect);
        const auto rows = co_await connection->run(store::queries::doctor_seat, {}, limit);
        seats.backends.insert(rows.int4(0, 0));
    } catch (const Failure& failure) {
        seats.problem = failure.error().message;
    }
    --seats.waiting;
}

}  // namespace

const std::vector<RowCheck>& row_checks() {
    using Takes = RowCheck::Takes;
    namespace queries = store::queries;
    static const std::vector<RowCheck> all = {
        {"server", queries::doctor_server, Takes::nothing},
        {"settings", queries::doctor_settings, Takes::nothing},
        {"roles", queries::doctor_roles, Takes::nothing},
        {"connections", queries::doctor_connections, Takes::nothing},
        {"snapshots", queries::doctor_snapshots, Takes::patience},
        {"partitions", queries::doctor_partitions, Takes::nothing},
        {"dead workers", queries::doctor_dead_workers, Takes::bucket_and_patience},
        {"stuck runs", queries::doctor_stuck_runs, Takes::bucket_and_patience},
        {"lag", queries::doctor_lag, Takes::bucket_and_patience},
        {"closed runs", queries::doctor_closed_runs, Takes::bucket},
        {"limits", queries::doctor_flow, Takes::bucket},
        {"watches", queries::doctor_watches, Takes::nothing},
        {"webhooks", queries::doctor_webhooks, Takes::bucket_and_patience},
    };
    return all;
}

asio::awaitable<std::vector<Finding>> check_rows(
    pg::Connection& connection, RowCheck check, Duration patience
) {
    using Takes = RowCheck::Takes;
    pg::Params params;
    if (check.takes == Takes::bucket || check.takes == Takes::bucket_and_patience)
        params.add(bucket);
    if (check.takes == Takes::patience || check.takes == Takes::bucket_and_patience)
        params.add(patience);
    const auto rows = co_await connection.run(check.query, std::move(params), limit);
    std::vector<Finding> findings;
    for (int row = 0; row < rows.size(); ++row) {
        findings.push_back(
            {check.name, verdict_of(rows.text(row, 0)), rows.text(row, 1), rows.text(row, 2)}
        );
    }
    co_return findings;
}

asio::awaitable<Finding> mend_runs(pg::Connection& connection) {
    pg::Params params;
    params.add(bucket);
    const auto rows =
        co_await connection.run(store::queries::mend_all_runs, std::move(params), limit);
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
