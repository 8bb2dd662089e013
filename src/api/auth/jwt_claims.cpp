#include "api/auth/jwt_claims.hpp"

#include <fmt/core.h>

#include <sstream>

namespace pawl::api {

namespace {

constexpr std::size_t name_length_max = 200;

std::vector<std::string> split(std::string_view text, char border) {
    std::vector<std::string> parts;
    std::istringstream in{std::string(text)};
    for (std::string part; std::getline(in, part, border);) {
        if (!part.empty()) parts.push_back(part);
    }
    return parts;
}

std::string text_of(const json::object& claims, std::string_view claim) {
    const json::value* value = claims.if_contains(claim);
    return value != nullptr && value->is_string() ? std::string(value->get_string()) : "";
}

// Words in one text, or an array of texts.
std::vector<std::string> words_of(const json::value* value) {
    if (value == nullptr) return {};
    if (value->is_string()) return split(std::string_view(value->get_string()), ' ');
    std::vector<std::string> words;
    if (!value->is_array()) return words;
    for (const json::value& word : value->get_array()) {
        if (word.is_string()) words.emplace_back(word.get_string());
    }
    return words;
}

const json::value* walk(const json::object& claims, std::string_view path) {
    const json::value* at = nullptr;
    for (const std::string& step : split(path, '.')) {
        at = at == nullptr ? claims.if_contains(step) : find(*at, step);
        if (at == nullptr) return nullptr;
    }
    return at;
}

Error bad_roles(std::string why) {
    return {
        Errc::invalid,
        fmt::format("{}; write 'anon=runs:write,authenticated=runs:read+runs:write'", why),
        {}};
}

// What goes to log lines and into the database: nothing that could forge a line, and no half of a
// character at the cut.
std::string log_name(std::string text) {
    for (char& c : text) {
        if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = '?';
    }
    if (text.size() <= name_length_max) return text;
    std::size_t end = name_length_max;
    while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xc0) == 0x80) --end;
    return text.substr(0, end);
}

}  // namespace

RoleScopes default_role_scopes() {
    RoleScopes roles;
    roles["anon"] = {};
    roles["authenticated"] = {Scope::runs_read, Scope::runs_write};
    roles["service_role"] = {Scope::admin};
    return roles;
}

Result<RoleScopes> parse_role_scopes(std::string_view text) {
    RoleScopes roles = default_role_scopes();
    for (const std::string& part : split(text, ',')) {
        const std::size_t equals = part.find('=');
        if (equals == std::string::npos || equals == 0) {
            return bad_roles(fmt::format("'{}' is not ROLE=SCOPE+SCOPE", part));
        }
        const auto scopes = parse_scopes(split(std::string_view(part).substr(equals + 1), '+'));
        if (!scopes) return scopes.error();
        roles[part.substr(0, equals)] = *scopes;
    }
    return roles;
}

Result<std::string> parse_claim_path(std::string_view text) {
    const auto steps = split(text, '.');
    if (steps.empty() || text.size() > name_length_max) {
        return Error{Errc::invalid, "the path of a claim is written 'app_metadata.tenant'", {}};
    }
    if (steps.front() == "user_metadata") {
        return Error{
            Errc::invalid,
            "neither the tenant nor scopes may come from user_metadata: users may change it "
            "themselves; use app_metadata",
            {}};
    }
    return std::string(text);
}

Result<TokenIdentity> identity_of(const json::object& claims, const ClaimRules& rules) {
    TokenIdentity identity;
    const std::string role = text_of(claims, "role");
    if (const auto found = rules.roles.find(role); found != rules.roles.end()) {
        identity.scopes.add(found->second);
    }
    if (!rules.scope_claim.empty()) {
        identity.scopes.add(known_scopes(words_of(walk(claims, rules.scope_claim))));
    }
    const std::string subject = text_of(claims, "sub");
    identity.name = log_name(!subject.empty() ? subject : !role.empty() ? role : "token");
    if (rules.tenant_claim.empty()) return identity;
    const json::value* tenant = walk(claims, rules.tenant_claim);
    if (tenant == nullptr || !tenant->is_string() || tenant->get_string().empty()) {
        return Error{
            Errc::unauthenticated,
            fmt::format(
                "the token names no tenant: this server reads it from the claim '{}', which must "
                "be a text; have the issuer add it, or use an API key of the tenant",
                rules.tenant_claim
            ),
            {}};
    }
    identity.tenant = std::string(tenant->get_string());
    return identity;
}

}  // namespace pawl::api
