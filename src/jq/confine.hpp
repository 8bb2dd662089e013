#pragma once

#include <cstddef>

namespace pawl::jq {

inline constexpr std::size_t memory_bytes_max = std::size_t{512} << 20;

// Of one child, for all its programs together. It ends by itself before that; the limit is for one
// that neither its parent nor its alarm has stopped.
inline constexpr long cpu_seconds_max = 120;

// Has the kernel kill this process with the thread that started it, however that ends. `socket` is
// the one to the parent.
void end_with_parent(int socket);

// Takes away from this process, for good, everything but computing: it can use so much memory, read
// and write what is open already, and end. Sanitizers need more than that, so under them only part
// of it is done.
void confine();

}  // namespace pawl::jq
