#include "api/auth/principal.hpp"
#include "api/auth/roles.hpp"
#include "app/tenants/auth_key.hpp"
#include "app/views/tenant_json.hpp"
#include "cli/commands/run_view.hpp"
#include "cli/door/database.hpp"
#include "cli/door/tenant_repos.hpp"
#include "cli/parse/input.hpp"
#include "cli/parse/registry.hpp"
#include "cli/parse/typed_options.hpp"
#include "cli/terminal/console.hpp"
#include "model/duration.hpp"

#include <fmt/core.h>

namespace pawl::cli {

namespace {

struct KeysCreateOptions {
    Globals globals;
    std::string name;
    std::vector<std::string> scopes;
    std::string role;
    std::optional<Duration> expires;
};

void print_key(
    const Globals& globals, const std::string& text, const store::ApiKey& key, Instant now
) {
    if (globals.machine()) {
        json::object document = app::to_json(key, now);
        document["key"] = text;
        return print_json(globals, document);
    }
    print_line(text);
    const std::string until = key.expires_at ? "valid until " + human_time(*key.expires_at) + " UTC"
                                             : "valid until revoked";
    say(globals, "this is the only time the key is shown; keep it safe");
    const std::string whose = globals.tenant == "default" ? "" : " --tenant " + globals.tenant;
    say(globals,
        fmt::format(
            "{}; revoke it with: pawl{} keys revoke {}",
            until,
            whose,
            app::display_prefix(key.prefix)
        ));
}

asio::awaitable<int> create(
    pg::Pool& pool, const KeysCreateOptions& options, api::ScopeSet scopes
) {
    TenantRepos repos(pool);
    app::NewKey key{options.name, scopes.names(), options.expires, options.role};
    const auto made = co_await app::create_key(repos.uses, options.globals.tenant, std::move(key));
    if (!made) co_return report(options.globals, with_tenant_hint(made.error()));
    print_key(options.globals, made->text, made->key, made->now);
    co_return exit_ok;
}

Result<api::ScopeSet> check(const KeysCreateOptions& options) {
    auto scopes = api::parse_scopes(options.scopes);
    if (!scopes) return std::move(scopes.error()).with("option", "--scope");
    if (options.scopes.empty() && options.role.empty()) {
        return Error{
            Errc::invalid,
            "a key without --role and --scope would open nothing",
            {{"next", "pawl keys create --name " + options.name + " --role operator"}}};
    }
    if (!options.role.empty()) {
        if (auto role = api::parse_role(options.role); !role) {
            return std::move(role.error()).with("option", "--role");
        }
    }
    if (options.name.empty()) return Error{Errc::invalid, "--name must not be empty", {}};
    if (auto fine = check_text("--name", options.name, 200); !fine) return fine.error();
    if (auto fine = check_text("--tenant", options.globals.tenant, 200); !fine) return fine.error();
    if (options.expires && *options.expires <= Duration::zero()) {
        return Error{Errc::invalid, "--expires must be longer than 0", {}};
    }
    return scopes;
}

int run_keys_create(const KeysCreateOptions& options) {
    const auto scopes = check(options);
    if (!scopes) return report(options.globals, scopes.error());
    return with_pool(options.globals, [&](pg::Pool& pool) {
        return create(pool, options, *scopes);
    });
}

void add_keys_create(App& app, KeysCreateOptions& options) {
    app.add_option("--name", options.name, "What the key is for")->required()->type_name("TEXT");
    app.add_option(
           "--scope",
           options.scopes,
           "What it allows; may be given several times: workflows:read, workflows:write, "
           "runs:read, runs:write, events:read, events:write, tasks:read, tasks:write, "
           "metrics:read, admin (all of them)"
    )
        ->delimiter(',')
        ->allow_extra_args(false)
        ->type_name("SCOPE");
    app.add_option(
           "--role",
           options.role,
           "A named set of scopes: viewer (reads), operator (also starts and changes runs), editor "
           "(also writes workflows), approver (reads, and decides tasks), admin"
    )
        ->type_name("ROLE");
    const char* expires = "Valid for this long (90d); default: until it is revoked";
    add_parsed(app, "--expires", options.expires, some_duration, expires)->type_name("TIME");
}

const RegisterGroup keys_group("keys", 180, "Create, list and revoke API keys");

const RegisterCommand<run_keys_create, add_keys_create> keys_create_command(
    {"keys create", 10, "Create a key; it is printed once and never stored"},
    {{"pawl keys create --name ci --scope runs:write,runs:read --expires 90d"},
     {"pawl keys create --name night-shift --role operator"},
     {"export PAWL_API_KEY=$(pawl keys create --name me --scope admin)"}}
);

}  // namespace

}  // namespace pawl::cli
