#include "app/tenants/auth_key.hpp"
#include "base/sha256.hpp"
#include "bench/http_load.hpp"
#include "bench/meter.hpp"
#include "bench/rig.hpp"
#include "bench/workload.hpp"
#include "host/api_host.hpp"
#include "http/server.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/use_future.hpp>
#include <fmt/core.h>

#include <thread>

namespace pawl::bench {

namespace {

constexpr int connection_count = 64;

// Started an hour from now: what is measured is the start, not the work.
constexpr auto later = std::chrono::hours(1);

// --- The engine's own start ---

struct Counter {
    Steady::time_point end{};
    std::int64_t starts = 0;
};

asio::awaitable<void> start_again_and_again(
    host::WorkerThread& thread, engine::ProgramPtr program, std::size_t batch, Counter& counter
) {
    while (Steady::now() < counter.end) {
        std::vector<engine::StartRequest> requests(batch);
        for (auto& request : requests) {
            request.program = program;
            request.input = json::object{{"name", "Ada"}};
            request.due_at = thread.worker().now() + later;
        }
        co_await thread.worker().start(std::move(requests));
        counter.starts += static_cast<std::int64_t>(batch);
    }
}

// `callers` at once, each starting `batch` runs a call.
double engine_rate(
    Rig& rig, const engine::ProgramPtr& program, int callers, std::size_t batch, double seconds
) {
    Counter counter;
    const auto begun = Steady::now();
    counter.end =
        begun +
        std::chrono::duration_cast<Steady::duration>(std::chrono::duration<double>(seconds));
    std::vector<std::future<void>> futures;
    for (int i = 0; i < callers; ++i) {
        futures.push_back(asio::co_spawn(
            rig.thread().executor(),
            start_again_and_again(rig.thread(), program, batch, counter),
            asio::use_future
        ));
    }
    for (auto& future : futures) future.get();
    const double took = std::chrono::duration<double>(Steady::now() - begun).count();
    return static_cast<double>(counter.starts) / took;
}

// --- The same over HTTP ---

// The API as `pawl serve` has it, on a thread of its own.
class ApiThread {
public:
    ApiThread(const pg::ConnectOptions& connect, host::WorkerThread& worker)
        : api_(loop_.get_executor(), connect, options(), {&worker}),
          server_(loop_.get_executor(), {}, [this](http::ServerRequest request) {
              return api_.handle(std::move(request));
          }) {
        server_.listen();
        api_.start();
        thread_ = std::thread([this] { loop_.run(); });
    }
    ~ApiThread() {
        asio::co_spawn(loop_, stop(), asio::use_future).get();
        thread_.join();
    }
    std::uint16_t port() const { return server_.port(); }

private:
    static host::ApiOptions options() {
        host::ApiOptions options;
        options.service.access_log = false;
        return options;
    }
    asio::awaitable<void> stop() {
        co_await server_.stop();
        co_await api_.stop();
        loop_.stop();
    }

    asio::io_context loop_{1};
    host::ApiHost api_;
    http::Server server_;
    std::thread thread_;
};

asio::awaitable<void> make_key(pg::ConnectOptions connect, std::string& text) {
    const auto executor = co_await asio::this_coro::executor;
    pg::Pool pool(executor, {connect, 1});
    store::ApiKeys keys(pool);
    const app::ApiKeyText key = app::make_api_key();
    co_await keys.create({1, "bench", key.prefix, sha256(key.text), {"runs:write"}, {}});
    text = key.text;
}

std::string start_call(const std::string& workflow, const std::string& key) {
    const std::string body =
        fmt::format(R"({{"workflow":"{}","data":{{"name":"Ada"}},"delay":"1h"}})", workflow);
    return fmt::format(
        "POST /v1/runs HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {}\r\n"
        "Content-Type: application/json\r\nContent-Length: {}\r\n\r\n{}",
        key,
        body.size(),
        body
    );
}

double at(const std::vector<float>& sorted, double part) {
    if (sorted.empty()) return 0;
    const auto index = static_cast<std::size_t>(part * static_cast<double>(sorted.size() - 1));
    return static_cast<double>(sorted[index]);
}

}  // namespace

// Starts over keep-alive connections, each validated and durable before it is answered, beside what
// the engine does when it is called directly by as many callers.
Reports run_http(WorkloadContext context) {
    const auto& connect = context.target.connect();
    const double seconds = context.options.seconds;
    Rig rig(connect);
    rig.start();
    engine::ProgramPtr program;
    rig.run([](host::WorkerThread& thread, engine::ProgramPtr& made) -> asio::awaitable<void> {
        made = co_await make_workflow(thread, "bench_http", 3, "noop");
    }(rig.thread(), program));
    std::string key;
    rig.run(make_key(connect, key));
    engine_rate(rig, program, connection_count, 1, 1);  // warm
    const double direct = engine_rate(rig, program, connection_count, 1, seconds);
    const double batched = engine_rate(rig, program, 2, 500, seconds);
    LoadResult load;
    json::object report{{"workload", "http"}};
    {
        ApiThread api(connect, rig.thread());
        const std::string request = start_call(program->definition.name, key);
        load_server(
            {.port = api.port(), .request = request, .connections = connection_count, .seconds = 1}
        );  // warm
        Meter meter(connect);
        load = load_server(
            {.port = api.port(),
             .request = request,
             .connections = connection_count,
             .seconds = seconds}
        );
        const double rate = static_cast<double>(load.answers) / load.seconds;
        report["starts_per_s"] = rate;
        report["steps_per_s"] = rate;
        report["engine_starts_per_s"] = direct;
        report["engine_starts_per_s_in_batches_of_500"] = batched;
        report["part_of_engine"] = rate / direct;
        report["part_of_batches"] = rate / batched;
        report["not_2xx"] = load.others;
        report["latency_ms"] = json::object{
            {"p50", at(load.latency_ms, 0.5)},
            {"p95", at(load.latency_ms, 0.95)},
            {"p99", at(load.latency_ms, 0.99)}};
        meter.finish(report, load.answers);
    }
    return {report};
}

}  // namespace pawl::bench
