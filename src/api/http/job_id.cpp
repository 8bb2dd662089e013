#include "api/http/job_id.hpp"

#include "api/auth/auth_key.hpp"
#include "base/fresh_id.hpp"

#include <fmt/core.h>

#include <cstring>

namespace pawl::api {

Uuid job_id(const Call& call, std::string_view kind) {
    if (call.idempotency_key.empty()) return fresh_id();
    const std::string hash =
        sha256(fmt::format("{}:{}:{}", kind, call.principal.tenant, call.idempotency_key));
    Uuid id;
    std::memcpy(id.bytes.data(), hash.data(), id.bytes.size());
    id.bytes[6] = static_cast<std::uint8_t>((id.bytes[6] & 0x0f) | 0x80);  // a version 8 uuid
    id.bytes[8] = static_cast<std::uint8_t>((id.bytes[8] & 0x3f) | 0x80);
    return id;
}

}  // namespace pawl::api
