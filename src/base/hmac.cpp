#include "base/hmac.hpp"

#include "base/error.hpp"

#include <openssl/evp.h>
#include <openssl/hmac.h>

#include <array>

namespace pawl {

std::string hmac_sha256(std::string_view key, std::string_view text) {
    std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
    unsigned length = 0;
    const auto* made = HMAC(
        EVP_sha256(),
        key.data(),
        static_cast<int>(key.size()),
        reinterpret_cast<const unsigned char*>(text.data()),
        text.size(),
        digest.data(),
        &length
    );
    if (made == nullptr) throw Failure({Errc::internal, "OpenSSL cannot compute an HMAC", {}});
    return {reinterpret_cast<const char*>(digest.data()), length};
}

}  // namespace pawl
