#include "host/api_host.hpp"

#include "api/http/problem.hpp"
#include "api/http/routes.hpp"
#include "api/ui/ui_bytes.hpp"
#include "api/ui/ui_routes.hpp"
#include "base/base64url.hpp"
#include "host/health.hpp"
#include "host/start_trips.hpp"
#include "steps/program_check.hpp"
#include "store/queries.gen.hpp"

#include <algorithm>

namespace pawl::host {

namespace {

// Requests, background work and starts share these; none is held while waiting for anything else.
constexpr std::size_t connections_max = 8;

// How often the database is asked whether it can be worked with, and how long it may take.
constexpr Duration database_every = std::chrono::seconds(2);
constexpr Duration database_patience = std::chrono::seconds(5);

pg::PoolOptions pool_options(const pg::ConnectOptions& connect) {
    pg::PoolOptions options;
    options.connect = connect;
    options.connections_max = connections_max;
    return options;
}

http::ClientOptions sender_options(const ApiOptions& options) {
    http::ClientOptions client;
    client.outbound = options.outbound;
    return client;
}

app::Starter::Trip trip(store::PgStore& store, const std::vector<WorkerThread*>& workers) {
    return workers.empty() ? start_in_store(store) : start_on_workers(workers);
}

}  // namespace

ApiHost::ApiHost(
    asio::any_io_executor executor,
    const pg::ConnectOptions& connect,
    ApiOptions options,
    std::vector<WorkerThread*> workers
)
    : options_(std::move(options)),
      pool_(executor, pool_options(connect)),
      start_store_(pool_),
      keys_(pool_),
      sessions_(pool_),
      client_(executor),
      sender_(executor, sender_options(options_)),
      tokens_(sender_),
      authenticator_(executor, options_.auth, keys_, sessions_, client_),
      jq_(executor, {.binary = options_.jq_binary, .children_max = 2}),
      notifications_(executor),
      app_(executor, pool_, trip(start_store_, workers), options_.keeping),
      inquiries_(pool_),
      reconciler_(
          executor,
          {inquiries_,
           app_.repos().messages,
           app_.repos().accounts,
           app_.runs,
           options_.vault,
           [this](steps::SingleInquiry single) {
               return steps::inquire_once(sender_, std::move(single));
           },
           [this] { app_.hooks().on_taken(); }}
      ),
      services_(app_),
      service_(
          service_options(),
          make_router(),
          [this](const http::Headers& headers) { return authenticate(headers); },
          app_.repos().idempotency
      ) {
    services_.seal = Seal(options_.link_secret);
    app_.hooks().seal = services_.seal;
    app_.encrypt_with(options_.vault);
    services_.public_url = options_.public_url;
    let_sign_in();
    app_.templates.public_url = options_.public_url;
    app_.runs.trace_links = options_.trace_links;
    app_.templates.send = [this](steps::SingleMessage single) {
        return steps::hand_over_once(sender_, tokens_, std::move(single));
    };
    if (options_.on_hook) {
        app_.hooks().count = [this](const std::string& connector, app::HookOutcome outcome) {
            options_.on_hook(connector, std::string(app::name(outcome)));
        };
    }
    if (options_.connections > 0) services_.long_requests.fit(options_.connections);
    app_.check_programs_by([this](Definition definition, store::TenantId tenant) {
        return check_programs(std::move(definition), tenant);
    });
    if (options_.sql) app_.read_audiences_by(*options_.sql);
    if (workers.empty()) {
        pg::ListenerOptions listen;
        listen.connect = connect;
        listen.listen = &store::queries::listen_for_wakes;
        listen.self_test = &store::queries::is_listening;
        listener_.emplace(listen, [this](const std::vector<pg::Notification>&) {
            look_for_jobs();
        });
    }
    app_.matcher().claims_match = [workers] {
        return std::any_of(workers.begin(), workers.end(), [](const WorkerThread* one) {
            return one->working();
        });
    };
    app_.publisher().on_published = [this, workers] {
        for (WorkerThread* worker : workers) worker->wake();
        app_.matcher().look_after_claims();
    };
    app_.wake_workers_by([this, workers = std::move(workers)] { wake(workers); });
}

// Links are signed with a secret of their own, and may be in use where there is no key for
// credentials: then what is kept of them is encrypted with a key that follows from it.
api::ServiceOptions ApiHost::service_options() {
    api::ServiceOptions service = options_.service;
    service.public_url = options_.public_url;
    service.audit = [this](store::AuditEntry entry) { return note(std::move(entry)); };
    service.vault = options_.vault;
    const Seal seal(options_.link_secret);
    if (!service.vault.usable() && seal.usable()) {
        service.vault = Vault::from_keys(to_base64url(seal.derive("kept answers"))).value();
    }
    return service;
}

void ApiHost::start() {
    app_.start();
    services_.start();
    if (site_) site_->start(options_.sandbox_url);
    app_.keeper().keep("database", [this] { return watch_database(); });
    app_.keeper().keep("reconciler", [this] { return reconciler_.run(); });
    if (listener_) app_.keeper().keep("listener", [this] { return listener_->run(); });
}

asio::awaitable<void> ApiHost::stop() {
    notifications_.cancel();
    if (site_) co_await site_->stop();
    co_await app_.stop();
    co_await notifications_.join();
}

// A server on a standby answers reads, and is not ready for anything else.
asio::awaitable<void> ApiHost::watch_database() {
    for (;;) {
        try {
            auto connection = co_await pool_.acquire();
            const auto rows =
                co_await connection->run(store::queries::takes_writes, {}, database_patience);
            const bool writes = rows.boolean(0, 0);
            database_trouble_ = writes ? "" : "the database takes no writes: a standby?";
        } catch (const Failure&) {
            // Not why: the page is public, and the log has it.
            database_trouble_ = "the database does not answer";
        }
        engine::Gate pause(app_.executor());
        co_await pause.wait(Steady::now() + database_every);
    }
}

api::Router ApiHost::make_router() {
    api::Router router = api::all_routes(services_);
    api::add_ui_routes(router, api::read_ui_pack(api::ui_bytes()), options_.service.base_path);
    if (!options_.sandbox) return router;
    site_.emplace(app_.executor());
    api::add_sandbox_routes(router, sandbox_);
    api::add_provider_routes(router, *site_);
    return router;
}

asio::awaitable<std::vector<Problem>> ApiHost::check_programs(
    Definition definition, store::TenantId tenant
) {
    auto problems = co_await steps::check_programs(
        jq_,
        definition,
        tenant,
        options_.knows_code ? options_.knows_code : steps::KnowsCode(steps::is_builtin)
    );
    if (problems.empty()) problems = co_await steps::check_statements(pool_, std::move(definition));
    co_return problems;
}

void ApiHost::let_sign_in() {
    api::SignIn& sign_in = services_.sign_in;
    sign_in.times = options_.sessions;
    if (options_.oidc.enabled()) {
        oidc_.emplace(app_.executor(), options_.oidc, client_);
        services_.oidc = &*oidc_;
    }
    sign_in.base_path = options_.service.base_path;
    sign_in.prove = [this](std::string key) { return authenticator_.check(std::move(key)); };
    sign_in.look = [this](http::Headers headers) { return authenticator_.authenticate(headers); };
    sign_in.forget = [this](const std::string& hash) { authenticator_.forget(hash); };
}

// What was done is done: that it cannot be noted is for the log.
asio::awaitable<void> ApiHost::note(store::AuditEntry entry) {
    try {
        co_await app_.repos().audit.note(std::move(entry));
        noting_.fine();
    } catch (const Failure& failure) {
        noting_.failed(failure.what());
    }
}

asio::awaitable<api::Principal> ApiHost::authenticate(const http::Headers& headers) {
    if (has_metrics_key(headers, options_.metrics_key)) {
        api::Principal scraper;
        scraper.name = "the metrics key";
        scraper.scopes = {api::Scope::metrics_read};
        co_return scraper;
    }
    auto principal = co_await authenticator_.authenticate(headers);
    if (principal) co_return std::move(*principal);
    api::Problem problem = api::to_problem(principal.error());
    if (problem.status == 401) problem.headers.push_back({"WWW-Authenticate", "Bearer"});
    throw api::Refused(std::move(problem));
}

void ApiHost::wake(const std::vector<WorkerThread*>& workers) {
    for (WorkerThread* worker : workers) worker->wake();
    notifications_.spawn(start_store_.notify_workers(0));
}

}  // namespace pawl::host
