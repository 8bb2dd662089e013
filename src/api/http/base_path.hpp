#pragma once

#include <string>
#include <string_view>

namespace pawl::api {

// The target of a request without the base path, where it has it: a proxy may have taken it off.
std::string without_base(std::string target, std::string_view base_path);

}  // namespace pawl::api
