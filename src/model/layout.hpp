#pragma once

#include <boost/json/value.hpp>

#include <string_view>

namespace pawl {

// Where an editor draws the nodes: the `layout` of a definition that can be read, which is no part
// of the version. Null: it says nothing about that.
boost::json::value layout_of(std::string_view definition);

}  // namespace pawl
