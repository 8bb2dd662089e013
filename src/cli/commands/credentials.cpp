#include "app/credentials/credential_uses.hpp"
#include "app/views/credential_json.hpp"
#include "base/json.hpp"
#include "cli/commands/run_view.hpp"
#include "cli/door/database.hpp"
#include "cli/parse/input.hpp"
#include "cli/parse/registry.hpp"
#include "cli/parse/secret_keys.hpp"
#include "cli/parse/shared_options.hpp"
#include "cli/terminal/console.hpp"

#include <boost/json/array.hpp>
#include <fmt/core.h>

namespace pawl::cli {

namespace {

struct CredentialsOptions {
    enum class Action { set, list, remove, rotate };
    Globals globals;
    Action action = Action::list;
    std::string name;
    std::string file;  // with the secret; empty: stdin
    std::string key_file;
};

using Action = CredentialsOptions::Action;

int print_all(const Globals& globals, const std::vector<store::Credential>& all) {
    if (globals.machine()) {
        json::array items;
        for (const auto& credential : all) items.push_back(app::to_json(credential));
        print_json_list(globals, items);
        return exit_ok;
    }
    if (all.empty()) say(globals, "no credentials; keep one: pawl credentials set NAME");
    std::vector<TableRow> rows;
    for (const auto& credential : all) {
        rows.push_back({credential.name, credential.key_id, human_time(credential.updated_at)});
    }
    if (!rows.empty()) print_table(globals, {"CREDENTIAL", "KEY", "SET (UTC)"}, rows);
    return exit_ok;
}

asio::awaitable<int> work(
    pg::Pool& pool,
    store::Tenant tenant,
    const CredentialsOptions& options,
    const Vault& vault,
    std::string secret
) {
    const Globals& globals = options.globals;
    store::Credentials credentials(pool, vault);
    store::OutboxTargets webhooks(pool, vault);
    store::ConnectorAccounts accounts(pool, vault);
    store::HiddenAddresses hidden(pool, vault);
    app::CredentialUses uses{credentials, webhooks, accounts, hidden, vault};
    if (options.action == Action::list) {
        co_return print_all(globals, co_await credentials.list(tenant.id));
    }
    if (options.action == Action::rotate) {
        const auto rotated = co_await app::rotate_secrets(uses);
        if (!rotated) co_return report(globals, rotated.error());
        const int changed = *rotated;
        if (globals.machine()) {
            print_json(globals, json::object{{"changed", changed}, {"key_id", vault.key_id()}});
        } else {
            print_line(fmt::format("{} changed to the key {}", changed, vault.key_id()));
        }
        co_return exit_ok;
    }
    if (options.action == Action::remove) {
        const auto removed = co_await app::remove_credential(uses, tenant.id, options.name);
        if (!removed) co_return report(globals, removed.error());
        print_line(options.name);
        co_return exit_ok;
    }
    const auto kept =
        co_await app::put_credential(uses, tenant.id, options.name, std::move(secret));
    if (!kept) co_return report(globals, kept.error());
    if (globals.machine()) {
        print_json(globals, app::to_json(*kept));
    } else {
        print_line(kept->name);
        say(globals, fmt::format("steps use it as {{{{ credentials.{} }}}}", kept->name));
    }
    co_return exit_ok;
}

// From stdin or a file: what stands on a command line can be read by others.
Result<std::string> read_secret(const std::string& file) {
    auto secret = read_source(file.empty() ? "-" : file, store::secret_bytes_max);
    if (!secret) return secret;
    while (secret->ends_with('\n') || secret->ends_with('\r')) secret->pop_back();
    if (secret->empty()) return Error{Errc::invalid, "the secret is empty: give it on stdin", {}};
    return secret;
}

int run_credentials(const CredentialsOptions& options) {
    const bool named = options.action == Action::set || options.action == Action::remove;
    if (named && !store::is_credential_name(options.name)) {
        const std::string why = fmt::format(
            "'{}' cannot be the name of a credential: a letter or _, then letters, digits, _ and -",
            options.name
        );
        return report(options.globals, {Errc::invalid, why, {}});
    }
    const Vault vault = read_vault(options.key_file);
    if (!vault.usable() && (options.action == Action::set || options.action == Action::rotate)) {
        return report(
            options.globals,
            {Errc::invalid,
             "there is no key to encrypt with",
             {{"next", "export PAWL_SECRET_KEY=$(openssl rand -base64 32), also for pawl serve"}}}
        );
    }
    std::string secret;
    if (options.action == Action::set) {
        auto read = read_secret(options.file);
        if (!read) return report(options.globals, read.error());
        secret = std::move(*read);
    }
    return with_tenant(options.globals, [&](pg::Pool& pool, store::Tenant tenant) {
        return work(pool, tenant, options, vault, secret);
    });
}

template <Action action>
void add_key_of_credentials(App& app, CredentialsOptions& options) {
    options.action = action;
    const char* what = "A file with the key that encrypts them (or: PAWL_SECRET_KEY)";
    add_secret_key(app, options.key_file, what);
}

void add_credential_name(App& app, CredentialsOptions& options) {
    add_argument(app, "NAME", options.name, "Its name");
}

void add_credentials_set(App& app, CredentialsOptions& options) {
    add_credential_name(app, options);
    app.add_option("--file", options.file, "Read it from here instead")->type_name("FILE");
    add_key_of_credentials<Action::set>(app, options);
}

void add_credentials_delete(App& app, CredentialsOptions& options) {
    add_credential_name(app, options);
    add_key_of_credentials<Action::remove>(app, options);
}

const RegisterGroup credentials_group("credentials", 200, "Secrets of a tenant, for its steps");

const RegisterCommand<run_credentials, add_credentials_set> credentials_set_command(
    {"credentials set", 10, "Store a secret, from stdin or a file"},
    {{"export PAWL_SECRET_KEY=$(openssl rand -base64 32)", "for serve too"},
     {"pawl credentials set mail_token < token.txt"}}
);

const RegisterCommand<run_credentials, add_key_of_credentials<Action::list>>
    credentials_list_command(
        {"credentials list", 20, "The names of the credentials"}, {{"pawl credentials list"}}
    );

const RegisterCommand<run_credentials, add_credentials_delete> credentials_delete_command(
    {"credentials delete", 30, "Delete a credential"}, {{"pawl credentials delete mail_token"}}
);

const RegisterCommand<run_credentials, add_key_of_credentials<Action::rotate>>
    credentials_rotate_command(
        {"credentials rotate", 40, "Encrypt the credentials of all tenants with the first key"},
        {{"PAWL_SECRET_KEY=NEW,OLD pawl credentials rotate"}}
    );

}  // namespace

}  // namespace pawl::cli
