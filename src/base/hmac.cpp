#include "base/hmac.hpp"

#include "base/sha256.hpp"

namespace pawl {

namespace {

constexpr std::size_t block_bytes = 64;

std::string padded(std::string_view key, unsigned char with) {
    std::string block(block_bytes, static_cast<char>(with));
    for (std::size_t i = 0; i < key.size(); ++i) {
        block[i] = static_cast<char>(static_cast<unsigned char>(key[i]) ^ with);
    }
    return block;
}

}  // namespace

// RFC 2104. That of OpenSSL takes ten times as long for a short text: it looks its algorithms up
// anew each time.
std::string hmac_sha256(std::string_view key, std::string_view text) {
    std::string hashed;
    if (key.size() > block_bytes) {
        hashed = sha256(key);
        key = hashed;
    }
    const std::string inner = sha256({padded(key, 0x36), text});
    return sha256({padded(key, 0x5c), inner});
}

}  // namespace pawl
