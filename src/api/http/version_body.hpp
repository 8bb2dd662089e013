#pragma once

#include "api/http/body.hpp"

namespace pawl::api {

// A version in a body: a number, or a label such as 1.2.0. Empty: not given.
std::string read_version(Body& body, const json::object& object, std::string_view key = "version");

}  // namespace pawl::api
