#include "app/views/tenant_json.hpp"
#include "cli/commands/run_view.hpp"
#include "cli/door/database.hpp"
#include "cli/door/tenant_repos.hpp"
#include "cli/parse/input.hpp"
#include "cli/parse/registry.hpp"
#include "cli/parse/shared_options.hpp"
#include "cli/parse/typed_options.hpp"
#include "cli/terminal/console.hpp"

#include <boost/json/array.hpp>
#include <fmt/core.h>

#include <cstdint>
#include <limits>
namespace pawl::cli {

namespace {

struct TenantsOptions {
    Globals globals;
    std::string name;
    // 0: no limit.
    std::int32_t open_runs = 0;
    std::int32_t starts_per_second = 0;
    std::int32_t payload_bytes = 0;
};

std::string shown(std::optional<std::int32_t> limit) {
    return limit ? std::to_string(*limit) : "";
}

void print(const Globals& globals, const std::vector<store::TenantDetails>& tenants, bool many) {
    if (globals.machine() && !many) return print_json(globals, app::to_json(tenants.front()));
    if (globals.machine()) {
        json::array items;
        for (const auto& tenant : tenants) items.push_back(app::to_json(tenant));
        return print_json_list(globals, items);
    }
    std::vector<TableRow> rows;
    for (const auto& tenant : tenants) {
        rows.push_back(
            {tenant.name,
             std::to_string(tenant.tenant.id),
             human_time(tenant.created_at),
             shown(tenant.limits.open_runs),
             shown(tenant.limits.starts_per_second),
             shown(tenant.limits.payload_bytes)}
        );
    }
    print_table(
        globals, {"TENANT", "ID", "CREATED (UTC)", "OPEN RUNS", "STARTS/S", "PAYLOAD BYTES"}, rows
    );
}

asio::awaitable<int> create(pg::Pool& pool, const TenantsOptions& options) {
    TenantRepos repos(pool);
    const auto made = co_await app::create_tenant(repos.uses, options.name);
    if (!made) co_return report(options.globals, made.error());
    print(options.globals, {*made}, false);
    say(options.globals,
        fmt::format(
            "give it a key: pawl keys create --tenant {} --name NAME --scope SCOPE", made->name
        ));
    co_return exit_ok;
}

store::TenantLimits limits_of(const TenantsOptions& options) {
    const auto some = [](std::int32_t number) {
        return number == 0 ? std::nullopt : std::optional(number);
    };
    return {some(options.open_runs), some(options.starts_per_second), some(options.payload_bytes)};
}

asio::awaitable<int> list_tenants(pg::Pool& pool, const TenantsOptions& options) {
    TenantRepos repos(pool);
    print(options.globals, co_await repos.tenants.list(), true);
    co_return exit_ok;
}

int print_found(const Globals& globals, const Result<store::TenantDetails>& found) {
    if (!found) return report(globals, with_tenant_hint(found.error()));
    print(globals, {*found}, false);
    return exit_ok;
}

asio::awaitable<int> show(pg::Pool& pool, const TenantsOptions& options) {
    TenantRepos repos(pool);
    co_return print_found(options.globals, co_await app::find_tenant(repos.uses, options.name));
}

asio::awaitable<int> limit(pg::Pool& pool, const TenantsOptions& options) {
    TenantRepos repos(pool);
    const auto limits = limits_of(options);
    const auto found = co_await app::limit_tenant(repos.uses, options.name, limits);
    co_return print_found(options.globals, found);
}

int run_tenants_create(const TenantsOptions& options) {
    if (auto fine = app::check_tenant_name(options.name); !fine)
        return report(options.globals, fine.error());
    return with_pool(options.globals, [&](pg::Pool& pool) { return create(pool, options); });
}

template <asio::awaitable<int> (*act)(pg::Pool&, const TenantsOptions&)>
int run_tenants(const TenantsOptions& options) {
    if (auto fine = check_text("NAME", options.name, 200); !fine) {
        return report(options.globals, fine.error());
    }
    return with_pool(options.globals, [&](pg::Pool& pool) { return act(pool, options); });
}

void add_tenant_name(App& app, TenantsOptions& options) {
    add_argument(app, "NAME", options.name, "Which one");
}

void add_tenants_limit(App& app, TenantsOptions& options) {
    const auto number = [&app](const char* name, std::int32_t& target, const char* what) {
        add_number(app, name, target, 0, std::numeric_limits<std::int32_t>::max(), what);
    };
    number("--open-runs", options.open_runs, "Open runs at a time; 0: no limit [0]");
    number("--starts", options.starts_per_second, "Starts a second, for each server [0]");
    number("--payload-bytes", options.payload_bytes, "Bytes of the data of a run [0]");
    add_tenant_name(app, options);
}

const RegisterGroup tenants_group("tenants", 190, "Organizations that see nothing of each other");

const RegisterCommand<run_tenants_create, add_tenant_name> tenants_create_command(
    {"tenants create", 10, "Create a tenant"},
    {{"pawl tenants create acme"},
     {"pawl --tenant acme keys create --name app --scope admin", "its first key"}}
);

const RegisterCommand<run_tenants<list_tenants>> tenants_list_command(
    {"tenants list", 20, "All of them"}, {{"pawl tenants list"}}
);

const RegisterCommand<run_tenants<show>, add_tenant_name> tenants_show_command(
    {"tenants show", 30, "One of them"}, {{"pawl tenants show acme"}}
);

const RegisterCommand<run_tenants<limit>, add_tenants_limit> tenants_limit_command(
    {"tenants limit", 40, "Set what a tenant may start; replaces all three limits"},
    {{"pawl tenants limit acme --open-runs 100000 --starts 500"}}
);

}  // namespace

}  // namespace pawl::cli
