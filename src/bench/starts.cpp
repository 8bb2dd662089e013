#include "bench/meter.hpp"
#include "bench/run_sync.hpp"
#include "bench/workload.hpp"
#include "model/definition.hpp"
#include "store/pg/pg_store.hpp"
#include "store/queries.gen.hpp"

#include <fmt/core.h>

#include <algorithm>

namespace pawl::bench {

namespace {

constexpr int rounds = 5;
constexpr Duration limit = std::chrono::minutes(5);

constexpr const char* waiting = R"(
name: bench_starts
person: true
nodes: [{id: entered, type: trigger}, {id: later, wait: 30d}]
edges: [{from: entered, to: later}]
)";

struct Rates {
    std::int32_t runs = 0;  // in one statement
    std::vector<double> by_clock;
    std::vector<double> by_cpu;  // of the session
    std::int64_t started = 0;
};

asio::awaitable<void> measure(pg::ConnectOptions connect, const Progress& progress, Rates& rates) {
    pg::Pool pool(co_await asio::this_coro::executor, {connect, 2});
    store::PgStore store(pool);
    co_await store.apply_workflow(store::default_tenant, parse_definition(waiting).value());
    auto connection = co_await pool.acquire();
    for (int i = 0; i < rounds; ++i) {
        progress(fmt::format("starts: round {} of {}", i + 1, rounds));
        pg::Params params;
        params.add(std::string_view("bench_starts"));
        params.add(rates.runs);
        const double cpu = process_cpu_s(connection->backend_pid());
        const auto begun = Steady::now();
        const auto rows =
            co_await connection->run(store::queries::bench_start_many, std::move(params), limit);
        const double took = std::chrono::duration<double>(Steady::now() - begun).count();
        const double used = process_cpu_s(connection->backend_pid()) - cpu;
        rates.started += rows.int8(0, 0);
        rates.by_clock.push_back(rates.runs / took);
        if (used > 0) rates.by_cpu.push_back(rates.runs / used);
    }
}

double median(std::vector<double> values) {
    if (values.empty()) return 0;
    std::sort(values.begin(), values.end());
    return values[values.size() / 2];
}

}  // namespace

// Starts by pawl.start_many, many in one statement; no worker takes them.
Reports run_starts(WorkloadContext context) {
    Rates rates;
    rates.runs = static_cast<std::int32_t>(context.options.rows);
    run_sync(measure(context.target.connect(), context.progress, rates));
    json::object report{
        {"workload", "starts"},
        {"runs_in_a_statement", rates.runs},
        {"started", rates.started},
        {"runs_per_s", median(rates.by_clock)},
        {"runs_per_cpu_s", median(rates.by_cpu)}};
    return {report};
}

}  // namespace pawl::bench
