#include "bench/bench_texts.gen.hpp"
#include "bench/meter.hpp"
#include "bench/run_sync.hpp"
#include "bench/workload.hpp"
#include "model/definition.hpp"
#include "store/pg/pg_store.hpp"
#include "store/pg/tenant_call.hpp"
#include "store/queries.gen.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <map>

namespace pawl::bench {

namespace {

constexpr int rounds = 5;
constexpr Duration limit = std::chrono::minutes(5);

constexpr const char* wanting = R"(
name: bench_wanted
triggers: [{event: bench_wanted, operation: [INSERT], conditions: {kind: earn}}]
nodes: [{id: changed, type: trigger}, {id: later, wait: 30d}]
edges: [{from: changed, to: later}]
)";

// Its rows are looked at, and no workflow wants them.
constexpr const char* not_wanting = R"(
name: bench_unwanted
triggers: [{event: bench_unwanted, operation: [INSERT], conditions: {kind: burn}}]
nodes: [{id: changed, type: trigger}]
edges: []
)";

// Of the tables: one that is not watched, one whose event no workflow names, one whose rows do not
// meet the conditions, and one whose rows do.
struct Case {
    const char* name;
    const pg::Query& fill;
};
const std::array<Case, 4> cases{{
    {"plain", store::queries::bench_fill_plain},
    {"unnamed", store::queries::bench_fill_unnamed},
    {"unwanted", store::queries::bench_fill_unwanted},
    {"wanted", store::queries::bench_fill_wanted},
}};

struct Timings {
    std::int32_t rows = 0;    // at once
    std::int32_t single = 0;  // one by one
    std::map<std::string, std::vector<double>> at_once_ms;
    std::map<std::string, std::vector<double>> at_once_cpu_ms;  // of the session
    std::map<std::string, std::vector<double>> single_us;
    std::map<std::string, std::vector<double>> single_cpu_us;
    double taken_s = 0;
    std::int64_t events = 0;
    std::int64_t others = 0;
    std::int64_t left = 0;
};

double median(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    return values[values.size() / 2];
}

asio::awaitable<void> watch(pg::Pool& pool, std::string name) {
    pg::Params params;
    params.add("public.bench_" + name);
    params.add("bench_" + name);
    co_await store::call(pool, store::queries::bench_watch, std::move(params));
}

asio::awaitable<void> fill_table(pg::Connection& connection, const Case& one, Timings& timings) {
    pg::Params params;
    params.add(timings.rows);
    const double cpu = process_cpu_s(connection.backend_pid());
    const auto begun = Steady::now();
    co_await connection.run(one.fill, std::move(params), limit);
    const auto took = Steady::now() - begun;
    timings.at_once_ms[one.name].push_back(std::chrono::duration<double, std::milli>(took).count());
    timings.at_once_cpu_ms[one.name].push_back(
        1e3 * (process_cpu_s(connection.backend_pid()) - cpu)
    );
}

asio::awaitable<void> insert_each(pg::Connection& connection, const Case& one, Timings& timings) {
    pg::Params params;
    params.add(fmt::format("bench_{}", one.name));
    params.add(timings.single);
    const double cpu = process_cpu_s(connection.backend_pid());
    const auto rows =
        co_await connection.run(store::queries::bench_insert_each, std::move(params), limit);
    const double used = process_cpu_s(connection.backend_pid()) - cpu;
    timings.single_us[one.name].push_back(static_cast<double>(rows.int8(0, 0)) / timings.single);
    timings.single_cpu_us[one.name].push_back(1e6 * used / timings.single);
}

// What was written down becomes events, as a matcher makes them.
asio::awaitable<void> take(pg::Connection& connection, Timings& timings) {
    const auto begun = Steady::now();
    for (;;) {
        const auto rows = co_await connection.run(store::queries::bench_take_changes, {}, limit);
        if (rows.int8(0, 0) == 0) break;
    }
    timings.taken_s = std::chrono::duration<double>(Steady::now() - begun).count();
    const auto rows = co_await connection.run(store::queries::bench_count_events, {}, limit);
    timings.events = rows.int8(0, 0);
    timings.others = rows.int8(0, 1);
    timings.left = rows.int8(0, 2);
}

asio::awaitable<void> measure(
    pg::ConnectOptions connect, const Progress& progress, Timings& timings
) {
    pg::Pool pool(co_await asio::this_coro::executor, {connect, 2});
    {
        auto connection = co_await pool.acquire();
        co_await connection->script(std::string(bench_texts[0]), limit);
    }
    store::PgStore store(pool);
    for (const char* text : {wanting, not_wanting}) {
        co_await store.apply_workflow(store::default_tenant, parse_definition(text).value());
    }
    for (const Case& one : cases) {
        if (one.name != std::string_view("plain")) co_await watch(pool, one.name);
    }
    auto connection = co_await pool.acquire();
    for (int i = 0; i < rounds; ++i) {
        progress(fmt::format("watch: round {} of {}", i + 1, rounds));
        for (const Case& one : cases) co_await fill_table(*connection, one, timings);
        for (const Case& one : cases) co_await insert_each(*connection, one, timings);
    }
    progress("watch: what is wanted becomes events");
    co_await take(*connection, timings);
}

}  // namespace

// What a watch costs a statement that writes into the table: many rows at once, and single rows.
Reports run_watch(WorkloadContext context) {
    Timings timings;
    timings.rows = static_cast<std::int32_t>(context.options.rows);
    timings.single = timings.rows / 20;
    run_sync(measure(context.target.connect(), context.progress, timings));
    json::object report{{"workload", "watch"}, {"rows", timings.rows}};
    const auto tell = [&](const char* what, auto& times, const char* unit, bool ratio) {
        const double plain = median(times["plain"]);
        report[fmt::format("{}_plain{}", what, unit)] = plain;
        for (std::size_t i = 1; i < cases.size(); ++i) {
            const double value = median(times[cases[i].name]);
            if (ratio && plain > 0) {
                report[fmt::format("{}_{}_ratio", what, cases[i].name)] = value / plain;
            } else {
                report[fmt::format("{}_{}_more{}", what, cases[i].name, unit)] = value - plain;
            }
        }
    };
    tell("many", timings.at_once_ms, "_ms", true);
    tell("many_cpu", timings.at_once_cpu_ms, "_ms", true);
    tell("single", timings.single_us, "_us", false);
    tell("single_cpu", timings.single_cpu_us, "_us", false);
    report["wanted_rows"] = rounds * (timings.rows + timings.single);
    report["wanted_events"] = timings.events;
    report["other_events"] = timings.others;
    report["rows_left"] = timings.left;
    report["events_per_s"] = static_cast<double>(timings.events) / timings.taken_s;
    return {report};
}

}  // namespace pawl::bench
