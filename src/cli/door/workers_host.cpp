#include "cli/door/workers_host.hpp"

#include "base/log.hpp"
#include "cli/parse/input.hpp"
#include "embed/sessions.hpp"
#include "engine/async/gate.hpp"
#include "store/pg/pg_store.hpp"
#include "store/repos/tenants.hpp"
#include "workers/settings_file.hpp"

#include <boost/asio/this_coro.hpp>

namespace pawl::cli {

namespace {

constexpr std::size_t file_bytes_max = 1 << 20;

constexpr Duration look_for_tenants = std::chrono::seconds(5);

}  // namespace

WorkersHost::WorkersHost(workers::WorkerSettings settings)
    : settings_(std::move(settings)),
      code_(
          workers::make_workers(workers::make_connectors(settings_)),
          embed::CodeHostOptions{.every_tenant = true}
      ) {}

asio::awaitable<int> WorkersHost::publish(pg::Pool& pool) {
    store::PgStore store(pool);
    store::Tenants tenants(pool);
    int changed = 0;
    for (const store::TenantDetails& one : co_await tenants.list()) {
        const store::TenantId tenant = one.tenant.id;
        if (published_.contains(tenant)) continue;
        changed += co_await code_.publish(store, tenant);
        published_.insert(tenant);
    }
    co_return changed;
}

asio::awaitable<void> WorkersHost::keep_publishing(pg::Pool& pool) {
    for (;;) {
        engine::Gate pause(co_await asio::this_coro::executor);
        co_await pause.wait(Steady::now() + look_for_tenants);
        try {
            co_await publish(pool);
        } catch (const Failure& failure) {
            log::warn("workers could not be published", {log::field("error", failure.what())});
        }
    }
}

void WorkersHost::add_to(host::ServeOptions& serve) {
    code_.add_to(serve);
    serve.meanwhile = [this](pg::Pool& pool) { return keep_publishing(pool); };
    *settings_.email = serve.messages.email;
    serve.on_sandbox = [this](std::string url, std::string key, const steps::EmailSettings& email) {
        *settings_.email = email;
        if (!settings_.model->url.empty()) return;
        settings_.model->url = std::move(url);
        settings_.model->key = std::move(key);
        settings_.model->model = "sandbox";
    };
}

std::unique_ptr<WorkersHost> workers_for(
    const pg::ConnectOptions& connect, const std::string& model_file
) {
    if (model_file.empty()) return nullptr;
    workers::WorkerSettings settings;
    settings.connect = connect;
    workers::parse_settings(read_source(model_file, file_bytes_max).value(), settings).value();
    auto workers = std::make_unique<WorkersHost>(std::move(settings));
    embed::Session session(connect);
    session.run(workers->publish(session.pool()));
    return workers;
}

}  // namespace pawl::cli
