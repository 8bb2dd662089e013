#pragma once

#include "api/auth/authenticator.hpp"
#include "api/http/service.hpp"
#include "api/sandbox/sandbox.hpp"
#include "api/services.hpp"
#include "app/messages/reconciler.hpp"
#include "base/complaint.hpp"
#include "engine/async/coroutine_group.hpp"
#include "engine/observe/trace_links.hpp"
#include "host/worker_thread.hpp"
#include "http/client.hpp"
#include "jq/jq_pool.hpp"
#include "pg/listener.hpp"
#include "pg/pool.hpp"
#include "sandbox/site.hpp"
#include "steps/access_tokens.hpp"
#include "store/repos/api_keys.hpp"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace pawl::host {

struct ApiOptions {
    api::ServiceOptions service;
    api::AuthOptions auth;
    api::SessionTimes sessions;
    api::OidcOptions oidc;
    bool sandbox = false;            // answers for every function; for `pawl dev`
    std::string sandbox_key;         // with which workers call it
    std::string sandbox_url;         // where senders reach its providers: http://127.0.0.1:8080
    std::string link_secret;         // signs links and callback tokens; empty: there are none
    std::string metrics_key;         // opens /metrics and nothing else; empty: there is none
    Vault vault;                     // encrypts credentials; without a key none can be set
    std::string public_url;          // how people reach the server
    engine::TraceLinks trace_links;  // where people look at traces
    http::Outbound outbound;         // where calls that users configure may go
    // Whether a function for `code` steps is registered here.
    std::function<bool(std::string_view)> knows_code;
    std::optional<steps::SqlSettings> sql;  // where audiences are read; none: nowhere
    std::string jq_binary;  // compiles the programs of definitions; empty: they are not compiled
    // Counts the calls of providers, by connector and what became of them.
    std::function<void(const std::string& connector, const std::string& outcome)> on_hook;
    engine::KeeperOptions keeping;  // of what goes on in the background
    std::size_t connections = 0;    // that the server takes; 0: streams have no limit
};

// Everything behind the port: connections, services, routes. Lives on the thread that serves; the
// workers outlive it. Await stop() before the executor ends.
class ApiHost {
public:
    ApiHost(
        asio::any_io_executor executor,
        const pg::ConnectOptions& connect,
        ApiOptions options,
        std::vector<WorkerThread*> workers
    );

    void start();
    void begin_stop() { services_.begin_stop(); }
    asio::awaitable<void> stop();
    asio::awaitable<http::ServerResponse> handle(http::ServerRequest request) {
        if (is_for_provider(request)) return site_->handle(std::move(request));
        return service_.handle(std::move(request));
    }
    asio::awaitable<http::Entry> enter(http::ServerRequest head) {
        if (is_for_provider(head)) return let_in();
        return service_.enter(std::move(head));
    }
    // There may be a new job.
    void look_for_jobs() { app_.look_for_jobs(); }
    // Set before start().
    std::function<std::string()>& unready() { return services_.unready; }
    std::function<std::string()>& metrics() { return services_.metrics; }

    // Why the database cannot be worked with: empty when it can, nothing before it was asked.
    const std::optional<std::string>& database_trouble() const { return database_trouble_; }

private:
    bool is_for_provider(const http::ServerRequest& request) const {
        return site_ && sandbox::Site::serves(request.target);
    }
    static asio::awaitable<http::Entry> let_in() { co_return http::Entry{}; }
    api::ServiceOptions service_options();
    api::Router make_router();
    asio::awaitable<void> watch_database();
    asio::awaitable<std::vector<Problem>> check_programs(
        Definition definition, store::TenantId tenant
    );
    asio::awaitable<api::Principal> authenticate(const http::Headers& headers);
    asio::awaitable<void> note(store::AuditEntry entry);
    void let_sign_in();
    void wake(const std::vector<WorkerThread*>& workers);

    ApiOptions options_;
    pg::Pool pool_;
    store::PgStore start_store_;
    store::ApiKeys keys_;
    store::Sessions sessions_;
    Complaint noting_{"calls could not be recorded in the audit list"};
    http::Client client_;
    http::Client sender_;  // of messages that try out a template, and inquiries about others
    steps::AccessTokens tokens_;
    api::Authenticator authenticator_;
    std::optional<api::Oidc> oidc_;
    api::Sandbox sandbox_;
    std::optional<sandbox::Site> site_;  // the providers of messages of the sandbox
    jq::Pool jq_;
    engine::CoroutineGroup notifications_;  // to workers of other processes
    app::App app_;
    store::Inquiries inquiries_;
    app::Reconciler reconciler_;
    api::Services services_;
    std::optional<pg::Listener> listener_;  // where no worker of the process listens
    std::optional<std::string> database_trouble_;
    api::Service service_;
};

}  // namespace pawl::host
