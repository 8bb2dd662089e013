#pragma once

#include <openssl/bio.h>
#include <openssl/evp.h>

#include <memory>

namespace pawl::connect {

// Things of OpenSSL that are freed with their handle.
template <auto free_it>
struct OpensslFree {
    template <class T>
    void operator()(T* thing) const {
        free_it(thing);
    }
};
using KeyHandle = std::unique_ptr<EVP_PKEY, OpensslFree<EVP_PKEY_free>>;
using DigestHandle = std::unique_ptr<EVP_MD_CTX, OpensslFree<EVP_MD_CTX_free>>;
using MemoryHandle = std::unique_ptr<BIO, OpensslFree<BIO_free>>;

}  // namespace pawl::connect
