#include "pawl/engine.hpp"

#include "base/log.hpp"
#include "embed/code_host.hpp"
#include "embed/sessions.hpp"
#include "store/pg/migrate.hpp"
#include "store/pg/pg_store.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <stdexcept>
#include <stop_token>

namespace pawl {

namespace {

namespace asio = boost::asio;

asio::awaitable<int> prepare(embed::Session& session, embed::CodeHost& code) {
    auto connection = co_await session.pool().acquire();
    const int pending = (co_await store::schema_status(*connection)).pending();
    if (pending > 0) {
        throw std::runtime_error(
            fmt::format("{} migrations are pending: run pawl migrate up", pending)
        );
    }
    { auto done = std::move(connection); }
    store::PgStore store(session.pool());
    co_return co_await code.publish(store, store::default_tenant);
}

DispatchedEvent event_of(const engine::ClosedRun& closed) {
    DispatchedEvent event;
    event.type = fmt::format("run.{}", name(closed.status));
    event.run = to_string(closed.run);
    event.id = event.run + ":closed";
    return event;
}

}  // namespace

struct Engine::Impl {
    Impl(EngineOptions given, std::shared_ptr<const Registry> registry)
        : options(std::move(given)),
          code(std::move(registry), {options.step_threads, options.executor}) {}

    EngineOptions options;
    embed::CodeHost code;
    std::stop_source stop;
};

Engine::Engine(EngineOptions options, std::shared_ptr<const Registry> registry)
    : impl_(std::make_unique<Impl>(std::move(options), std::move(registry))) {}

Engine::~Engine() = default;

int Engine::run() {
    const EngineOptions& options = impl_->options;
    log::configure(options.quiet ? log::Level::warn : log::Level::info, log::Format::human);
    host::ServeOptions serve;
    serve.connect.conninfo = options.database;
    {
        embed::Session session(serve.connect);
        session.run(prepare(session, impl_->code));
    }
    serve.listen = false;
    serve.threads = std::max(options.threads, 1);
    serve.version = "embedded";
    serve.functions.all.usual.url = options.functions_url;
    serve.drain_timeout = options.drain;
    serve.only_code = !options.graphs;
    serve.stop = impl_->stop.get_token();
    if (options.on_ready) {
        serve.on_ready = [&options](std::uint16_t, std::uint16_t) { options.on_ready(); };
    }
    if (options.dispatcher) {
        serve.on_closed = [dispatcher = options.dispatcher](const engine::ClosedRun& closed) {
            dispatcher->dispatch(event_of(closed));
        };
    }
    impl_->code.add_to(serve);
    return host::serve(std::move(serve));
}

void Engine::stop() {
    impl_->stop.request_stop();
}

}  // namespace pawl
