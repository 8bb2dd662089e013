#pragma once

#include "base/clock.hpp"
#include "cli/parse/command_line.hpp"

#include <string>
#include <vector>

namespace pawl::cli {

// How the API is told who may call it and from where, as it was written.
struct ApiFlags {
    std::vector<std::string> cors_origins;  // empty: none
    std::string jwks;                       // a file or a URL
    std::string jwt_issuer;
    std::string jwt_audience;
    std::string jwt_roles;     // "anon=runs:write,authenticated=runs:read+runs:write"
    std::string tenant_claim;  // "app_metadata.tenant"
    std::string scope_claim;   // "scope": none without it
    std::string oidc_issuer;   // how people sign in at the web UI
    std::string oidc_client_id;
    std::string oidc_scopes;
    std::string oidc_tenant_claim;
    std::string oidc_role_claim;
    Duration session_idle = std::chrono::hours(8);  // of people who sign in at the web UI
    Duration session_life = std::chrono::hours(24 * 7);
    std::string base_path;  // "/pawl": what a proxy has before every path
    bool no_access_log = false;

    // Whether a caller without an API key can prove who it is.
    bool checks_tokens() const;
};

void add_cors_flag(App& app, std::vector<std::string>& origins);
void add_base_flag(App& app, std::string& base_path);
void add_api_flags(App& app, ApiFlags& flags);

}  // namespace pawl::cli
