#pragma once

#include <boost/json/value.hpp>

#include <compare>

namespace pawl {

// Compares values of JSON as people expect. Numbers compare by what they are worth, whatever they
// are stored as and without rounding; texts by their bytes. Anything else is unordered, and so are
// two values of different types.
std::partial_ordering compare(const boost::json::value& left, const boost::json::value& right);

// Deep equality with the same view of numbers: 1 is 1.0, also inside lists and objects. The order
// of an object's members does not matter.
bool equal(const boost::json::value& left, const boost::json::value& right);

}  // namespace pawl
