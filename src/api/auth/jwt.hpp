#pragma once

#include "api/auth/jwt_key.hpp"
#include "base/clock.hpp"
#include "base/json.hpp"

#include <string>
#include <string_view>
#include <vector>

// JSON Web Tokens (RFC 7519), verification only. Pure: keys and the moment are given.
namespace pawl::api {

// A token in its parts. Nothing in it is to be believed before verify_jwt has said yes.
struct Jwt {
    JwtAlg alg = JwtAlg::hs256;
    std::string kid;  // empty: none given
    json::object claims;
    std::string signed_text;  // header and claims as they were sent
    std::string signature;
};

struct JwtRules {
    std::string issuer;    // empty: any
    std::string audience;  // empty: any
    bool require_exp = true;
    Duration leeway = std::chrono::seconds(60);  // for clocks that differ
};

inline constexpr std::size_t jwt_bytes_max = 8 << 10;

// All errors of both are Errc::unauthenticated, and hold nothing of the token but names and times.
Result<Jwt> parse_jwt(std::string_view token);
// Whether there is a key to try: its algorithm fits, and its id does if both have one.
bool has_key_for(const Jwt& token, const std::vector<JwtKey>& keys);
// Signature first, then time, issuer and audience.
Result<void> verify_jwt(
    const Jwt& token, const std::vector<JwtKey>& keys, const JwtRules& rules, Instant now
);

// The `exp` of a verified token; the end of time when it has none.
Instant written_end_of(const Jwt& token);
// When it is refused: the same, leeway included.
Instant end_of(const Jwt& token, const JwtRules& rules);

}  // namespace pawl::api
