#include "base/vault.hpp"
#include "bench/backlog.hpp"
#include "bench/meter.hpp"
#include "bench/rig.hpp"
#include "bench/run_sync.hpp"
#include "bench/workload.hpp"
#include "engine/services/outbox_publisher.hpp"
#include "http/server.hpp"
#include "store/pg/tenant_call.hpp"
#include "store/queries.gen.hpp"
#include "store/repos/outbox_targets.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/use_future.hpp>
#include <fmt/core.h>

#include <atomic>
#include <thread>

namespace pawl::bench {

namespace {

constexpr int messages = 100'000;

// Answers 204 to everything, on a thread of its own.
class WebhookSink {
public:
    WebhookSink()
        : server_(loop_.get_executor(), options(), [this](http::ServerRequest request) {
              return answer(std::move(request));
          }) {
        server_.listen();
        thread_ = std::thread([this] {
            const auto work = asio::make_work_guard(loop_);
            loop_.run();
        });
    }
    ~WebhookSink() {
        asio::co_spawn(loop_, server_.stop(), asio::use_future).get();
        loop_.stop();
        thread_.join();
    }
    std::string url() const { return fmt::format("http://127.0.0.1:{}/hook", server_.port()); }
    std::int64_t requests() const { return requests_; }

private:
    static http::ServerOptions options() {
        http::ServerOptions options;
        options.body_bytes_max = 64 << 20;
        return options;
    }
    asio::awaitable<http::ServerResponse> answer(http::ServerRequest) {
        ++requests_;
        co_return http::ServerResponse{204, {}, ""};
    }

    asio::io_context loop_{1};
    http::Server server_;
    std::atomic<std::int64_t> requests_{0};
    std::thread thread_;
};

asio::awaitable<void> prepare(
    pg::ConnectOptions connect, const Vault& vault, std::string url, int batch
) {
    pg::Pool pool(co_await asio::this_coro::executor, {connect, 1, std::chrono::seconds(5)});
    store::OutboxTargets targets(pool, vault);
    const store::Tenant tenant;
    for (const auto& old : co_await targets.list(tenant)) {
        co_await targets.remove(tenant, static_cast<std::int32_t>(old.at("id").as_int64()));
    }
    store::NewOutboxTarget target;
    target.address = std::move(url);
    target.events = {"*"};
    target.batch_max = batch;
    co_await targets.create(tenant, std::move(target));
    pg::Params params;
    params.add(std::int32_t{messages});
    co_await store::call(pool, store::queries::bench_fill_outbox, std::move(params));
}

asio::awaitable<void> publish(pg::ConnectOptions connect, const Vault& vault, double& seconds) {
    const auto executor = co_await asio::this_coro::executor;
    pg::Pool pool(executor, {connect, 4, std::chrono::seconds(5)});
    store::Outbox outbox(pool, vault);
    http::ClientOptions options;
    options.outbound = http::Outbound::loopback();
    http::Client client(executor, options);
    engine::OutboxPublisher publisher(executor, outbox, client, {});
    engine::CoroutineGroup group(executor);
    const auto begun = Steady::now();
    group.spawn(publisher.run());
    while (publisher.published() < messages) {
        engine::Gate pause(executor);
        co_await pause.wait(Steady::now() + std::chrono::milliseconds(5));
    }
    seconds = std::chrono::duration<double>(Steady::now() - begun).count();
    group.cancel();
    co_await group.join();
}

}  // namespace

// Messages that are in the outbox, to a webhook on this machine: one a request, and many a request.
Reports run_outbox(WorkloadContext context) {
    const auto& connect = context.target.connect();
    {
        std::int32_t workflow = 0;
        Rig rig(connect);
        rig.start();
        rig.run(make_backlog_workflow(rig.thread(), workflow));
    }
    const Vault vault = Vault::from_keys(std::string(64, 'a')).value();
    Reports reports;
    for (const int batch : {1, 50, 500}) {
        WebhookSink sink;
        context.progress(fmt::format("outbox: {} messages, {} a request", messages, batch));
        run_sync(prepare(connect, vault, sink.url(), batch));
        double seconds = 0;
        Meter meter(connect);
        run_sync(publish(connect, vault, seconds));
        json::object report{
            {"workload", "outbox"},
            {"messages", messages},
            {"batch_max", batch},
            {"requests", sink.requests()},
            {"messages_per_second", messages / seconds}};
        meter.finish(report, messages);
        reports.push_back(std::move(report));
    }
    return reports;
}

}  // namespace pawl::bench
