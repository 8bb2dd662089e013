#include "model/message_id.hpp"

#include "base/sha256.hpp"

#include <algorithm>
#include <string>

namespace pawl {

Uuid message_id(std::string_view idempotency_key) {
    const std::string digest = sha256(idempotency_key);
    Uuid id;
    std::copy_n(digest.begin(), id.bytes.size(), id.bytes.begin());
    // Version 8: made of something that only its maker knows.
    id.bytes[6] = static_cast<std::uint8_t>((id.bytes[6] & 0x0f) | 0x80);
    id.bytes[8] = static_cast<std::uint8_t>((id.bytes[8] & 0x3f) | 0x80);
    return id;
}

}  // namespace pawl
