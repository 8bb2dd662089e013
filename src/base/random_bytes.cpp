#include "base/random_bytes.hpp"

#include "base/error.hpp"

#include <openssl/rand.h>

namespace pawl {

std::string random_bytes(std::size_t count) {
    std::string bytes(count, '\0');
    auto* data = reinterpret_cast<unsigned char*>(bytes.data());
    if (RAND_bytes(data, static_cast<int>(count)) != 1) {
        throw Failure({Errc::internal, "OpenSSL gave no random bytes", {}});
    }
    return bytes;
}

}  // namespace pawl
