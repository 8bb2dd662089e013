#include "base/sha256.hpp"

#include "base/error.hpp"

#include <openssl/evp.h>

#include <array>

namespace pawl {

std::string sha256(std::string_view text) {
    std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
    unsigned length = 0;
    if (EVP_Digest(text.data(), text.size(), digest.data(), &length, EVP_sha256(), nullptr) != 1) {
        throw Failure({Errc::internal, "OpenSSL cannot compute SHA-256", {}});
    }
    return {reinterpret_cast<const char*>(digest.data()), length};
}

}  // namespace pawl
