#include "api/auth/jwt.hpp"

#include "base/base64url.hpp"
#include "base/jwt_parts.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <optional>

namespace pawl::api {

namespace {

constexpr JsonLimits part_limits{jwt_bytes_max, 16};

Error refuse(std::string why) {
    return {Errc::unauthenticated, std::move(why), {}};
}

Result<json::object> object_of(std::string_view part, std::string_view what) {
    const auto text = from_base64url(part);
    if (!text) return refuse(fmt::format("malformed token: its {} part is not base64url", what));
    auto value = parse_json(*text, part_limits);
    if (!value) {
        return refuse(fmt::format("malformed token: its {} part: {}", what, value.error().message));
    }
    if (!value->is_object()) {
        return refuse(fmt::format("malformed token: its {} part is not a JSON object", what));
    }
    return std::move(value->get_object());
}

Result<JwtAlg> alg_of(const json::object& header) {
    const json::value* alg = header.if_contains("alg");
    if (alg == nullptr || !alg->is_string()) return refuse("malformed token: no 'alg' in it");
    for (const JwtAlg known : {JwtAlg::hs256, JwtAlg::es256, JwtAlg::rs256}) {
        if (alg->get_string() == name(known)) return known;
    }
    return refuse("the token is not signed with HS256, ES256 or RS256");
}

bool goes_with(const JwtKey& key, const Jwt& token) {
    return key.alg() == token.alg &&
           (key.kid().empty() || token.kid.empty() || key.kid() == token.kid);
}

// Seconds since 1970, possibly with a fraction; clamped to what an Instant can hold.
std::optional<Instant> time_of(const json::value& value) {
    if (!value.is_number()) return std::nullopt;
    constexpr double seconds_max = 253402300799.0;  // the end of the year 9999
    const double seconds = value.to_number<double>();
    if (std::isnan(seconds)) return std::nullopt;
    const double clamped = std::min(std::max(seconds, -seconds_max), seconds_max);
    return Instant(Duration(static_cast<std::int64_t>(clamped * 1e6)));
}

std::string written(Instant at) {
    return to_rfc3339(std::chrono::time_point_cast<std::chrono::seconds>(at));
}

Result<void> check_times(const json::object& claims, const JwtRules& rules, Instant now) {
    if (const json::value* exp = claims.if_contains("exp")) {
        const auto at = time_of(*exp);
        if (!at) return refuse("malformed token: 'exp' is not a number of seconds");
        if (now >= *at + rules.leeway) {
            return refuse(fmt::format("the token expired at {}", written(*at)));
        }
    } else if (rules.require_exp) {
        return refuse("the token never expires: it has no 'exp', which this server demands");
    }
    if (const json::value* nbf = claims.if_contains("nbf")) {
        const auto at = time_of(*nbf);
        if (!at) return refuse("malformed token: 'nbf' is not a number of seconds");
        if (now < *at - rules.leeway) {
            return refuse(fmt::format("the token is not valid before {}", written(*at)));
        }
    }
    return {};
}

bool names(const json::value& audience, std::string_view wanted) {
    if (audience.is_string()) return audience.get_string() == wanted;
    if (!audience.is_array()) return false;
    for (const json::value& one : audience.get_array()) {
        if (one.is_string() && one.get_string() == wanted) return true;
    }
    return false;
}

Result<void> check_parties(const json::object& claims, const JwtRules& rules) {
    if (!rules.issuer.empty()) {
        const json::value* issuer = claims.if_contains("iss");
        if (issuer == nullptr || !issuer->is_string() || issuer->get_string() != rules.issuer) {
            return refuse("wrong issuer: the token's 'iss' is not the one this server trusts");
        }
    }
    if (!rules.audience.empty()) {
        const json::value* audience = claims.if_contains("aud");
        if (audience == nullptr || !names(*audience, rules.audience)) {
            return refuse("wrong audience: the token's 'aud' does not name this server");
        }
    }
    return {};
}

}  // namespace

Result<Jwt> parse_jwt(std::string_view token) {
    if (token.size() > jwt_bytes_max) {
        return refuse(fmt::format("the token is longer than {} bytes", jwt_bytes_max));
    }
    const auto parts = split_jwt(token);
    if (!parts) return refuse("malformed token: neither an API key nor a JWT of three parts");
    const auto header = object_of(parts->header, "header");
    if (!header) return header.error();
    const auto alg = alg_of(*header);
    if (!alg) return alg.error();
    // 'crit' lists extensions that the reader must support (RFC 7515); this one supports none.
    if (header->contains("crit")) return refuse("the token demands an extension ('crit')");
    auto claims = object_of(parts->claims, "claims");
    if (!claims) return claims.error();
    auto signature = from_base64url(parts->signature);
    if (!signature) return refuse("malformed token: its signature is not base64url");
    Jwt jwt;
    jwt.alg = *alg;
    if (const json::value* kid = header->if_contains("kid")) {
        if (!kid->is_string()) return refuse("malformed token: 'kid' is no text");
        jwt.kid = kid->get_string();
    }
    jwt.claims = std::move(*claims);
    jwt.signed_text = parts->signed_text;
    jwt.signature = std::move(*signature);
    return jwt;
}

bool has_key_for(const Jwt& token, const std::vector<JwtKey>& keys) {
    return std::any_of(keys.begin(), keys.end(), [&](const JwtKey& key) {
        return goes_with(key, token);
    });
}

Result<void> verify_jwt(
    const Jwt& token, const std::vector<JwtKey>& keys, const JwtRules& rules, Instant now
) {
    if (!has_key_for(token, keys)) {
        return refuse(fmt::format(
            "no key of this server goes with the token ({}{})",
            name(token.alg),
            token.kid.empty() ? "" : ", with a 'kid'"
        ));
    }
    const bool genuine = std::any_of(keys.begin(), keys.end(), [&](const JwtKey& key) {
        return goes_with(key, token) && key.verify(token.signed_text, token.signature);
    });
    if (!genuine) return refuse("the token's signature is wrong");
    if (auto fine = check_times(token.claims, rules, now); !fine) return fine;
    return check_parties(token.claims, rules);
}

Instant written_end_of(const Jwt& token) {
    const json::value* exp = token.claims.if_contains("exp");
    const auto at = exp == nullptr ? std::nullopt : time_of(*exp);
    return at.value_or(Instant::max());
}

Instant end_of(const Jwt& token, const JwtRules& rules) {
    const Instant at = written_end_of(token);
    return at == Instant::max() ? at : at + rules.leeway;
}

}  // namespace pawl::api
