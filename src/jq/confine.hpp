#pragma once

#include <cstddef>

namespace pawl::jq {

inline constexpr std::size_t memory_bytes_max = std::size_t{512} << 20;

// Takes away from this process, for good, everything but computing: it can use so much memory, read
// and write what is open already, and end. Sanitizers need more than that, so under them only part
// of it is done.
void confine();

}  // namespace pawl::jq
