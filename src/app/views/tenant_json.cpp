#include "app/views/tenant_json.hpp"

#include "app/tenants/auth_key.hpp"
#include "app/views/json_parts.hpp"

namespace pawl::app {

json::object to_json(const store::TenantDetails& tenant) {
    json::object out;
    out["id"] = tenant.tenant.id;
    out["name"] = tenant.name;
    out["created_at"] = to_rfc3339(tenant.created_at);
    out["open_runs_max"] = number_or_null(tenant.limits.open_runs);
    out["starts_per_second_max"] = number_or_null(tenant.limits.starts_per_second);
    out["payload_bytes_max"] = number_or_null(tenant.limits.payload_bytes);
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
    out["role"] = text_or_null(key.role);
    out["status"] = status_of(key, now);
    out["created_at"] = to_rfc3339(key.created_at);
    out["expires_at"] = time_or_null(key.expires_at);
    out["revoked_at"] = time_or_null(key.revoked_at);
    out["last_used_at"] = time_or_null(key.last_used_at);
    return out;
}

}  // namespace pawl::app
