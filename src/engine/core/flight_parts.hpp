#pragma once

#include "engine/core/core.hpp"

#include <unordered_set>

namespace pawl::engine {

// Takes what is about these runs out of a flight: a batch that the database refuses is sent in
// parts, so that one run stops no other. A run is never divided.
Flight take_out(Flight& flight, const std::unordered_set<RunId>& runs);

// The second half of its runs; the first half stays.
Flight take_half(Flight& flight);

}  // namespace pawl::engine
