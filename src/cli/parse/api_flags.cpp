#include "cli/parse/api_flags.hpp"

namespace pawl::cli {

void add_cors_flag(App& app, std::vector<std::string>& origins) {
    app.add_option("--cors-origin", origins, "Web pages of this origin may call; * for any [none]")
        ->type_name("ORIGIN")
        ->envname("PAWL_CORS_ORIGIN");
}

void add_api_flags(App& app, ApiFlags& flags) {
    add_cors_flag(app, flags.cors_origins);
    app.add_option("--jwks", flags.jwks, "Keys that sign tokens (ES256, RS256)")
        ->type_name("FILE|URL")
        ->envname("PAWL_JWKS");
    app.add_option("--jwt-issuer", flags.jwt_issuer, "Only tokens of this issuer")
        ->type_name("TEXT")
        ->envname("PAWL_JWT_ISSUER");
    app.add_option("--jwt-audience", flags.jwt_audience, "Only tokens for this audience")
        ->type_name("TEXT")
        ->envname("PAWL_JWT_AUDIENCE");
    app.add_option("--jwt-roles", flags.jwt_roles, "What the role of a token allows")
        ->type_name("ROLE=SCOPE+SCOPE,...")
        ->envname("PAWL_JWT_ROLES");
    app.add_option("--tenant-claim", flags.tenant_claim, "Where a token must name its tenant")
        ->type_name("PATH")
        ->envname("PAWL_TENANT_CLAIM");
    app.add_option("--scope-claim", flags.scope_claim, "Where a token names scopes [nowhere]")
        ->type_name("PATH")
        ->envname("PAWL_SCOPE_CLAIM");
    app.add_flag("--no-access-log", flags.no_access_log, "Do not log every request");
}

}  // namespace pawl::cli
