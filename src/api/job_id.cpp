#include "api/job_id.hpp"

#include "api/auth_key.hpp"
#include "base/clock.hpp"
#include "base/rng.hpp"

#include <fmt/core.h>

#include <cstring>

namespace pawl::api {

Uuid job_id(const Call& call, std::string_view kind) {
    Uuid id;
    if (call.idempotency_key.empty()) {
        static thread_local Rng rng;
        const std::uint64_t random = rng.next();
        const auto ms = wall_now().time_since_epoch() / std::chrono::milliseconds(1);
        return make_uuid7(
            static_cast<std::uint64_t>(ms), static_cast<std::uint16_t>(random >> 48), rng.next()
        );
    }
    const std::string hash =
        sha256(fmt::format("{}:{}:{}", kind, call.principal.tenant, call.idempotency_key));
    std::memcpy(id.bytes.data(), hash.data(), id.bytes.size());
    id.bytes[6] = static_cast<std::uint8_t>((id.bytes[6] & 0x0f) | 0x80);  // a version 8 uuid
    id.bytes[8] = static_cast<std::uint8_t>((id.bytes[8] & 0x3f) | 0x80);
    return id;
}

}  // namespace pawl::api
