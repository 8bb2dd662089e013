#pragma once

#include "api/auth/principal.hpp"
#include "base/json.hpp"

#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace pawl::api {

using RoleScopes = std::map<std::string, ScopeSet, std::less<>>;

// What the `role` of a Supabase token allows when nothing else is configured.
RoleScopes default_role_scopes();
// "anon=runs:write,authenticated=runs:read+runs:write": replaces the named roles of the default.
// "anon=" takes everything away.
Result<RoleScopes> parse_role_scopes(std::string_view text);

// "app_metadata.tenant": where a token names its tenant, or its scopes. Refuses user_metadata,
// which a Supabase user may write as they like.
Result<std::string> parse_claim_path(std::string_view text);

struct ClaimRules {
    RoleScopes roles = default_role_scopes();
    std::string tenant_claim;  // empty: every token is of the default tenant
    // Empty: only the role counts. An issuer that serves other programs too lets clients ask for
    // scopes by name, so a claim grants something here only when the operator says so.
    std::string scope_claim;
};

struct TokenIdentity {
    std::string name;                   // `sub`, else the role, else "token"
    ScopeSet scopes;                    // of `role` and of the claim that names scopes, together
    std::optional<std::string> tenant;  // by name; always there when a claim is to name it
};

// What verified claims mean here. Errc::unauthenticated when the tenant's claim names none: such a
// token belongs to no tenant, least of all to the default one.
Result<TokenIdentity> identity_of(const json::object& claims, const ClaimRules& rules);

}  // namespace pawl::api
