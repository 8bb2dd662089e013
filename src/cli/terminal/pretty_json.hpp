#pragma once

#include <boost/json/value.hpp>

#include <string>

namespace pawl::cli {

// JSON indented by two blanks, keys in their order.
std::string pretty(const boost::json::value& value);
// JSON on one line.
std::string compact(const boost::json::value& value);

}  // namespace pawl::cli
