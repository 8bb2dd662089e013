#include "app/jobs/job_id.hpp"

#include "base/fresh_id.hpp"
#include "base/sha256.hpp"

#include <fmt/core.h>

#include <cstring>

namespace pawl::app {

Uuid job_id(const Caller& caller, std::string_view kind) {
    if (caller.key.empty()) return fresh_id();
    const std::string hash = sha256(fmt::format("{}:{}:{}", kind, caller.tenant.id, caller.key));
    Uuid id;
    std::memcpy(id.bytes.data(), hash.data(), id.bytes.size());
    id.bytes[6] = static_cast<std::uint8_t>((id.bytes[6] & 0x0f) | 0x80);  // a version 8 uuid
    id.bytes[8] = static_cast<std::uint8_t>((id.bytes[8] & 0x3f) | 0x80);
    return id;
}

}  // namespace pawl::app
