#include "bench/bench_texts.gen.hpp"
#include "bench/run_sync.hpp"
#include "bench/workload.hpp"
#include "model/definition.hpp"
#include "store/pg/pg_store.hpp"
#include "store/pg/tenant_call.hpp"
#include "store/queries.gen.hpp"

#include <algorithm>
#include <map>

namespace pawl::bench {

namespace {

constexpr std::int32_t rows_at_once = 100'000;
constexpr std::int32_t single_rows = 5'000;
constexpr int rounds = 5;
constexpr Duration limit = std::chrono::minutes(5);

constexpr const char* wanting = R"(
name: bench_wanted
triggers: [{event: bench_wanted, operation: [INSERT], conditions: {kind: earn}}]
nodes: [{id: changed, type: trigger}, {id: later, wait: 30d}]
edges: [{from: changed, to: later}]
)";

// The same event by another name: its rows are looked at, and no workflow wants them.
constexpr const char* not_wanting = R"(
name: bench_unwanted
triggers: [{event: bench_unwanted, operation: [INSERT], conditions: {kind: burn}}]
nodes: [{id: changed, type: trigger}]
edges: []
)";

struct Timings {
    std::map<std::string, std::vector<double>> at_once_ms;
    std::map<std::string, std::vector<double>> single_us;
    std::int64_t events = 0;
};

double median(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    return values[values.size() / 2];
}

asio::awaitable<void> watch(pg::Pool& pool, std::string table, std::string event) {
    pg::Params params;
    params.add(std::move(table));
    params.add(std::move(event));
    co_await store::call(pool, store::queries::bench_watch, std::move(params));
}

asio::awaitable<void> fill(pg::Pool& pool, const pg::Query& query, std::vector<double>& times) {
    auto connection = co_await pool.acquire();
    pg::Params params;
    params.add(rows_at_once);
    const auto begun = Steady::now();
    co_await connection->run(query, std::move(params), limit);
    const auto took = Steady::now() - begun;
    times.push_back(std::chrono::duration<double, std::milli>(took).count());
}

asio::awaitable<void> insert_each(pg::Pool& pool, std::string table, std::vector<double>& times) {
    auto connection = co_await pool.acquire();
    pg::Params params;
    params.add(std::move(table));
    params.add(single_rows);
    const auto rows =
        co_await connection->run(store::queries::bench_insert_each, std::move(params), limit);
    times.push_back(static_cast<double>(rows.int8(0, 0)) / single_rows);
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
    co_await watch(pool, "public.bench_unwanted", "bench_unwanted");
    co_await watch(pool, "public.bench_wanted", "bench_wanted");
    for (int i = 0; i < rounds; ++i) {
        progress("watch: round " + std::to_string(i + 1));
        co_await fill(pool, store::queries::bench_fill_plain, timings.at_once_ms["plain"]);
        co_await fill(pool, store::queries::bench_fill_unwanted, timings.at_once_ms["unwanted"]);
        co_await fill(pool, store::queries::bench_fill_wanted, timings.at_once_ms["wanted"]);
        for (const std::string name : {"plain", "unwanted", "wanted"}) {
            co_await insert_each(pool, "bench_" + name, timings.single_us[name]);
        }
    }
    auto connection = co_await pool.acquire();
    const auto rows = co_await connection->run(store::queries::bench_count_wanted, {}, limit);
    timings.events = rows.int8(0, 0);
}

}  // namespace

// What a watch costs a statement that writes into the table: many rows at once, and single rows.
Reports run_watch(WorkloadContext context) {
    Timings timings;
    run_sync(measure(context.target.connect(), context.progress, timings));
    const double plain = median(timings.at_once_ms["plain"]);
    const double single = median(timings.single_us["plain"]);
    json::object report{
        {"workload", "watch"},
        {"rows", rows_at_once},
        {"plain_ms", plain},
        {"unwanted_ms", median(timings.at_once_ms["unwanted"])},
        {"wanted_ms", median(timings.at_once_ms["wanted"])}};
    report["unwanted_ratio"] = median(timings.at_once_ms["unwanted"]) / plain;
    report["wanted_ratio"] = median(timings.at_once_ms["wanted"]) / plain;
    report["single_plain_us"] = single;
    report["single_unwanted_more_us"] = median(timings.single_us["unwanted"]) - single;
    report["single_wanted_more_us"] = median(timings.single_us["wanted"]) - single;
    report["events"] = timings.events;
    return {report};
}

}  // namespace pawl::bench
