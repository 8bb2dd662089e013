#include "app/refusal.hpp"
#include "app/tenants/auth_key.hpp"
#include "cli/door/database.hpp"
#include "cli/door/tenant_repos.hpp"
#include "cli/parse/input.hpp"
#include "cli/parse/registry.hpp"
#include "cli/parse/shared_options.hpp"
#include "cli/terminal/console.hpp"

namespace pawl::cli {

namespace {

struct KeysRevokeOptions {
    Globals globals;
    std::string prefix;
};

Error explained(Error error) {
    if (app::reason_of(error) != "no_key") return with_tenant_hint(std::move(error));
    error.message += "; they are listed by: pawl keys list";
    error.context.clear();
    return error;
}

asio::awaitable<int> revoke(pg::Pool& pool, const KeysRevokeOptions& options) {
    const Globals& globals = options.globals;
    TenantRepos repos(pool);
    const std::string prefix = app::read_prefix(options.prefix);
    const auto revoked = co_await app::revoke_key(repos.uses, globals.tenant, prefix);
    if (!revoked) co_return report(globals, explained(revoked.error()));
    if (globals.machine()) {
        json::object document;
        document["key"] = prefix;
        document["revoked"] = true;
        print_json(globals, document);
    } else {
        print_line(prefix);
        say(globals, "revoked; it stops working within 5 seconds");
    }
    co_return exit_ok;
}

int run_keys_revoke(const KeysRevokeOptions& options) {
    for (const auto& [option, text] :
         {std::pair("PREFIX", options.prefix), std::pair("--tenant", options.globals.tenant)}) {
        if (auto fine = check_text(option, text, 200); !fine) {
            return report(options.globals, fine.error());
        }
    }
    return with_pool(options.globals, [&](pg::Pool& pool) { return revoke(pool, options); });
}

void add_keys_revoke(App& app, KeysRevokeOptions& options) {
    add_argument(app, "PREFIX", options.prefix, "The key, as in `pawl keys list`");
}

const RegisterCommand<run_keys_revoke, add_keys_revoke> keys_revoke_command(
    {"keys revoke", 30, "Revoke a key, within 5 seconds everywhere"},
    {{"pawl keys revoke pawl_k3j7x2qa"}}
);

}  // namespace

}  // namespace pawl::cli
