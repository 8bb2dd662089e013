#include "app/tenants/auth_key.hpp"
#include "app/views/tenant_json.hpp"
#include "cli/commands/run_view.hpp"
#include "cli/door/database.hpp"
#include "cli/door/tenant_repos.hpp"
#include "cli/parse/input.hpp"
#include "cli/parse/registry.hpp"
#include "cli/terminal/columns.hpp"
#include "cli/terminal/console.hpp"

#include <boost/json/array.hpp>
#include <fmt/format.h>

namespace pawl::cli {

namespace {

TableRow row_of(const store::ApiKey& key, Instant now) {
    const std::string status = app::status_of(key, now);
    return {
        app::display_prefix(key.prefix),
        shorten(key.name, 40),
        key.role.empty() ? fmt::format("{}", fmt::join(key.scopes, " "))
                         : fmt::format("{} {}", key.role, fmt::join(key.scopes, " ")),
        Cell(status, status == "active" ? Color::green : Color::dim),
        human_time(key.created_at),
        key.last_used_at ? human_time(*key.last_used_at) : "never",
        key.expires_at ? human_time(*key.expires_at) : "never"};
}

asio::awaitable<int> list(pg::Pool& pool, const Globals& globals) {
    TenantRepos repos(pool);
    const auto found = co_await app::list_keys(repos.uses, globals.tenant);
    if (!found) co_return report(globals, with_tenant_hint(found.error()));
    if (globals.machine()) {
        json::array items;
        for (const auto& key : found->keys) items.push_back(app::to_json(key, found->now));
        print_json_list(globals, items);
    } else if (found->keys.empty()) {
        say(globals, "no keys; make one: pawl keys create --name NAME --scope SCOPE");
    } else {
        std::vector<TableRow> rows;
        for (const auto& key : found->keys) rows.push_back(row_of(key, found->now));
        print_table(
            globals,
            {"KEY", "NAME", "ROLE, SCOPES", "STATUS", "CREATED (UTC)", "LAST USED", "EXPIRES"},
            rows
        );
    }
    co_return exit_ok;
}

int run_keys_list(const Globals& globals) {
    if (auto fine = check_text("--tenant", globals.tenant, 200); !fine) {
        return report(globals, fine.error());
    }
    return with_pool(globals, [&](pg::Pool& pool) { return list(pool, globals); });
}

const RegisterCommand<run_keys_list> keys_list_command(
    {"keys list", 20, "All keys, without their secrets"}, {{"pawl keys list"}}
);

}  // namespace

}  // namespace pawl::cli
