#pragma once

#include <string_view>

namespace pawl {

// {{ credentials.NAME }}: a secret of the tenant, in the config of http and function steps. The
// planner never knows it and renders this in its place; the sender of the request puts it in.
inline constexpr std::string_view credentials_root = "credentials";
inline constexpr std::string_view hidden_text = "(secret)";

}  // namespace pawl
