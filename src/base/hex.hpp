#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace pawl {

// Bytes in lower-case hexadecimal, two digits each.
std::string hex_of(std::span<const std::uint8_t> bytes);
std::string hex_of(std::string_view bytes);

}  // namespace pawl
