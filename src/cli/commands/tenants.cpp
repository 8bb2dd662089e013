#include "store/repos/tenants.hpp"

#include "base/json.hpp"
#include "cli/commands/commands.hpp"
#include "cli/commands/run_view.hpp"
#include "cli/door/database.hpp"
#include "cli/parse/input.hpp"
#include "cli/terminal/console.hpp"

#include <boost/json/array.hpp>
#include <fmt/core.h>

#include <algorithm>

namespace pawl::cli {

namespace {

json::value number_or_null(std::optional<std::int32_t> number) {
    return number ? json::value(*number) : json::value();
}

std::string shown(std::optional<std::int32_t> limit) {
    return limit ? std::to_string(*limit) : "";
}

json::object to_json(const store::TenantDetails& tenant) {
    json::object document;
    document["id"] = tenant.tenant.id;
    document["name"] = tenant.name;
    document["created_at"] = to_rfc3339(tenant.created_at);
    document["open_runs_max"] = number_or_null(tenant.limits.open_runs);
    document["starts_per_second_max"] = number_or_null(tenant.limits.starts_per_second);
    document["payload_bytes_max"] = number_or_null(tenant.limits.payload_bytes);
    return document;
}

void print(const Globals& globals, const std::vector<store::TenantDetails>& tenants, bool many) {
    if (globals.machine() && !many) return print_json(globals, to_json(tenants.front()));
    if (globals.machine()) {
        json::array items;
        for (const auto& tenant : tenants) items.push_back(to_json(tenant));
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
    store::Tenants tenants(pool);
    const auto made = co_await tenants.create(options.name);
    if (!made) {
        const std::string why = fmt::format("there is a tenant named '{}' already", options.name);
        co_return report(options.globals, {Errc::conflict, why, {{"tenant", options.name}}});
    }
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
    store::Tenants tenants(pool);
    if (options.action == TenantsOptions::Action::list) {
        print(options.globals, co_await tenants.list(), true);
        co_return exit_ok;
    }
    std::optional<store::TenantDetails> found;
    if (options.action == TenantsOptions::Action::limit) {
        found = co_await tenants.set_limits(options.name, limits_of(options));
    } else {
        found = co_await tenants.find(options.name);
    }
    if (!found) {
        const std::string why = fmt::format("there is no tenant named '{}'", options.name);
        co_return report(options.globals, {Errc::not_found, why, {{"next", "pawl tenants list"}}});
    }
    print(options.globals, {*found}, false);
    co_return exit_ok;
}

// Names go into settings, URLs and log lines. One of digits alone could be taken for a number.
Result<void> check_name(const std::string& name) {
    const auto fits = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
               c == '_' || c == '-' || c == '.';
    };
    const auto digit = [](char c) { return c >= '0' && c <= '9'; };
    const bool fine = !name.empty() && name.size() <= 100 &&
                      std::all_of(name.begin(), name.end(), fits) &&
                      !std::all_of(name.begin(), name.end(), digit);
    if (fine) return {};
    return Error{
        Errc::invalid,
        fmt::format(
            "'{}' cannot be the name of a tenant: 1 to 100 letters, digits, _, - and ., and not "
            "digits alone",
            name
        ),
        {}};
}

}  // namespace

int run_tenants(const TenantsOptions& options) {
    if (options.action != TenantsOptions::Action::create) {
        if (auto fine = check_text("NAME", options.name, 200); !fine) {
            return report(options.globals, fine.error());
        }
        return with_pool(options.globals, [&](pg::Pool& pool) { return look(pool, options); });
    }
    if (auto fine = check_name(options.name); !fine) return report(options.globals, fine.error());
    return with_pool(options.globals, [&](pg::Pool& pool) { return create(pool, options); });
}

}  // namespace pawl::cli
