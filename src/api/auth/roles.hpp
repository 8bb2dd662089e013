#pragma once

#include "api/auth/principal.hpp"

#include <array>
#include <string_view>

namespace pawl::api {

// Named sets of scopes, for keys and for people: who looks, who keeps runs going, who writes
// workflows, who decides tasks, who may do everything.
inline constexpr std::array<std::string_view, 5> role_names{
    "viewer", "operator", "editor", "approver", "admin"};

// Nothing for a name that is none of them.
ScopeSet scopes_of_role(std::string_view role);

// "unknown role 'edit', did you mean 'editor'?"
Result<std::string> parse_role(std::string_view text);

}  // namespace pawl::api
