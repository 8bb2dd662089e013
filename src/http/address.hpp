#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace pawl::http {

using V4Bytes = std::array<std::uint8_t, 4>;  // network order
using V6Bytes = std::array<std::uint8_t, 16>;

// Whether an address belongs to the public internet: not loopback, private, link-local, multicast,
// documentation or otherwise special (IANA special-purpose registries). A v6 address that carries
// a v4 one is judged by what it carries.
bool is_public(const V4Bytes& address);
bool is_public(const V6Bytes& address);
// Nothing when the text is not a numeric address.
std::optional<bool> is_public(std::string_view text);

}  // namespace pawl::http
