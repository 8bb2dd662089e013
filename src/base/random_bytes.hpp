#pragma once

#include <cstddef>
#include <string>

namespace pawl {

// Bytes that cannot be guessed, for keys and tokens. Throws Failure when OpenSSL has none.
std::string random_bytes(std::size_t count);

}  // namespace pawl
