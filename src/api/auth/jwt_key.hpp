#pragma once

#include "base/error.hpp"

#include <boost/json/fwd.hpp>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace pawl::api {

enum class JwtAlg { hs256, es256, rs256 };

std::string_view name(JwtAlg alg);

// A key that checks signatures, with the one algorithm it is for. A token cannot choose another:
// its header is only compared. So a forged token cannot have a public key used as a secret.
class JwtKey {
public:
    // A shared secret; at least 32 bytes, as RFC 7518 demands for HS256.
    static Result<JwtKey> from_secret(std::string secret);
    // A public key: P-256 or RSA of 2048 bits or more.
    static Result<JwtKey> from_jwk(const boost::json::value& jwk);

    JwtAlg alg() const { return alg_; }
    const std::string& kid() const { return kid_; }  // empty: it has none, and goes with any
    bool verify(std::string_view text, std::string_view signature) const;

private:
    JwtKey(JwtAlg alg, std::string kid) : alg_(alg), kid_(std::move(kid)) {}

    JwtAlg alg_;
    std::string kid_;
    std::string secret_;
    std::shared_ptr<void> public_key_;  // an EVP_PKEY; its header stays in the .cpp
};

// The usable keys of a JWK set (RFC 7517). Keys of other kinds or for other uses are left out, as
// the RFC asks; a set without one usable key is refused.
Result<std::vector<JwtKey>> parse_jwks(std::string_view document);

}  // namespace pawl::api
