#pragma once

#include <boost/json/object.hpp>

#include <string>

namespace pawl::draw {

// What a reader of a drawing wants to know most about a node's config, in a few words: the function
// it calls, how long it waits, what it decides by. Empty when nothing stands out.
std::string summary(const boost::json::object& config);

// A condition as people say it: "input.total > 100 and not vip".
std::string condition_text(const boost::json::value& condition);

}  // namespace pawl::draw
