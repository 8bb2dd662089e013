#include "cli/parse/api_options.hpp"

#include "cli/parse/input.hpp"

#include <algorithm>
#include <cstdlib>

namespace pawl::cli {

namespace {

constexpr std::size_t secret_bytes_max = 4096;
constexpr std::size_t jwks_bytes_max = 1 << 20;

// From the environment or a file, never from the command line.
std::string secret_of(const char* variable, const char* file_variable) {
    if (const char* text = std::getenv(variable)) return text;
    const char* file = std::getenv(file_variable);
    if (file == nullptr) return {};
    std::string secret = read_source(file, secret_bytes_max).value();
    while (secret.ends_with('\n')) secret.pop_back();
    return secret;
}

std::string jwt_secret() {
    return secret_of("PAWL_JWT_SECRET", "PAWL_JWT_SECRET_FILE");
}

bool is_url(std::string_view text) {
    return text.starts_with("https://") || text.starts_with("http://");
}

api::OidcOptions oidc_options(const ApiFlags& flags) {
    api::OidcOptions options;
    if (flags.oidc_issuer.empty()) return options;
    if (!is_url(flags.oidc_issuer)) {
        throw Failure(
            {Errc::invalid,
             "--oidc-issuer must be a URL",
             {{"given", flags.oidc_issuer}, {"next", "write it like https://login.example.com"}}}
        );
    }
    options.issuer = flags.oidc_issuer;
    options.client_id = flags.oidc_client_id;
    options.client_secret = secret_of("PAWL_OIDC_SECRET", "PAWL_OIDC_SECRET_FILE");
    if (!flags.oidc_scopes.empty()) options.scopes = flags.oidc_scopes;
    if (!flags.oidc_tenant_claim.empty()) {
        options.tenant_claim = api::parse_claim_path(flags.oidc_tenant_claim).value();
    }
    if (!flags.oidc_role_claim.empty()) {
        options.role_claim = api::parse_claim_path(flags.oidc_role_claim).value();
    }
    return options;
}

}  // namespace

std::string checked_base_path(std::string path) {
    while (path.ends_with('/')) path.pop_back();
    const auto fits = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
               c == '/' || c == '-' || c == '_' || c == '.' || c == '~';
    };
    const bool whole = path.starts_with('/') && path.find("//") == std::string::npos &&
                       path.find("/.") == std::string::npos;
    if (path.empty() || (whole && std::all_of(path.begin(), path.end(), fits))) return path;
    throw Failure(
        {Errc::invalid,
         "--base-path must be a path of letters, digits, - and _",
         {{"given", path}, {"next", "write it like /pawl"}}}
    );
}

bool ApiFlags::checks_tokens() const {
    return !jwks.empty() || !jwt_secret().empty();
}

host::ApiOptions api_options(const ApiFlags& flags) {
    host::ApiOptions options;
    options.service.cors.origins = flags.cors_origins;
    options.service.access_log = !flags.no_access_log;
    options.service.base_path = checked_base_path(flags.base_path);
    options.auth.keyring.secret = jwt_secret();
    (is_url(flags.jwks) ? options.auth.keyring.jwks_url : options.auth.keyring.jwks_file) =
        flags.jwks;
    // Before anything is started for nothing.
    if (!flags.jwks.empty() && !is_url(flags.jwks)) read_source(flags.jwks, jwks_bytes_max).value();
    options.auth.jwt.issuer = flags.jwt_issuer;
    options.auth.jwt.audience = flags.jwt_audience;
    if (!flags.jwt_roles.empty()) {
        options.auth.claims.roles = api::parse_role_scopes(flags.jwt_roles).value();
    }
    if (!flags.tenant_claim.empty()) {
        options.auth.claims.tenant_claim = api::parse_claim_path(flags.tenant_claim).value();
    }
    if (!flags.scope_claim.empty()) {
        options.auth.claims.scope_claim = api::parse_claim_path(flags.scope_claim).value();
    }
    options.oidc = oidc_options(flags);
    options.sessions = {flags.session_idle, flags.session_life};
    return options;
}

}  // namespace pawl::cli
