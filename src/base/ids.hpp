#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <cstring>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace pawl {

// 16 raw bytes in network order, so that byte order is time order for UUIDv7.
struct Uuid {
    std::array<std::uint8_t, 16> bytes{};
    auto operator<=>(const Uuid&) const = default;
    bool is_nil() const { return *this == Uuid{}; }
};

std::string to_string(const Uuid& uuid);
// Accepts the canonical 36-character form only.
std::optional<Uuid> parse_uuid(std::string_view text);

// Distinct id types: a WorkerId never passes for a RunId.
template <class Tag>
struct Id {
    Uuid uuid;
    auto operator<=>(const Id&) const = default;
};

using RunId = Id<struct RunTag>;
using WorkerId = Id<struct WorkerTag>;

template <class Tag>
std::string to_string(const Id<Tag>& id) {
    return to_string(id.uuid);
}

// A UUIDv7 from its parts; pure, so tests and the simulator own time and randomness.
Uuid make_uuid7(std::uint64_t unix_ms, std::uint16_t rand_a, std::uint64_t rand_b);
std::uint64_t unix_ms_of(const Uuid& uuid7);

}  // namespace pawl

template <class Tag>
struct std::hash<pawl::Id<Tag>> {
    std::size_t operator()(const pawl::Id<Tag>& id) const noexcept {
        // The low half of a v7 uuid is random (or a counter): good enough spread without mixing.
        std::uint64_t low = 0;
        std::memcpy(&low, id.uuid.bytes.data() + 8, sizeof low);
        return static_cast<std::size_t>(low * 0x9e3779b97f4a7c15ULL);
    }
};
