#pragma once

#include <string_view>

namespace pawl {

// Why a step may not set this header of its request; empty when it may. A request must not control
// the connection, which others share, and only its url, which is checked, chooses the receiver.
std::string_view header_refusal(std::string_view name);

}  // namespace pawl
