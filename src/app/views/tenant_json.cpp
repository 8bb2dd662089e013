#include "app/views/tenant_json.hpp"

#include "app/tenants/auth_key.hpp"
#include "app/views/json_parts.hpp"

namespace pawl::app {

json::object to_json(const store::TenantDetails& tenant) {
    json::object out;
    out["id"] = tenant.tenant.id;
    PAWL_SHOW(out, tenant, (shown, name, created_at));
    out["open_runs_max"] = shown(tenant.limits.open_runs);
    out["starts_per_second_max"] = shown(tenant.limits.starts_per_second);
    out["payload_bytes_max"] = shown(tenant.limits.payload_bytes);
    return out;
}

std::string status_of(const store::ApiKey& key, Instant now) {
    if (key.revoked_at) return "revoked";
    return key.expires_at && *key.expires_at <= now ? "expired" : "active";
}

json::object to_json(const store::ApiKey& key, Instant now) {
    json::object out;
    out["id"] = key.id;
    out["prefix"] = display_prefix(key.prefix);
    out["name"] = key.name;
    out["scopes"] = json::array(key.scopes.begin(), key.scopes.end());
    out["role"] = or_null(key.role);
    out["status"] = status_of(key, now);
    PAWL_SHOW(out, key, (shown, created_at, expires_at, revoked_at, last_used_at));
    return out;
}

}  // namespace pawl::app
