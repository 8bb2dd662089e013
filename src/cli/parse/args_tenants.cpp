#include "cli/parse/args_parser.hpp"

#include <limits>

// Who owns what: tenants.
namespace pawl::cli {

void Parser::add_tenants() {
    using Action = TenantsOptions::Action;
    auto& app = command(app_, "tenants", "Organizations that see nothing of each other");
    app.require_subcommand(1);
    const auto named = [this](App& to, TenantsOptions& options, Action action) {
        options.action = action;
        to.add_option("NAME", options.name, "Which one")->required()->type_name("");
        choose(to, options);
    };
    named(command(app, "create", "Make one"), tenants_create_, Action::create);
    choose(command(app, "list", "All of them"), tenants_list_);
    named(command(app, "show", "One of them"), tenants_show_, Action::show);
    auto& limit = command(app, "limit", "What it may start; replaces all three limits");
    const auto number = [&limit](const char* name, std::int32_t& target, const char* what) {
        add_number(limit, name, target, 0, std::numeric_limits<std::int32_t>::max(), what);
    };
    number("--open-runs", tenants_limit_.open_runs, "Open runs at a time; 0: no limit [0]");
    number("--starts", tenants_limit_.starts_per_second, "Starts a second, for each server [0]");
    number("--payload-bytes", tenants_limit_.payload_bytes, "Bytes of the data of a run [0]");
    named(limit, tenants_limit_, Action::limit);
}

void Parser::add_credentials() {
    using Action = CredentialsOptions::Action;
    auto& app = command(app_, "credentials", "Secrets of a tenant, for its steps");
    app.require_subcommand(1);
    const auto with_key = [this](App& to, CredentialsOptions& options, Action action) {
        options.action = action;
        to.add_option(
              "--secret-key",
              options.key_file,
              "A file with the key that encrypts them (or: PAWL_SECRET_KEY)"
        )
            ->type_name("FILE")
            ->envname("PAWL_SECRET_KEY_FILE");
        choose(to, options);
    };
    auto& set = command(app, "set", "Keep a secret, from stdin or a file");
    set.add_option("NAME", credentials_set_.name, "Its name")->required()->type_name("");
    set.add_option("--file", credentials_set_.file, "Read it from here instead")->type_name("FILE");
    with_key(set, credentials_set_, Action::set);
    with_key(command(app, "list", "Their names"), credentials_list_, Action::list);
    auto& remove = command(app, "delete", "Forget one");
    remove.add_option("NAME", credentials_delete_.name, "Its name")->required()->type_name("");
    with_key(remove, credentials_delete_, Action::remove);
    with_key(
        command(app, "rotate", "Encrypt those of all tenants with the first key"),
        credentials_rotate_,
        Action::rotate
    );
}

}  // namespace pawl::cli
