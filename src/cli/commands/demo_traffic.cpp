#include "cli/demo_texts.gen.hpp"
#include "cli/door/database.hpp"
#include "cli/parse/registry.hpp"
#include "cli/parse/typed_options.hpp"
#include "cli/terminal/console.hpp"
#include "pg/pg_error.hpp"

#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <fmt/format.h>

#include <map>

namespace pawl::cli {

namespace {

struct TrafficOptions {
    Globals globals;
    int rate = 5;
    int seconds = 60;
};

// In the order of the files' names, as they are embedded.
const pg::Query demo_act{"demo_act", demo_texts[0].data(), 0};
constexpr Duration act_limit = std::chrono::seconds(10);

void print_acts(const Globals& globals, const std::map<std::string, std::int64_t>& acts) {
    if (globals.machine()) {
        json::object out;
        for (const auto& [what, many] : acts) out[what] = many;
        return print_json(globals, out);
    }
    std::vector<TableRow> rows;
    for (const auto& [what, many] : acts) rows.push_back({what, std::to_string(many)});
    print_table(globals, {"CUSTOMERS", "TIMES"}, rows);
}

asio::awaitable<int> act(pg::Pool& pool, const TrafficOptions& options) {
    std::map<std::string, std::int64_t> acts;
    asio::steady_timer next(co_await asio::this_coro::executor);
    const auto begun = Steady::now();
    const std::int64_t all = std::int64_t{options.rate} * options.seconds;
    std::optional<Error> failed;
    for (std::int64_t i = 0; i < all && !failed; ++i) {
        next.expires_at(begun + std::chrono::microseconds(i * 1'000'000 / options.rate));
        co_await next.async_wait(asio::use_awaitable);
        try {
            auto connection = co_await pool.acquire();
            const auto rows = co_await connection->run(demo_act, {}, act_limit);
            ++acts[rows.text(0, 0)];
        } catch (const pg::PgError& error) {
            failed = Error{
                Errc::invalid,
                fmt::format("no customer can act here: {}", error.error().message),
                {{"next", "pawl dev --demo journeys"}}};
        }
    }
    if (failed) co_return report(options.globals, *failed);
    print_acts(options.globals, acts);
    co_return exit_ok;
}

int run_traffic(const TrafficOptions& options) {
    return with_pool(options.globals, [&](pg::Pool& pool) { return act(pool, options); });
}

void add_traffic(App& app, TrafficOptions& options) {
    add_number(app, "--rate", options.rate, 1, 1000, "Actions per second [5]");
    add_number(app, "--seconds", options.seconds, 1, 86'400, "For how many seconds [60]");
}

const RegisterGroup demo_group("demo", 16, "The demo of `pawl dev --demo`");
const RegisterCommand<run_traffic, add_traffic> traffic_command(
    {"demo traffic", 10, "Let the demo's customers sign up, buy, abandon carts ..."},
    {{"pawl demo traffic"}, {"pawl demo traffic --rate 20 --seconds 300"}}
);

}  // namespace

}  // namespace pawl::cli
