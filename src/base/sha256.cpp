#include "base/sha256.hpp"

#include "base/error.hpp"

#include <openssl/evp.h>

#include <array>
#include <memory>

namespace pawl {

namespace {

struct Free {
    void operator()(EVP_MD_CTX* context) const { EVP_MD_CTX_free(context); }
};

// OpenSSL looks an algorithm up in its providers each time it is named, which takes longer than a
// short text: once is enough.
const EVP_MD* digest_of_sha256() {
    static const EVP_MD* const found = EVP_MD_fetch(nullptr, "SHA256", nullptr);
    return found;
}

}  // namespace

std::string sha256(std::initializer_list<std::string_view> parts) {
    thread_local const std::unique_ptr<EVP_MD_CTX, Free> context(EVP_MD_CTX_new());
    std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
    unsigned length = 0;
    bool done = context && EVP_DigestInit_ex2(context.get(), digest_of_sha256(), nullptr) == 1;
    for (const std::string_view part : parts) {
        done = done && EVP_DigestUpdate(context.get(), part.data(), part.size()) == 1;
    }
    if (!done || EVP_DigestFinal_ex(context.get(), digest.data(), &length) != 1) {
        throw Failure({Errc::internal, "OpenSSL cannot compute SHA-256", {}});
    }
    return {reinterpret_cast<const char*>(digest.data()), length};
}

std::string sha256(std::string_view text) {
    return sha256({text});
}

}  // namespace pawl
