#include "api/auth/session_cookie.hpp"
#include "base/sha256.hpp"
#include "cli/commands/definitions.hpp"
#include "cli/commands/demo.hpp"
#include "cli/commands/dev_env.hpp"
#include "cli/commands/dev_key.hpp"
#include "cli/commands/dev_ready.hpp"
#include "cli/commands/dev_watch.hpp"
#include "cli/commands/serve_options.hpp"
#include "cli/door/database.hpp"
#include "cli/door/workers_host.hpp"
#include "cli/parse/api_flags.hpp"
#include "cli/parse/api_options.hpp"
#include "cli/parse/door_flags.hpp"
#include "cli/parse/door_options.hpp"
#include "cli/parse/listen_address.hpp"
#include "cli/parse/registry.hpp"
#include "cli/parse/secret_keys.hpp"
#include "cli/parse/shared_options.hpp"
#include "cli/parse/typed_options.hpp"
#include "cli/parse/worker_flags.hpp"
#include "cli/terminal/console.hpp"
#include "dev/private_postgres.hpp"
#include "host/serve.hpp"
#include "pg/pool.hpp"
#include "store/pg/migrate.hpp"
#include "store/repos/api_keys.hpp"
#include "store/repos/browser_sessions.hpp"

#include <boost/asio/ip/tcp.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <optional>

namespace pawl::cli {

namespace fs = std::filesystem;

namespace {

struct DevOptions {
    Globals globals;
    std::string data_dir = ".pawl";
    ListenAddress listen{"127.0.0.1", 8080};
    std::string workflows;  // empty: ./workflows when there is one
    std::string watch;      // a folder whose definitions are published as they change
    std::string functions_url;
    std::vector<std::string> allow_outbound;
    std::vector<std::string> cors_origins;
    std::string base_path;
    DoorFlags door;
    std::string demo;
    bool ephemeral = false;
};

// For the link that signs in once.
constexpr Duration ticket_life = std::chrono::minutes(15);

constexpr const char* usual_workflows = "workflows";

// Of the ten seconds that supervisors allow, PostgreSQL gets the rest.
constexpr Duration drain_time = std::chrono::seconds(5);
constexpr Duration stop_time = std::chrono::milliseconds(9500);

// A folder that was named must be right. The usual one may hold something else altogether, and one
// that is watched something unfinished: what is no definition is skipped with a warning.
std::vector<DefinitionFile> find_definitions(const DevOptions& options) {
    if (!options.workflows.empty()) return read_definitions({options.workflows}).value();
    const std::string folder = options.watch.empty() ? usual_workflows : options.watch;
    std::vector<DefinitionFile> found;
    std::error_code none;
    if (!fs::is_directory(folder, none)) {
        if (options.watch.empty()) return found;
        throw Failure(
            {Errc::invalid,
             "--watch takes a folder with definitions",
             {{"given", folder}, {"next", "pawl new workflow NAME --dir " + folder}}}
        );
    }
    const auto files =
        options.watch.empty() ? definition_files(folder) : definition_files_below(folder);
    for (const std::string& file : files.value()) {
        auto read = read_definitions({file});
        if (read) {
            found.push_back(std::move(read->front()));
        } else {
            log::warn("skipped a definition", {log::field("error", read.error().message)});
        }
    }
    return found;
}

// One that names what is not there yet, such as an action, is left for `pawl workflows apply`.
asio::awaitable<void> publish_sample(store::PgStore& store, DefinitionFile file) {
    const auto workflow = log::field("workflow", file.definition.name);
    std::optional<store::Applied> applied;
    try {
        applied = co_await store.publish_sample(store::default_tenant, file.definition);
    } catch (const Failure& failure) {
        if (failure.error().code != Errc::invalid) throw;
        log::warn(
            "not published",
            {workflow, log::field("file", file.file), log::field("error", failure.what())}
        );
        co_return;
    }
    if (!applied) {
        log::warn(
            "not published: the workflow was written by SQL; pawl workflows apply replaces it",
            {workflow, log::field("file", file.file)}
        );
    } else if (applied->changed) {
        log::info("published", {workflow, log::field("version", applied->version)});
    }
}

// The demo is for `merchants`, which outlives it; null: there is none.
asio::awaitable<int> prepare(
    pg::Pool& pool,
    const std::vector<DefinitionFile>& files,
    const dev::PrivatePostgres& postgres,
    WorkersHost& workers,
    std::string& ticket,
    std::vector<DemoMerchant>* merchants
) {
    {
        auto connection = co_await pool.acquire();
        const auto applied = co_await store::migrate_up(*connection);
        if (applied.files > 0) {
            log::info("made the tables", {log::field("migrations", applied.files)});
        }
    }
    store::ApiKeys keys(pool);
    const fs::path dir = postgres.dir();
    store::NewApiKey wanted;
    wanted.name = "pawl dev";
    const std::string key = co_await register_key(keys, std::move(wanted), dir);
    ticket = api::make_session_token();
    store::Sessions sessions(pool);
    co_await sessions.create_ticket(sha256(ticket), sha256(key), ticket_life);
    store::PgStore store(pool);
    for (const DefinitionFile& file : files) co_await publish_sample(store, file);
    if (merchants != nullptr) {
        *merchants = co_await prepare_demo(pool, dir, postgres.password(), ticket_life);
    }
    co_await workers.publish(pool);
    co_return exit_ok;
}

// The address under which this machine reaches what listens on `address`.
std::string reachable_url(ListenAddress address) {
    if (address.host == "0.0.0.0") address.host = "127.0.0.1";
    if (address.host == "::") address.host = "::1";
    return "http://" + to_string(address);
}

// When the first signal came, if one did.
using Stopping = std::optional<Steady::time_point>;

int serve_on(const DevOptions& options, dev::PrivatePostgres& postgres, Stopping& stopping) {
    const auto files = find_definitions(options);
    const fs::path dir = postgres.dir();
    remove_dev_env(dir);
    say(options.globals, "starting PostgreSQL in " + dir.string());
    postgres.start();

    pg::ConnectOptions connect;
    connect.conninfo = postgres.local_url();
    connect.prepare = options.globals.prepare;
    workers::WorkerSettings settings;
    settings.connect = connect;
    WorkersHost workers(std::move(settings));
    std::string ticket;
    std::vector<DemoMerchant> merchants;
    {
        asio::io_context loop(1);
        pg::Pool pool(loop.get_executor(), {connect, 2});
        auto* wanted = options.demo.empty() ? nullptr : &merchants;
        auto preparing = prepare(pool, files, postgres, workers, ticket, wanted);
        const int code = run_loop(options.globals, std::move(preparing), loop);
        if (code != exit_ok) return code;
    }
    DevAnnouncement announce(options.globals);
    host::ServeOptions serve = serve_options(connect, options.functions_url);
    serve.outbound = outbound(http::Outbound::loopback(), options.allow_outbound);
    serve.sql_as_engine = true;  // one person's machine, and the warning says so
    if (!options.demo.empty()) serve.sql_url = postgres.url_as(demo_login);
    serve.api.emplace();
    serve.link_secret = link_secret(dir);
    serve.vault = dev_vault(dir);
    serve.api->sandbox = true;
    serve.api->sandbox_key = api_key(dir);
    serve.api->service.cors.origins = options.cors_origins;
    const std::string base_path = checked_base_path(options.base_path);
    serve.api->service.base_path = base_path;
    open_doors(serve, options.door, options.listen);
    // Others may be let in by the address of this machine; its names are for --allowed-host.
    serve.server.hosts.checked = serve.server.hosts.addresses = true;
    serve.drain_timeout = drain_time;
    serve.on_stopping = [&stopping] { stopping = Steady::now(); };
    serve.on_ready = [&](std::uint16_t port, std::uint16_t) {
        DevReady ready;
        ready.env.database_url = postgres.url();
        ready.env.url = reachable_url({options.listen.host, port});
        ready.ui_url = ready.env.url + base_path + "/";
        ready.ticket = ticket;
        ready.env.api_key = api_key(dir);
        ready.data_dir = dir.string();
        for (const auto& file : files) ready.workflows.push_back(file.definition.name);
        ready.merchants = merchants;
        announce.show(std::move(ready));
    };
    workers.add_to(serve);
    std::optional<DevWatch> watch;
    if (!options.watch.empty()) watch.emplace(options.watch, connect);
    const int code = host::serve(std::move(serve));
    remove_dev_env(dir);
    return code;
}

// Before PostgreSQL is started for nothing.
void check_port(const ListenAddress& listen) {
    boost::system::error_code failed;
    const auto address = asio::ip::make_address(listen.host, failed);
    if (failed || listen.port == 0) return;
    asio::io_context loop(1);
    asio::ip::tcp::acceptor acceptor(loop);
    const asio::ip::tcp::endpoint endpoint(address, listen.port);
    acceptor.open(endpoint.protocol(), failed);
    if (!failed) acceptor.set_option(asio::socket_base::reuse_address(true), failed);
    if (!failed) acceptor.bind(endpoint, failed);
    if (failed != asio::error::address_in_use) return;
    throw Failure(
        {Errc::invalid,
         "another process already listens on " + to_string(listen),
         {{"next", fmt::format("pawl dev --listen {}:{}", listen.host, listen.port + 1)}}}
    );
}

fs::path make_temporary_dir() {
    std::string name = (fs::temp_directory_path() / "pawl-dev-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) {
        throw Failure({Errc::internal, "cannot make a temporary directory: " + name, {}});
    }
    return name;
}

int run_dev(const DevOptions& options) {
    check_port(options.listen);
    const fs::path dir = options.ephemeral ? make_temporary_dir() : fs::path(options.data_dir);
    dev::PrivatePostgres postgres(dir);
    std::exception_ptr failed;
    int code = exit_error;
    Stopping stopping;
    try {
        code = serve_on(options, postgres, stopping);
    } catch (const Failure&) {
        failed = std::current_exception();
    }
    if (stopping) {
        postgres.stop(*stopping + stop_time);
    } else {
        postgres.stop();
    }
    if (options.ephemeral) postgres.remove();
    if (failed) std::rethrow_exception(failed);
    say(options.globals, "stopped");
    return code;
}

void check_dev(const DevOptions& options) {
    const auto known = demo_names();
    if (options.demo.empty() || std::find(known.begin(), known.end(), options.demo) != known.end())
        return;
    throw WrongUse(fmt::format("--demo takes {}, not '{}'", fmt::join(known, ", "), options.demo));
}

void add_dev(App& app, DevOptions& options) {
    auto* dir = app.add_option("--data-dir", options.data_dir, "Where everything is kept")
                    ->type_name("DIR")
                    ->capture_default_str();
    add_parsed(app, "--listen", options.listen, parse_listen_address, "HTTP address")
        ->type_name("HOST:PORT")
        ->default_str("127.0.0.1:8080")
        ->envname("PAWL_LISTEN");
    app.add_option("--workflows", options.workflows, "Definitions to publish at the start")
        ->type_name("DIR")
        ->default_str("./workflows if it exists");
    app.add_option("--watch", options.watch, "Definitions to publish now, and whenever they change")
        ->type_name("DIR");
    add_setting(
        app, "--functions-url", options.functions_url, "URL", "Where 'function' steps are called"
    );
    const char* outbound = "Where steps may call beside this machine and the public internet";
    add_outbound_flag(app, options.allow_outbound, outbound);
    add_cors_flag(app, options.cors_origins);
    add_base_flag(app, options.base_path);
    add_host_flag(app, options.door);
    app.add_option("--demo", options.demo, "Customers, journeys and providers to look at")
        ->type_name("NAME");
    const char* ephemeral = "Use a temporary directory and remove it at the end";
    app.add_flag("--ephemeral", options.ephemeral, ephemeral)->excludes(dir);
}

const RegisterCommand<run_dev, add_dev, check_dev> dev_command(
    {"dev", 10, "Run everything here, with a private PostgreSQL"},
    {{"pawl dev"},
     {"pawl dev --data-dir /srv/pawl --listen 127.0.0.1:9000"},
     {"pawl dev --ephemeral", "nothing is kept"},
     {"pawl dev --watch workflows/", "publishes what you save"},
     {"pawl dev --demo journeys", "two merchants, 2,000 customers, six journeys"}}
);

}  // namespace

}  // namespace pawl::cli
