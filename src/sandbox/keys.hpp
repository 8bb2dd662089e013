#pragma once

#include <optional>
#include <string>
#include <string_view>

// Key pairs of providers, by OpenSSL.
namespace pawl::sandbox {

struct KeyPair {
    std::string private_pem;
    std::string public_base64;  // SubjectPublicKeyInfo in DER, as SendGrid shows it
};

// P-256, as SendGrid signs with.
KeyPair new_ec_key();
// Takes a tenth of a second or so.
KeyPair new_rsa_key();

// ECDSA with SHA-256, as DER.
std::string sign_ecdsa(std::string_view private_pem, std::string_view text);
// RSASSA-PKCS1-v1_5 with SHA-256, by the private key whose public half made it.
bool is_signed_rs256(
    std::string_view private_pem, std::string_view text, std::string_view signature
);

}  // namespace pawl::sandbox
