#pragma once

#include "base/error.hpp"

#include <string>
#include <string_view>

namespace pawl {

// A secret that the database has encrypted for the server with a public key (pawl.wrap_text):
// RSA-KEM with 2048 bits and the exponent 65537, HMAC-SHA-256.
struct WrappedSecret {
    std::string wrapped;  // the number under the public key
    std::string data;
    std::string mac;
};

// A key pair for it.
struct WrapKey {
    std::string modulus;      // in decimal
    std::string private_key;  // DER; a secret
};
WrapKey new_wrap_key();

// Fails when it was not made with this key and for this purpose. Says nothing about why.
Result<std::string> unwrap_secret(
    std::string_view private_key, std::string_view about, const WrappedSecret& secret
);

}  // namespace pawl
