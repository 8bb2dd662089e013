#include "cli/commands/checkup.hpp"

#include "base/rng.hpp"
#include "base/spoken.hpp"
#include "cli/commands/run_view.hpp"
#include "cli/terminal/version.hpp"
#include "pg/pg_error.hpp"
#include "store/queries.gen.hpp"

#include <fmt/core.h>
#include <unistd.h>

#include <exception>

namespace pawl::cli {

namespace {

constexpr Duration check_limit = std::chrono::seconds(5);
// A machine that keeps time by NTP is off by milliseconds.
constexpr Duration skew_max = std::chrono::seconds(1);
}  // namespace

// A pooler in transaction mode gives sessions away between two uses. The one that was given back
// last is usually given out first, so one client alone may meet the same again and again: another
// one looks as well, and finds the statement of the first there.
asio::awaitable<Finding> check_prepared(pg::Connection& connection, pg::ConnectOptions connect) {
    Finding finding{"statements", Verdict::ok, "prepared statements work", ""};
    if (!connect.prepare) {
        finding.detail = "prepared statements are off (--prepare off)";
        co_return finding;
    }
    try {
        for (int i = 0; i < 5; ++i) {
            co_await connection.run(store::queries::migrations_exist, {}, check_limit);
        }
        const auto other = co_await pg::Connection::connect(connect);
        for (int i = 0; i < 5; ++i) {
            co_await other->run(store::queries::migrations_exist, {}, check_limit);
            co_await connection.run(store::queries::migrations_exist, {}, check_limit);
        }
    } catch (const pg::PgError& error) {
        if (error.reaction() != pg::Reaction::prepare_again) throw;
        finding.verdict = Verdict::fail;
        finding.detail = fmt::format(
            "prepared statements do not work: {}; this is a pooler in transaction mode",
            error.detail().message
        );
        finding.next =
            "--prepare off (PAWL_PREPARE=off) for every process of Pawl; or session mode, or a "
            "pooler that keeps them (pgbouncer 1.21 with max_prepared_statements)";
    }
    co_return finding;
}

// Takes new pages, which a full disk does not give, and gives them back.
asio::awaitable<Finding> check_writes(pg::Connection& connection) {
    co_await connection.script("begin", check_limit);
    std::exception_ptr failed;
    try {
        co_await connection.run(store::queries::doctor_write, {}, check_limit);
    } catch (const Failure&) {
        failed = std::current_exception();
    }
    if (connection.usable()) co_await connection.script("rollback", check_limit);
    if (failed) std::rethrow_exception(failed);
    co_return Finding{"writes", Verdict::ok, "tables can grow", ""};
}

asio::awaitable<bool> takes_writes(pg::Connection& connection) {
    const auto rows = co_await connection.run(store::queries::takes_writes, {}, check_limit);
    co_return rows.boolean(0, 0);
}

asio::awaitable<Finding> check_listen(pg::Connection& connection, pg::ConnectOptions connect) {
    Finding finding{"listen", Verdict::ok, "", ""};
    co_await connection.run(store::queries::listen_for_wakes, {}, check_limit);
    const auto listening = co_await connection.run(store::queries::is_listening, {}, check_limit);
    const auto began = Steady::now();
    bool heard = false;
    if (listening.boolean(0, 0)) {
        const auto other = co_await pg::Connection::connect(connect);
        pg::Params params;
        params.add("0");
        co_await other->run(store::queries::notify_workers, std::move(params), check_limit);
        const auto notes = co_await connection.notifications(std::chrono::seconds(2));
        heard = !notes.empty();
    }
    if (heard) {
        const auto took = std::chrono::duration_cast<Duration>(Steady::now() - began);
        finding.detail = fmt::format("a NOTIFY arrives, after {}", human_duration(took));
        co_return finding;
    }
    finding.verdict = Verdict::warn;
    finding.detail = "a NOTIFY does not arrive: this is a pooler in transaction mode";
    finding.next =
        connect.prepare
            ? "connect to Postgres directly, or in session mode; else use --prepare off, "
              "and runs start when workers poll"
            : "runs start when workers poll; for less delay connect directly";
    co_return finding;
}

Finding clock_finding(Instant before, Instant theirs, Instant after) {
    const Instant ours = before + (after - before) / 2;
    const Duration skew = ours > theirs ? ours - theirs : theirs - ours;
    Finding clock{"clock", Verdict::ok, "", ""};
    clock.detail = fmt::format(
        "this machine is {} {} the database",
        human_duration(skew),
        ours > theirs ? "ahead of" : "behind"
    );
    // The round trip is the limit of what can be known.
    if (skew > skew_max + (after - before) / 2) {
        clock.verdict = Verdict::warn;
        clock.next = "synchronise the clocks (NTP): run ids and log lines carry local time";
    }
    return clock;
}

asio::awaitable<std::vector<Finding>> check_worker(store::PgStore& store) {
    Rng rng;
    store::WorkerInfo info;
    info.id = WorkerId{make_uuid7(0, static_cast<std::uint16_t>(rng.next()), rng.next())};
    info.host = "pawl doctor";
    info.pid = ::getpid();
    info.version = version;
    const Instant before = wall_now();
    const Instant theirs = co_await store.register_worker(info);
    const Instant after = wall_now();
    store::ClaimParams claim;
    claim.worker = info.id;
    claim.limit = 0;
    co_await store.claim_runs(claim);
    co_await store.retire_worker(info.id);

    std::vector<Finding> findings;
    findings.push_back({"privileges", Verdict::ok, "may read, write and claim", ""});
    Finding clock = clock_finding(before, theirs, after);
    findings.push_back(std::move(clock));
    co_return findings;
}

}  // namespace pawl::cli
