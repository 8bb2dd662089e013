#pragma once

#include "base/error.hpp"

#include <boost/json/value.hpp>

#include <string>

namespace pawl {

// The value of a YAML scalar by the core schema. `tag` is as yaml-cpp reports it: "!" for quoted
// text, "?" for a plain scalar, else an explicit tag.
Result<boost::json::value> yaml_scalar(const std::string& tag, const std::string& text);

}  // namespace pawl
