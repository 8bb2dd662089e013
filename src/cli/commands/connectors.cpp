#include "cli/commands/list_view.hpp"
#include "cli/commands/object_file.hpp"
#include "cli/commands/run_view.hpp"
#include "cli/door/door.hpp"
#include "cli/parse/registry.hpp"
#include "cli/parse/secret_keys.hpp"
#include "cli/parse/shared_options.hpp"
#include "cli/parse/typed_options.hpp"
#include "cli/terminal/console.hpp"

#include <fmt/format.h>

namespace pawl::cli {

namespace {

struct ConnectorsOptions {
    Globals globals;
};

std::string names_of(const json::value& list) {
    std::vector<std::string> names;
    for (const json::value& one : list.as_array()) {
        const auto* text = one.if_string();
        names.push_back(text ? std::string(*text) : member(one, "name"));
    }
    return fmt::format("{}", fmt::join(names, ", "));
}

TableRow connector_row(const json::value& one) {
    return {
        member(one, "name"),
        names_of(value_member(one, "channels")),
        names_of(value_member(one, "credentials")),
        names_of(value_member(one, "settings"))};
}

TableRow account_row(const json::value& one) {
    return {member(one, "account"), member(one, "hook_url")};
}

// Of a provider that never calls.
TableRow quiet_row(const json::value& one) {
    return {member(one, "account"), "-"};
}

// Lists without pages.
asio::awaitable<int> list(Door& door, const Globals& globals, Ask ask, ListView view) {
    const auto answer = co_await door.call(std::move(ask));
    if (!answer) co_return report(globals, answer.error());
    co_return print_items(globals, value_member(*answer, "data").as_array(), view);
}

int run_connectors_list(const ConnectorsOptions& options) {
    return with_door(options.globals, [&](Door& door) {
        ListView view{{"CONNECTOR", "CHANNELS", "CREDENTIALS", "SETTINGS"}, connector_row, {}};
        return list(door, options.globals, {"GET", {"connectors"}}, std::move(view));
    });
}

struct AccountsOptions {
    Globals globals;
    std::string action;
    std::string connector;
    std::string account;
    std::string file;
    std::string key_file;
};

// Whether the provider calls back.
asio::awaitable<bool> has_hooks(Door& door, std::string connector) {
    const auto all = co_await door.call({"GET", {"connectors"}});
    if (!all) co_return true;
    for (const json::value& one : value_member(*all, "data").as_array()) {
        if (member(one, "name") == connector) co_return value_member(one, "hooks") == true;
    }
    co_return true;
}

asio::awaitable<int> act(Door& door, const AccountsOptions& options, const json::object& body) {
    const Globals& globals = options.globals;
    const std::vector<std::string> all{"connectors", options.connector, "accounts"};
    if (options.action == "list") {
        Ask ask{"GET", all};
        const bool hooks = co_await has_hooks(door, options.connector);
        ListView view{{"ACCOUNT", "HOOK"}, hooks ? account_row : quiet_row, "no accounts"};
        co_return co_await list(door, globals, std::move(ask), std::move(view));
    }
    std::vector<std::string> path = all;
    path.push_back(options.account);
    Ask ask{"DELETE", std::move(path)};
    if (options.action == "put") {
        ask.method = "PUT";
        ask.body = body;
    }
    const auto done = co_await door.call(std::move(ask));
    if (!done) co_return report(globals, done.error());
    if (globals.machine()) {
        print_json(globals, *done);
    } else if (options.action == "put" && co_await has_hooks(door, options.connector)) {
        print_line(member(*done, "hook_url"));
        say(globals, "enter this address in the provider's console");
    } else {
        print_line(options.account);
    }
    co_return exit_ok;
}

// From a file or stdin: what stands on a command line can be read by others.
int run_accounts(const AccountsOptions& options) {
    json::object body;
    if (options.action == "put") {
        auto read = read_object_file(options.file.empty() ? "-" : options.file);
        if (!read) return report(options.globals, read.error());
        body = std::move(*read);
    }
    return with_door(options.globals, read_vault(options.key_file), [&](Door& door) {
        return act(door, options, body);
    });
}

void add_accounts(App& app, AccountsOptions& options) {
    add_word(app, "ACTION", options.action, {"put", "list", "delete"}, "What to do")->required();
    app.add_option("CONNECTOR", options.connector, "The provider, such as sendgrid")
        ->required()
        ->type_name("");
    app.add_option("ACCOUNT", options.account, "Name of the account, for put and delete")
        ->type_name("");
    app.add_option("-f,--file", options.file, "Credentials and settings, in YAML or JSON [stdin]")
        ->type_name("FILE");
    add_secret_key(app, options.key_file, "A file with the key that encrypts credentials");
}

void check_accounts(const AccountsOptions& options) {
    if (options.action != "list" && options.account.empty()) {
        throw WrongUse("name the account after the connector");
    }
}

const RegisterGroup connectors_group(
    "connectors", 205, "Message providers, and your accounts with them"
);

const RegisterCommand<run_connectors_list> connectors_list_command(
    {"connectors list", 10, "Providers that can send messages, and what an account needs"},
    {{"pawl connectors list"}}
);

const RegisterCommand<run_accounts, add_accounts, check_accounts> connectors_accounts_command(
    {"connectors accounts", 20, "Add, list and delete accounts at a provider"},
    {{"pawl connectors accounts put sendgrid shop -f sendgrid.yaml",
      "prints the address to enter in the provider's console"},
     {"pawl connectors accounts list sendgrid"}}
);

}  // namespace

}  // namespace pawl::cli
