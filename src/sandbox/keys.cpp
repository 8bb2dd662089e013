#include "sandbox/keys.hpp"

#include "base/base64.hpp"
#include "base/error.hpp"
#include "connect/openssl_handles.hpp"

#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/rsa.h>
#include <openssl/x509.h>

#include <memory>

namespace pawl::sandbox {

namespace {

using connect::DigestHandle;
using connect::KeyHandle;
using connect::MemoryHandle;

[[noreturn]] void fail() {
    throw Failure({Errc::internal, "OpenSSL cannot use a key of the sandbox", {}});
}

KeyPair written(const KeyHandle& key) {
    const MemoryHandle memory(BIO_new(BIO_s_mem()));
    if (!key || !memory ||
        PEM_write_bio_PrivateKey(memory.get(), key.get(), nullptr, nullptr, 0, nullptr, nullptr) !=
            1) {
        fail();
    }
    char* text = nullptr;
    const long size = BIO_get_mem_data(memory.get(), &text);
    KeyPair pair;
    pair.private_pem.assign(text, static_cast<std::size_t>(size));
    unsigned char* der = nullptr;
    const int length = i2d_PUBKEY(key.get(), &der);
    if (length <= 0) fail();
    const std::string_view bytes(reinterpret_cast<char*>(der), static_cast<std::size_t>(length));
    pair.public_base64 = to_base64(bytes);
    OPENSSL_free(der);
    return pair;
}

KeyHandle read(std::string_view pem) {
    const MemoryHandle memory(BIO_new_mem_buf(pem.data(), static_cast<int>(pem.size())));
    KeyHandle key(PEM_read_bio_PrivateKey(memory.get(), nullptr, nullptr, nullptr));
    if (!key) fail();
    return key;
}

const unsigned char* raw(std::string_view text) {
    return reinterpret_cast<const unsigned char*>(text.data());
}

}  // namespace

KeyPair new_ec_key() {
    return written(KeyHandle(EVP_EC_gen("P-256")));
}

KeyPair new_rsa_key() {
    constexpr std::size_t bits = 2048;
    return written(KeyHandle(EVP_RSA_gen(bits)));
}

std::string sign_ecdsa(std::string_view private_pem, std::string_view text) {
    const KeyHandle key = read(private_pem);
    const DigestHandle digest(EVP_MD_CTX_new());
    std::size_t size = static_cast<std::size_t>(EVP_PKEY_size(key.get()));
    std::string out(size, '\0');
    auto* to = reinterpret_cast<unsigned char*>(out.data());
    if (!digest ||
        EVP_DigestSignInit(digest.get(), nullptr, EVP_sha256(), nullptr, key.get()) != 1 ||
        EVP_DigestSign(digest.get(), to, &size, raw(text), text.size()) != 1) {
        fail();
    }
    out.resize(size);
    return out;
}

bool is_signed_rs256(
    std::string_view private_pem, std::string_view text, std::string_view signature
) {
    const KeyHandle key = read(private_pem);
    const DigestHandle digest(EVP_MD_CTX_new());
    return digest &&
           EVP_DigestVerifyInit(digest.get(), nullptr, EVP_sha256(), nullptr, key.get()) == 1 &&
           EVP_DigestVerify(
               digest.get(), raw(signature), signature.size(), raw(text), text.size()
           ) == 1;
}

}  // namespace pawl::sandbox
