#pragma once

#include "base/json.hpp"

#include <memory>
#include <string>

namespace pawl::test {

// A key pair made for one test, and what an identity provider does with it.
class TokenSigner {
public:
    enum class Kind { ec, rsa };
    explicit TokenSigner(Kind kind, std::string kid = "");

    // The public half.
    json::object jwk() const;
    // {"keys": [...]}
    std::string jwks() const;
    // A signed token; `header` is laid over {"alg", "kid"}.
    std::string sign(const json::object& claims, const json::object& header = {}) const;
    // Any key of OpenSSL as PEM, as one would have it in a file.
    std::string public_pem() const;

private:
    std::string signature(const std::string& text) const;

    Kind kind_;
    std::string kid_;
    std::shared_ptr<void> key_;
};

// The same with HS256 and a secret.
std::string sign_with_secret(
    const std::string& secret, const json::object& claims, const json::object& header = {}
);
// header.claims.signature of anything.
std::string token_of(
    const std::string& header, const std::string& claims, const std::string& signature
);

}  // namespace pawl::test
