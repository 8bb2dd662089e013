#pragma once

#include <string_view>

namespace pawl {

// Why a step may not set this header of its request by hand; empty when it may. What belongs to the
// connection, which others use too, is not the business of one request, and who gets it is said by
// its url alone: that is what is checked.
std::string_view header_refusal(std::string_view name);

}  // namespace pawl
