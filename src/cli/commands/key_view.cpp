#include "cli/commands/key_view.hpp"

#include "api/auth/auth_key.hpp"

#include <boost/json/array.hpp>
#include <fmt/core.h>

namespace pawl::cli {

namespace {

boost::json::value time_or_null(std::optional<Instant> at) {
    return at ? boost::json::value(to_rfc3339(*at)) : nullptr;
}

}  // namespace

std::string status_of(const store::ApiKey& key, Instant now) {
    if (key.revoked_at) return "revoked";
    return key.expires_at && *key.expires_at <= now ? "expired" : "active";
}

boost::json::object to_json(const store::ApiKey& key, Instant now) {
    boost::json::object document;
    document["id"] = key.id;
    document["prefix"] = display_prefix(key.prefix);
    document["name"] = key.name;
    document["scopes"] = boost::json::array(key.scopes.begin(), key.scopes.end());
    document["status"] = status_of(key, now);
    document["created_at"] = to_rfc3339(key.created_at);
    document["expires_at"] = time_or_null(key.expires_at);
    document["revoked_at"] = time_or_null(key.revoked_at);
    document["last_used_at"] = time_or_null(key.last_used_at);
    return document;
}

std::string display_prefix(const std::string& prefix) {
    return std::string(api::api_key_start) + prefix;
}

std::string read_prefix(std::string text) {
    if (!text.starts_with(api::api_key_start)) return text;
    text.erase(0, api::api_key_start.size());
    return text.substr(0, text.find('_'));
}

boost::asio::awaitable<Result<store::TenantNow>> read_tenant(
    store::ApiKeys& keys, std::string name
) {
    const auto found = co_await keys.find_tenant(name);
    if (!found) {
        co_return Error{
            Errc::not_found,
            fmt::format("there is no tenant named '{}'", name),
            {{"next", "pawl tenants list"}}};
    }
    co_return *found;
}

}  // namespace pawl::cli
