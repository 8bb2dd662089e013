#pragma once

#include "base/clock.hpp"
#include "base/ids.hpp"
#include "base/seal.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace pawl::engine {

// The ticket of a step that answers later: its holder may say, once, how the step ended.
struct CallbackTicket {
    RunId run;
    std::int16_t bucket = 0;
    std::uint32_t token = 0;
    std::uint32_t visit = 1;
    Instant expires{};
};

std::string seal_callback(const Seal& seal, const CallbackTicket& ticket);
// Nothing when it was not made by us. Whether it has expired is for the caller to see.
std::optional<CallbackTicket> open_callback(const Seal& seal, std::string_view text);

}  // namespace pawl::engine
