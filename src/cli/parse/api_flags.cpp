#include "cli/parse/api_flags.hpp"

#include "cli/parse/shared_options.hpp"
#include "cli/parse/typed_options.hpp"

namespace pawl::cli {

namespace {

// Long enough to do something, and no longer than a cookie may live.
Result<Duration> session_time(const std::string& text) {
    auto time = parse_duration(text);
    if (time && (*time < std::chrono::minutes(1) || *time > std::chrono::hours(24 * 400))) {
        return Error{Errc::invalid, "must be between 1m and 400d", {}};
    }
    return time;
}

}  // namespace

void add_cors_flag(App& app, std::vector<std::string>& origins) {
    app.add_option("--cors-origin", origins, "Web pages of this origin may call; * for any [none]")
        ->type_name("ORIGIN")
        ->envname("PAWL_CORS_ORIGIN");
}

void add_base_flag(App& app, std::string& base_path) {
    add_setting(
        app,
        "--base-path",
        base_path,
        "/PATH",
        "The path below which a proxy serves Pawl, such as /pawl [/]"
    );
}

void add_api_flags(App& app, ApiFlags& flags) {
    add_cors_flag(app, flags.cors_origins);
    add_setting(app, "--jwks", flags.jwks, "FILE|URL", "Keys that sign tokens (ES256, RS256)");
    add_setting(app, "--jwt-issuer", flags.jwt_issuer, "TEXT", "Only tokens of this issuer");
    add_setting(app, "--jwt-audience", flags.jwt_audience, "TEXT", "Only tokens for this audience");
    add_setting(
        app,
        "--jwt-roles",
        flags.jwt_roles,
        "ROLE=SCOPE+SCOPE,...",
        "What the role of a token allows"
    );
    add_setting(
        app, "--tenant-claim", flags.tenant_claim, "PATH", "Where a token must name its tenant"
    );
    add_setting(
        app, "--scope-claim", flags.scope_claim, "PATH", "Where a token names scopes [nowhere]"
    );
    auto* issuer = add_setting(
        app, "--oidc-issuer", flags.oidc_issuer, "URL", "Identity provider of the web UI's users"
    );
    auto* client = add_setting(
        app,
        "--oidc-client-id",
        flags.oidc_client_id,
        "TEXT",
        "The client id that it gave this server"
    );
    issuer->needs(client);
    client->needs(issuer);
    add_setting(
        app, "--oidc-scopes", flags.oidc_scopes, "TEXT", "What to ask it for [openid email profile]"
    )
        ->needs(issuer);
    const char* tenant = "Where its tokens name tenants [all: default]";
    add_setting(app, "--oidc-tenant-claim", flags.oidc_tenant_claim, "PATH", tenant)->needs(issuer);
    const char* role = "Where its tokens name roles [only members sign in]";
    add_setting(app, "--oidc-role-claim", flags.oidc_role_claim, "PATH", role)->needs(issuer);
    const char* idle = "A session of the web UI ends after this time without use";
    add_parsed(app, "--session-idle", flags.session_idle, session_time, idle)
        ->type_name("TIME")
        ->envname("PAWL_SESSION_IDLE")
        ->default_str("8h");
    add_parsed(
        app,
        "--session-life",
        flags.session_life,
        session_time,
        "... and after this time in any case"
    )
        ->type_name("TIME")
        ->envname("PAWL_SESSION_LIFE")
        ->default_str("7d");
    add_base_flag(app, flags.base_path);
    app.add_flag("--no-access-log", flags.no_access_log, "Do not log every request");
}

}  // namespace pawl::cli
