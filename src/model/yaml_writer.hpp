#pragma once

#include <boost/json/value.hpp>

#include <string>

namespace pawl {

// YAML for people: keys in their order, small maps and lists on one line, longer texts as blocks.
// read_document gives the same values back, and writing those gives the same bytes.
std::string to_yaml(const boost::json::value& value);

}  // namespace pawl
