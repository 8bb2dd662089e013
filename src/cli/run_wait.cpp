#include "cli/run_wait.hpp"

#include "cli/run_view.hpp"
#include "model/duration.hpp"

#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <fmt/core.h>

#include <algorithm>

namespace pawl::cli {

namespace asio = boost::asio;

namespace {

constexpr Duration poll_first = std::chrono::milliseconds(20);
constexpr Duration poll_max = std::chrono::milliseconds(500);
// After this long without an end it is worth asking whether anybody works at all.
constexpr Duration wonder_after = std::chrono::seconds(2);

void print_run(const Globals& globals, const store::RunSummary& run) {
    if (globals.machine()) {
        print_json(globals, to_json(run));
    } else {
        print_details(globals, details_of(run));
    }
}

int ended(const Globals& globals, const store::RunSummary& run) {
    print_run(globals, run);
    if (run.status == "completed") return exit_ok;
    Error error{
        Errc::run_failed,
        fmt::format("the run {}", run.status == "failed" ? "failed" : "was cancelled"),
        {{"run", to_string(run.id)}, {"next", "pawl runs show " + to_string(run.id)}}};
    return report(globals, error);
}

int out_of_time(const RunOptions& options, const store::RunSummary& run) {
    print_run(options.globals, run);
    Error error{
        Errc::timeout,
        fmt::format(
            "the run has not ended within {}; it goes on", format_duration(options.timeout)
        ),
        {{"run", to_string(run.id)}, {"next", "pawl runs show " + to_string(run.id)}}};
    return report(options.globals, error);
}

asio::awaitable<void> warn_without_workers(
    store::PgStore& store, const RunOptions& options, store::Bucket bucket
) {
    const auto health = co_await store.health(bucket);
    if (health.workers > 0) co_return;
    say(options.globals, "no worker is running on this database; start one: pawl worker");
}

}  // namespace

asio::awaitable<int> wait_for_run(
    store::PgStore& store, const RunOptions& options, Started started
) {
    asio::steady_timer timer(co_await asio::this_coro::executor);
    const auto began = Steady::now();
    const auto deadline = began + options.timeout;
    Duration pause = poll_first;
    bool wondered = false;
    while (true) {
        const auto run = co_await store.find_run(started.tenant, started.run);
        if (!run) {
            Error gone{Errc::not_found, "the run is gone", {{"run", to_string(started.run)}}};
            co_return report(options.globals, gone);
        }
        if (is_closed(*run)) co_return ended(options.globals, *run);
        const auto now = Steady::now();
        if (now >= deadline) co_return out_of_time(options, *run);
        if (!wondered && now - began >= wonder_after) {
            wondered = true;
            co_await warn_without_workers(store, options, started.tenant.bucket);
        }
        timer.expires_at(std::min<Steady::time_point>(now + pause, deadline));
        co_await timer.async_wait(asio::use_awaitable);
        pause = std::min(pause * 3 / 2, poll_max);
    }
}

}  // namespace pawl::cli
