#include "host/serve.hpp"

#include "base/log.hpp"
#include "engine/async/coroutine_group.hpp"
#include "engine/async/gate.hpp"
#include "engine/services/keeper.hpp"
#include "host/health.hpp"
#include "host/supervisor.hpp"
#include "host/worker_thread.hpp"
#include "http/server.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/json/serialize.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <condition_variable>
#include <csignal>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>

namespace pawl::host {

namespace asio = boost::asio;

namespace {

// A supervisor kills what has not ended ten seconds after its signal; the drain takes eight.
constexpr Duration time_after_drain = std::chrono::milliseconds(1600);
constexpr Duration time_after_second_signal = std::chrono::milliseconds(500);

// Of serve(), for the thread that would not wait for it any longer.
struct End {
    std::mutex mutex;
    std::condition_variable came;
    bool reached = false;
};

struct Process {
    explicit Process(ServeOptions given)
        : options(std::move(given)),
          metrics(options.version),
          keeping{.board = &board, .before = options.before_service},
          background(loop.get_executor()),
          services(loop.get_executor(), keeping) {
        if (options.traces.url.empty()) return;
        tracer.emplace(options.traces.tracer, metrics);
        exporter.emplace(loop.get_executor(), options.traces, *tracer, metrics);
    }

    ServeOptions options;
    asio::io_context loop{1};
    engine::Metrics metrics;
    engine::ServiceBoard board{metrics};
    engine::KeeperOptions keeping;
    std::optional<engine::Tracer> tracer;
    std::optional<TraceExporter> exporter;
    steps::CodeRegistry registry;
    std::vector<std::unique_ptr<WorkerThread>> threads;
    std::optional<http::Server> server;
    std::optional<http::Server> metrics_server;
    std::optional<ApiHost> api;
    bool over = false;  // without workers: the signal came
    engine::CoroutineGroup background;
    engine::Keeper services;
    int signals_seen = 0;
    Steady::time_point drain_until{};  // once a signal came
    std::shared_ptr<End> end = std::make_shared<End>();
    Supervisor supervisor;

    bool at_work() const {
        for (const auto& thread : threads) {
            if (!thread->working()) return false;
        }
        return signals_seen == 0;
    }
    bool has_begun() const { return at_work() && (!api || api->database_trouble()); }
    // Why no requests should be sent here; empty when they may.
    std::string unready() const {
        if (!at_work()) return "workers are starting or draining";
        for (const auto& thread : threads) {
            if (!thread->heard()) return "the database does not answer the heartbeat of a worker";
        }
        const std::string silent = "the database has not answered yet";
        const std::string trouble = api ? api->database_trouble().value_or(silent) : "";
        if (!trouble.empty()) return trouble;
        const auto failing = board.failing();
        if (!failing.empty()) return fmt::format("failing: {}", fmt::join(failing, ", "));
        return "";
    }
    // The last spans are worth a moment, unless the time to stop is over.
    Steady::time_point flush_until() const {
        const auto soon = Steady::now() + std::chrono::seconds(2);
        if (signals_seen == 0) return soon;
        return std::min(soon, drain_until + std::chrono::milliseconds(1200));
    }
    bool ended() const {
        if (threads.empty()) return over;
        for (const auto& thread : threads) {
            if (!thread->ended()) return false;
        }
        return true;
    }
};

HealthPages health_pages(Process& process, const std::string& host) {
    HealthPages pages;
    pages.unready = [&process] { return process.unready(); };
    pages.metrics = [&process] { return process.metrics.text(); };
    pages.open = http::is_loopback_host(host);
    pages.metrics_key = process.options.metrics_key;
    return pages;
}

asio::awaitable<http::ServerResponse> answer(
    Process& process, const HealthPages& pages, http::ServerRequest request
) {
    if (process.api) co_return co_await process.api->handle(std::move(request));
    co_return answer_health(pages, request);
}

asio::awaitable<http::Entry> enter(Process& process, http::ServerRequest head) {
    if (process.api) co_return co_await process.api->enter(std::move(head));
    co_return http::Entry{http::ServerResponse{
        413, {{"Content-Type", "text/plain; charset=utf-8"}}, "nothing here takes a body\n"}};
}

void start_listening(Process& process) {
    http::ServerOptions main = process.options.server;
    main.probes = {"/livez", "/readyz", "/healthz"};
    if (process.options.listen) {
        process.server.emplace(
            process.loop.get_executor(),
            main,
            [&process, pages = health_pages(process, main.host)](http::ServerRequest request) {
                return answer(process, pages, std::move(request));
            },
            [&process](http::ServerRequest head) { return enter(process, std::move(head)); }
        );
        process.server->listen();
    }
    if (!process.options.metrics_server) return;
    const http::ServerOptions& own = *process.options.metrics_server;
    process.metrics_server.emplace(
        process.loop.get_executor(),
        own,
        [pages = health_pages(process, own.host)](http::ServerRequest request
        ) -> asio::awaitable<http::ServerResponse> { co_return answer_health(pages, request); }
    );
    process.metrics_server->listen();
}

// Function steps and messages go to the sandbox, unless there is a place for them.
void use_sandbox(Process& process) {
    const std::string here = "http://127.0.0.1:" + std::to_string(process.server->port());
    const std::string url = here + "/functions/v1";
    const std::string& key = process.options.api->sandbox_key;
    steps::EmailSettings& email = process.options.messages.email;
    if (email.provider == steps::EmailSettings::Provider::none) {
        email.provider = steps::EmailSettings::Provider::sandbox;
        email.url = url;
        email.key = key;
    }
    steps::SmsSettings& sms = process.options.messages.sms;
    if (sms.provider == steps::SmsSettings::Provider::none) {
        sms.provider = steps::SmsSettings::Provider::sandbox;
        sms.url = url;
        sms.key = key;
    }
    process.options.api->sandbox_url = "http://127.0.0.1:" + std::to_string(process.server->port());
    steps::FunctionHost& usual = process.options.functions.all.usual;
    if (usual.url.empty()) usual = {url, key};
    if (!process.options.on_sandbox) return;
    process.options.on_sandbox(here + "/sandbox/v1", key, email);
}

// How this machine reaches the server; others need --public-url.
std::string own_url(const Process& process) {
    const bool tls = !process.options.server.tls_cert_file.empty();
    std::string host = process.options.server.host;
    if (host == "0.0.0.0") host = "127.0.0.1";
    if (host == "::") host = "::1";
    if (host.find(':') != std::string::npos) host = "[" + host + "]";
    return (tls ? "https://" : "http://") + host + ":" + std::to_string(process.server->port());
}

void start_threads(Process& process) {
    ThreadOptions options;
    options.connect = process.options.connect;
    options.worker.version = process.options.version;
    options.worker.runs_max = process.options.runs_max;
    options.worker.bytes_max = process.options.bytes_max;
    options.worker.drain_timeout = process.options.drain_timeout;
    options.retention = process.options.retention;
    options.event_retention = process.options.event_retention;
    options.audit_retention = process.options.audit_retention;
    options.worker.seal = Seal(process.options.link_secret);
    options.worker.public_url = process.options.public_url;
    options.worker.find_plan = process.options.find_plan;
    options.worker.only_code = process.options.only_code;
    if (process.tracer) options.worker.tracer = &*process.tracer;
    options.vault = process.options.vault;
    options.outbound = process.options.outbound;
    options.meanwhile = process.options.meanwhile;
    options.keeping = process.keeping;
    options.events = process.options.events;
    options.outbox_workers = process.options.outbox_workers;
    options.steps.targets = process.options.targets;
    options.steps.functions = process.options.functions;
    options.messages = process.options.messages;
    options.steps.jq.binary = process.options.jq_binary;
    options.steps.sql = process.options.sql_settings();
    if (process.options.sql_as_engine && process.options.threads > 0) {
        log::warn(
            "sql steps of the default tenant run with the engine's own login: every caller who may "
            "publish its workflows can read and change the data of all tenants; give sql steps "
            "their own login with --sql-url"
        );
    }
    options.steps.sql.bucket = options.worker.bucket;
    for (int i = 0; i < process.options.threads; ++i) {
        options.listen = options.schedule = i == 0;
        process.threads.push_back(
            std::make_unique<WorkerThread>(options, process.registry, process.metrics)
        );
        if (process.options.on_closed) {
            process.threads.back()->worker().on_closed = process.options.on_closed;
        }
    }
    if (process.threads.empty()) return;
    process.threads.front()->on_wake = [&process] {
        for (std::size_t i = 1; i < process.threads.size(); ++i) process.threads[i]->wake();
    };
    process.threads.front()->on_tasks = [&process] {
        for (std::size_t i = 1; i < process.threads.size(); ++i)
            process.threads[i]->look_for_tasks();
    };
    process.threads.front()->on_jobs = [&process] {
        asio::post(process.loop, [&process] {
            if (process.api) process.api->look_for_jobs();
        });
    };
    for (auto& thread : process.threads) thread->start();
}

// Requests that were taken are answered before the workers that carry them out go.
asio::awaitable<void> stop_in_order(Process& process) {
    if (process.api) process.api->begin_stop();
    try {
        if (process.api && process.server) co_await process.server->drain();
    } catch (const std::exception& error) {
        log::error("the server could not be drained", {log::field("error", error.what())});
    }
    for (auto& thread : process.threads) thread->stop(process.drain_until);
    process.over = true;
}

void start_api(Process& process) {
    ApiOptions& api = *process.options.api;
    api.service.on_answered = [&process](int status, Steady::duration took) {
        process.metrics.http_answered(status, took);
    };
    api.on_hook = std::bind_front(&engine::Metrics::hook_called, &process.metrics);
    api.link_secret = process.options.link_secret;
    api.metrics_key = process.options.metrics_key;
    api.vault = process.options.vault;
    api.public_url = process.options.public_url;
    api.trace_links = process.options.traces.links;
    api.outbound = process.options.outbound;
    std::vector<WorkerThread*> workers;
    for (auto& thread : process.threads) workers.push_back(thread.get());
    api.jq_binary = process.options.jq_binary;
    api.sql = process.options.sql_settings();
    api.keeping = process.keeping;
    if (process.server) api.connections = process.server->connections_max();
    api.knows_code = [&process](std::string_view function) {
        return process.registry.find(function) != nullptr;
    };
    process.api.emplace(process.loop.get_executor(), process.options.connect, api, workers);
    process.api->unready() = [&process] { return process.unready(); };
    process.api->metrics() = [&process] { return process.metrics.text(); };
    process.api->start();
}

// On a thread of its own: whatever hangs, and wherever, it is left.
void leave_at(const Process& process, Steady::time_point at) {
    if (!process.options.leave) return;
    std::thread([at, leave = process.options.leave, end = process.end] {
        std::unique_lock lock(end->mutex);
        if (!end->came.wait_until(lock, at, [&end] { return end->reached; })) leave();
    }).detach();
}

void receive_signal(Process& process) {
    ++process.signals_seen;
    if (process.signals_seen == 1) {
        process.drain_until = Steady::now() + process.options.drain_timeout;
        leave_at(process, process.drain_until + time_after_drain);
        process.supervisor.stopping();
        if (process.options.on_stopping) process.options.on_stopping();
        log::info("stopping: finishing what is under way; a second signal stops at once");
        process.background.spawn(stop_in_order(process));
    } else {
        log::warn("stopping at once; other workers take the runs over");
        leave_at(process, Steady::now() + time_after_second_signal);
        process.over = true;
        if (process.server) process.server->abort();
        for (auto& thread : process.threads) thread->stop_now();
    }
}

asio::awaitable<void> watch_signals(Process& process) {
    asio::signal_set signals(process.loop, SIGTERM, SIGINT);
    for (;;) {
        co_await signals.async_wait(asio::use_awaitable);
        receive_signal(process);
    }
}

std::uint16_t port_of(const std::optional<http::Server>& server) {
    return server ? server->port() : std::uint16_t{0};
}

asio::awaitable<void> supervise(Process& process) {
    bool announced = false;
    while (!process.ended()) {
        if (process.options.stop.stop_requested() && process.signals_seen == 0) {
            receive_signal(process);
        }
        if (!announced && process.has_begun()) {
            announced = true;
            process.supervisor.ready(
                "working with " + std::to_string(process.threads.size()) + " threads"
            );
            if (process.options.on_ready) {
                process.options.on_ready(port_of(process.server), port_of(process.metrics_server));
            }
        }
        process.supervisor.alive();
        engine::Gate pause(process.loop.get_executor());
        co_await pause.wait(Steady::now() + std::chrono::milliseconds(announced ? 50 : 5));
    }
    for (auto& thread : process.threads) thread->join();
    if (process.server) co_await process.server->stop();
    if (process.metrics_server) co_await process.metrics_server->stop();
    if (process.api) co_await process.api->stop();
    process.services.cancel();
    process.background.cancel();
    co_await process.services.join();
    co_await process.background.join();
    if (!process.exporter) co_return;
    engine::CoroutineGroup last(process.loop.get_executor());
    last.spawn(process.exporter->flush());
    co_await last.join_until(process.flush_until());
}

int serve_in(Process& process) {
    steps::register_builtins(process.registry);
    if (process.options.add_steps) process.options.add_steps(process.registry);
    start_listening(process);
    if (process.options.public_url.empty() && process.options.api) {
        process.options.public_url = own_url(process) + process.options.api->service.base_path;
    }
    if (process.options.api && process.options.api->sandbox) use_sandbox(process);
    process.services.keep("signals", [&process] { return watch_signals(process); });
    if (process.exporter) {
        process.services.keep("traces", [&process] { return process.exporter->run(); });
    }
    start_threads(process);
    if (process.options.api) start_api(process);
    std::exception_ptr failed;
    asio::co_spawn(process.loop, supervise(process), [&](std::exception_ptr thrown) {
        failed = thrown;
        process.loop.stop();
    });
    process.loop.run();
    if (failed) std::rethrow_exception(failed);
    // Ended without being asked to: the caller's supervisor should notice.
    return process.signals_seen > 0 ? 0 : 1;
}

}  // namespace

int serve(ServeOptions options) {
    auto process = std::make_unique<Process>(std::move(options));
    const auto end = process->end;
    const int code = serve_in(*process);
    process.reset();
    const std::lock_guard lock(end->mutex);
    end->reached = true;
    end->came.notify_all();
    return code;
}

}  // namespace pawl::host
