#include "cli/commands/serve_options.hpp"

#include "base/seal.hpp"
#include "cli/door/database.hpp"
#include "cli/parse/functions_file.hpp"
#include "cli/parse/input.hpp"
#include "cli/parse/messages_file.hpp"
#include "cli/parse/secret_keys.hpp"
#include "cli/parse/trace_options.hpp"
#include "cli/terminal/version.hpp"
#include "http/url.hpp"
#include "jq/jq_pool.hpp"
#include "pg/pool.hpp"
#include "store/repos/api_keys.hpp"

#include <cstdio>
#include <cstdlib>

namespace pawl::cli {

namespace {

constexpr std::size_t file_bytes_max = 1 << 20;

asio::awaitable<int> find_tenants(
    pg::Pool& pool, const FunctionsFile& file, steps::FunctionSettings& settings
) {
    store::ApiKeys keys(pool);
    for (const auto& [name, hosts] : file.tenants) {
        const auto tenant = co_await keys.find_tenant(name);
        if (!tenant) {
            throw Failure(
                {Errc::invalid,
                 "the functions file names a tenant that does not exist",
                 {{"tenant", name}}}
            );
        }
        settings.tenants[tenant->tenant.id] = hosts;
    }
    co_return 0;
}

void check_sql_login(const WorkerFlags& flags) {
    if (!flags.sql_role.empty() && flags.sql_url.empty() && !flags.sql_as_engine) {
        throw Failure(
            {Errc::invalid,
             "--sql-role names the role of sql steps, but nothing says where they connect",
             {{"next", "give --sql-url too"}}}
        );
    }
    const std::string& url = flags.sql_url;
    const bool by_tenant = url.find(steps::tenant_place) != std::string::npos;
    const bool is_url = url.starts_with("postgresql://") || url.starts_with("postgres://");
    if (by_tenant && !is_url) {
        throw Failure(
            {Errc::invalid,
             "--sql-url with {tenant} must be a URL, so that names of tenants can be written in it",
             {{"next", "write it like postgresql://steps_{tenant}@db/pawl"}}}
        );
    }
}

// From the environment or a file, never from the command line, which everybody can read.
std::string link_secret(const std::string& file) {
    std::string secret;
    if (const char* text = std::getenv("PAWL_LINK_SECRET")) secret = text;
    if (!file.empty()) secret = read_source(file, file_bytes_max).value();
    while (secret.ends_with('\n')) secret.pop_back();
    if (secret.empty() || Seal(secret).usable()) return secret;
    throw Failure(
        {Errc::invalid,
         "the link secret is too short: links could be forged",
         {{"next", "take at least 16 characters: openssl rand -base64 32"}}}
    );
}

}  // namespace

http::Outbound outbound(http::Outbound usual, const std::vector<std::string>& allow) {
    for (const std::string& entry : allow) usual.allow(entry).value();
    return usual;
}

namespace {

steps::TargetSettings target_settings(const std::vector<std::string>& limits) {
    steps::TargetSettings settings;
    for (const std::string& entry : limits) {
        const auto equals = entry.find('=');
        const bool all = equals == std::string::npos;
        const auto policy =
            parse_target_limit(all ? entry : entry.substr(equals + 1), settings.usual);
        const auto url = http::parse_url(all ? "http://every.target" : entry.substr(0, equals));
        if (!policy || !url.place) {
            throw Failure(
                {Errc::invalid,
                 "a target limit cannot be read",
                 {{"limit", entry}, {"next", "write it like https://api.example.com=10,5/s"}}}
            );
        }
        if (all) {
            settings.usual = *policy;
        } else {
            settings.by_origin[url.place->origin()] = *policy;
        }
    }
    return settings;
}

// What was answered is committed, and others take over what was not: as after a crash.
void leave() {
    std::fputs("pawl: not everything ended in time; leaving\n", stderr);
    std::fflush(stdout);
    std::_Exit(exit_ok);
}

}  // namespace

host::ServeOptions serve_options(
    const pg::ConnectOptions& connect, const std::string& functions_url
) {
    host::ServeOptions serve;
    serve.connect = connect;
    serve.version = version;
    serve.functions.all.usual.url = functions_url;
    serve.jq_binary = jq::this_binary;
    serve.leave = leave;
    if (const char* key = std::getenv("PAWL_FUNCTIONS_KEY")) serve.functions.all.usual.key = key;
    return serve;
}

host::ServeOptions worker_options(
    const Globals& globals, const pg::ConnectOptions& connect, const WorkerFlags& flags
) {
    host::ServeOptions serve = serve_options(connect, flags.functions_url);
    serve.threads = flags.threads;
    if (flags.runs_max > 0) serve.runs_max = flags.runs_max;
    if (flags.runs_mib > 0) serve.bytes_max = flags.runs_mib << 20U;
    serve.drain_timeout = flags.drain_timeout;
    serve.traces = trace_options(flags.traces, [](const char* name) { return std::getenv(name); });
    serve.retention = flags.retention;
    serve.event_retention = flags.event_retention;
    serve.audit_retention = flags.audit_retention;
    serve.link_secret = link_secret(flags.link_secret_file);
    serve.vault = read_vault(flags.secret_key_file);
    serve.public_url = flags.public_url;
    while (serve.public_url.ends_with('/')) serve.public_url.pop_back();
    serve.outbound = outbound({}, flags.allow_outbound);
    serve.outbox_workers = flags.outbox_workers;
    serve.targets = target_settings(flags.target_limits);
    check_sql_login(flags);
    serve.sql_url = flags.sql_url;
    serve.sql_as_engine = flags.sql_as_engine;
    serve.sql_role = flags.sql_role;
    if (!flags.messages_file.empty()) {
        const std::string text = read_source(flags.messages_file, file_bytes_max).value();
        serve.messages = parse_messages(text).value();
    }
    if (flags.functions_file.empty()) return serve;
    const std::string text = read_source(flags.functions_file, file_bytes_max).value();
    FunctionsFile file = parse_functions(text).value();
    const steps::FunctionHost flag = serve.functions.all.usual;
    serve.functions.all = std::move(file.all);
    if (!flag.url.empty()) serve.functions.all.usual = flag;
    if (file.tenants.empty()) return serve;
    asio::io_context loop(1);
    pg::Pool pool(loop.get_executor(), {connect, 1});
    run_loop(globals, find_tenants(pool, file, serve.functions), loop);
    return serve;
}

}  // namespace pawl::cli
