#include "cli/args_parser.hpp"

// Who owns what: tenants.
namespace pawl::cli {

void Parser::add_tenants() {
    using Action = TenantsOptions::Action;
    auto& app =
        command(app_, "tenants", "Organizations that see nothing of each other", help::tenants);
    app.require_subcommand(1);
    const auto named = [this](CLI::App& to, TenantsOptions& options, Action action) {
        options.action = action;
        to.add_option("NAME", options.name, "Which one")->required()->type_name("");
        choose(to, options);
    };
    named(command(app, "create", "Make one", ""), tenants_create_, Action::create);
    choose(command(app, "list", "All of them", ""), tenants_list_);
    named(command(app, "show", "One of them", ""), tenants_show_, Action::show);
}

}  // namespace pawl::cli
