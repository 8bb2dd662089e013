#include "api/auth/oidc.hpp"
#include "api/auth/roles.hpp"
#include "api/auth/session_cookie.hpp"
#include "base/base64url.hpp"

#include <boost/json/serialize.hpp>

#include <algorithm>

namespace pawl::api {

namespace {

constexpr std::size_t path_bytes_max = 1000;
constexpr std::size_t subject_bytes_max = 320;
constexpr std::size_t tenants_max = 100;

// "realm_access.tenant": a claim inside a claim.
const json::value* claim_at(const json::object& claims, std::string_view path) {
    const json::value* at = nullptr;
    while (!path.empty()) {
        const std::size_t end = std::min(path.find('.'), path.size());
        const std::string_view key = path.substr(0, end);
        path.remove_prefix(std::min(end + 1, path.size()));
        at = at == nullptr ? claims.if_contains(key) : find(*at, key);
        if (at == nullptr) return nullptr;
    }
    return at;
}

// A text, or the texts of a list.
std::vector<std::string> texts_of(const json::value* value) {
    std::vector<std::string> texts;
    if (value == nullptr) return texts;
    if (value->is_string()) texts.emplace_back(value->get_string());
    if (!value->is_array()) return texts;
    for (const json::value& one : value->get_array()) {
        if (one.is_string() && texts.size() < tenants_max) texts.emplace_back(one.get_string());
    }
    return texts;
}

// The strongest of the roles that a claim names, among words that mean nothing here.
std::string role_of(const json::value* value) {
    const auto named = texts_of(value);
    std::string role;
    for (const std::string_view known : role_names) {
        if (std::find(named.begin(), named.end(), known) != named.end()) role = known;
    }
    return role;
}

}  // namespace

OidcFlow new_flow(std::string return_to) {
    if (!is_own_path(return_to)) return_to = "/";
    return {make_session_token(), make_session_token(), make_session_token(), std::move(return_to)};
}

std::string to_text(const OidcFlow& flow) {
    json::array parts{
        json::string(flow.state),
        json::string(flow.nonce),
        json::string(flow.verifier),
        json::string(flow.return_to)};
    return to_base64url(json::serialize(parts));
}

std::optional<OidcFlow> parse_flow(std::string_view text) {
    const auto bytes = from_base64url(text);
    const auto parsed = bytes ? parse_json(*bytes) : Result<json::value>(json::value());
    if (!parsed || !parsed->is_array() || parsed->get_array().size() != 4) return std::nullopt;
    const json::array& parts = parsed->get_array();
    if (!std::all_of(parts.begin(), parts.end(), [](const auto& one) { return one.is_string(); })) {
        return std::nullopt;
    }
    OidcFlow flow;
    flow.state = parts[0].get_string();
    flow.nonce = parts[1].get_string();
    flow.verifier = parts[2].get_string();
    flow.return_to = parts[3].get_string();
    if (flow.state.empty() || flow.nonce.empty() || !is_own_path(flow.return_to)) {
        return std::nullopt;
    }
    return flow;
}

bool is_own_path(std::string_view path) {
    const bool plain = std::all_of(path.begin(), path.end(), [](char c) {
        return c > ' ' && c < 0x7f && c != '\\' && c != '"' && c != '<' && c != '>';
    });
    return plain && path.starts_with('/') && !path.starts_with("//") &&
           path.size() <= path_bytes_max;
}

Result<OidcPerson> person_of(
    const json::object& claims, const OidcFlow& flow, const OidcOptions& options
) {
    const auto refuse = [](const char* why) { return Error{Errc::unauthenticated, why, {}}; };
    if (!same_secret(text_in(claims, "nonce"), flow.nonce)) {
        return refuse("the token of the identity provider is not for this sign-in");
    }
    // For several parties: this one must be the one that asked.
    const json::value* party = claims.if_contains("azp");
    if (party != nullptr && text_in(claims, "azp") != options.client_id) {
        return refuse("the token of the identity provider was issued to another client");
    }
    const json::value* verified = claims.if_contains("email_verified");
    const bool has_email = verified != nullptr && verified->is_bool() && verified->get_bool();
    OidcPerson person;
    person.subject = has_email ? text_in(claims, "email") : text_in(claims, "sub");
    if (person.subject.empty()) person.subject = text_in(claims, "sub");
    if (person.subject.empty() || person.subject.size() > subject_bytes_max) {
        return refuse("the identity provider does not say who it was");
    }
    if (options.role_claim.empty()) return person;
    const std::string role = role_of(claim_at(claims, options.role_claim));
    if (role.empty()) return person;
    std::vector<std::string> tenants{"default"};
    if (!options.tenant_claim.empty()) tenants = texts_of(claim_at(claims, options.tenant_claim));
    for (const std::string& tenant : tenants) person.roles[tenant] = role;
    return person;
}

}  // namespace pawl::api
