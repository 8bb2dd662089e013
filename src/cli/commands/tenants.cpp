#include "app/views/tenant_json.hpp"
#include "cli/commands/commands.hpp"
#include "cli/commands/key_view.hpp"
#include "cli/commands/run_view.hpp"
#include "cli/door/database.hpp"
#include "cli/parse/input.hpp"
#include "cli/terminal/console.hpp"

#include <boost/json/array.hpp>
#include <fmt/core.h>

namespace pawl::cli {

namespace {

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

asio::awaitable<int> look(pg::Pool& pool, const TenantsOptions& options) {
    TenantRepos repos(pool);
    if (options.action == TenantsOptions::Action::list) {
        print(options.globals, co_await repos.tenants.list(), true);
        co_return exit_ok;
    }
    auto found = options.action == TenantsOptions::Action::limit
                     ? co_await app::limit_tenant(repos.uses, options.name, limits_of(options))
                     : co_await app::find_tenant(repos.uses, options.name);
    if (!found) co_return report(options.globals, with_tenant_hint(found.error()));
    print(options.globals, {*found}, false);
    co_return exit_ok;
}

}  // namespace

int run_tenants(const TenantsOptions& options) {
    if (options.action != TenantsOptions::Action::create) {
        if (auto fine = check_text("NAME", options.name, 200); !fine) {
            return report(options.globals, fine.error());
        }
        return with_pool(options.globals, [&](pg::Pool& pool) { return look(pool, options); });
    }
    if (auto fine = app::check_tenant_name(options.name); !fine)
        return report(options.globals, fine.error());
    return with_pool(options.globals, [&](pg::Pool& pool) { return create(pool, options); });
}

}  // namespace pawl::cli
