#include "app/tenants/tenant_uses.hpp"

#include "app/refusal.hpp"
#include "app/tenants/auth_key.hpp"
#include "base/sha256.hpp"
#include "model/duration.hpp"

#include <fmt/core.h>

#include <algorithm>

namespace pawl::app {

namespace {

Error no_tenant(const std::string& name) {
    return not_found(fmt::format("there is no tenant named '{}'", name)).with("tenant", name);
}

}  // namespace

Result<void> check_tenant_name(const std::string& name) {
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

asio::awaitable<Result<store::TenantDetails>> create_tenant(TenantUses& uses, std::string name) {
    auto made = co_await uses.tenants.create(name);
    if (!made) {
        const std::string why = fmt::format("there is a tenant named '{}' already", name);
        co_return Error{Errc::conflict, why, {{"tenant", name}}};
    }
    co_return std::move(*made);
}

asio::awaitable<Result<store::TenantDetails>> find_tenant(TenantUses& uses, std::string name) {
    auto found = co_await uses.tenants.find(name);
    if (!found) co_return no_tenant(name);
    co_return std::move(*found);
}

asio::awaitable<Result<store::TenantDetails>> limit_tenant(
    TenantUses& uses, std::string name, store::TenantLimits limits
) {
    auto found = co_await uses.tenants.set_limits(name, std::move(limits));
    if (!found) co_return no_tenant(name);
    co_return std::move(*found);
}

asio::awaitable<Result<CreatedKey>> create_key(TenantUses& uses, std::string tenant, NewKey key) {
    const auto found = co_await uses.keys.find_tenant(tenant);
    if (!found) co_return no_tenant(tenant);
    co_return co_await create_key(uses.keys, *found, std::move(key));
}

asio::awaitable<Result<CreatedKey>> create_key(
    store::ApiKeys& keys, store::TenantNow tenant, NewKey key
) {
    if (auto wrong = wrong_label("name", key.name)) co_return std::move(*wrong);
    ApiKeyText text = make_api_key();
    store::NewApiKey row;
    row.tenant = tenant.tenant.id;
    row.name = std::move(key.name);
    row.prefix = text.prefix;
    row.hash = sha256(text.text);
    row.scopes = std::move(key.scopes);
    row.role = std::move(key.role);
    if (key.expires) row.expires_at = saturating_add(tenant.now, *key.expires);
    auto made = co_await keys.create(std::move(row));
    co_return CreatedKey{std::move(text.text), std::move(made), tenant.now};
}

asio::awaitable<Result<KeyList>> list_keys(TenantUses& uses, std::string tenant) {
    const auto found = co_await uses.keys.find_tenant(tenant);
    if (!found) co_return no_tenant(tenant);
    auto keys = co_await uses.keys.list(found->tenant.id);
    co_return KeyList{std::move(keys), found->now};
}

asio::awaitable<Result<void>> revoke_key(TenantUses& uses, std::string tenant, std::string prefix) {
    const auto found = co_await uses.keys.find_tenant(tenant);
    if (!found) co_return no_tenant(tenant);
    const bool revoked = co_await uses.keys.revoke(found->tenant.id, prefix);
    if (!revoked) {
        co_return refusal(Errc::not_found, "no_key", fmt::format("there is no key '{}'", prefix))
            .with("key", prefix);
    }
    co_return Result<void>();
}

}  // namespace pawl::app
