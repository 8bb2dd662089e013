#include "cli/parse/api_options.hpp"

#include "cli/parse/input.hpp"

#include <cstdlib>

namespace pawl::cli {

namespace {

constexpr std::size_t secret_bytes_max = 4096;
constexpr std::size_t jwks_bytes_max = 1 << 20;

std::string jwt_secret() {
    if (const char* text = std::getenv("PAWL_JWT_SECRET")) return text;
    const char* file = std::getenv("PAWL_JWT_SECRET_FILE");
    if (file == nullptr) return {};
    std::string secret = read_source(file, secret_bytes_max).value();
    while (secret.ends_with('\n')) secret.pop_back();
    return secret;
}

bool is_url(std::string_view text) {
    return text.starts_with("https://") || text.starts_with("http://");
}

}  // namespace

bool ApiFlags::checks_tokens() const {
    return !jwks.empty() || !jwt_secret().empty();
}

host::ApiOptions api_options(const ApiFlags& flags) {
    host::ApiOptions options;
    options.service.cors.origins = flags.cors_origins;
    options.service.access_log = !flags.no_access_log;
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
    return options;
}

}  // namespace pawl::cli
