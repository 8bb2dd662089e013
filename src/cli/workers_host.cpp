#include "cli/workers_host.hpp"

#include "cli/input.hpp"
#include "embed/sessions.hpp"
#include "store/pg_store.hpp"
#include "workflows/settings_file.hpp"

namespace pawl::cli {

namespace {

constexpr std::size_t file_bytes_max = 1 << 20;

asio::awaitable<int> publish_to(pg::Pool& pool, WorkersHost& workers) {
    store::PgStore store(pool);
    co_return co_await workers.publish(store);
}

}  // namespace

WorkersHost::WorkersHost(workflows::WorkerSettings settings)
    : settings_(std::move(settings)),
      code_(workflows::make_workers(workflows::make_connectors(settings_)), {}) {}

void WorkersHost::add_to(host::ServeOptions& serve) {
    code_.add_to(serve);
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
    workflows::WorkerSettings settings;
    settings.connect = connect;
    workflows::parse_settings(read_source(model_file, file_bytes_max).value(), settings).value();
    auto workers = std::make_unique<WorkersHost>(std::move(settings));
    embed::Session session(connect);
    session.run(publish_to(session.pool(), *workers));
    return workers;
}

}  // namespace pawl::cli
