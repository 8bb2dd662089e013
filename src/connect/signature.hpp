#pragma once

#include "base/clock.hpp"
#include "connect/connector.hpp"
#include "http/message.hpp"

#include <string>
#include <string_view>

namespace pawl::connect {

// What a provider has sent to a hook.
struct HookRequest {
    std::string method = "POST";
    std::string url;  // the public one, as the provider called it, query included
    http::Headers headers;
    std::string body;  // every byte as it came
    Instant now{};
};

// Whether a hook is from the provider that has `secret`, and not older or newer than `window` where
// its time is signed (0: any). Compares in constant time. Errc::unauthenticated if not.
Result<void> check_signature(
    Signing signing, std::string_view secret, const HookRequest& hook, Duration window
);

// Why no hook could be checked with this secret; empty: one can.
std::string_view secret_problem(Signing signing, std::string_view secret);

// 32 and 20 bytes.
std::string hmac_sha256(std::string_view key, std::string_view text);
std::string hmac_sha1(std::string_view key, std::string_view text);

// RSASSA-PKCS1-v1_5 with SHA-256, by a private key in PEM.
Result<std::string> sign_rs256(std::string_view pem, std::string_view text);

}  // namespace pawl::connect
