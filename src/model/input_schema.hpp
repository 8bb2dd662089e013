#pragma once

#include "base/error.hpp"

#include <boost/json/value.hpp>

#include <string_view>

namespace pawl {

// The schema of what a start brings (`input_schema` of a definition). The database checks the
// starts that it is asked for by itself (pawl.schema_problems), with the same verdict and words.

// Whether check_fits and the database both understand it; the error names the place in it.
Result<void> check_input_schema(const boost::json::value& schema);

// "input.age: must be at least 18 (and 2 more)". The context has every place that does not fit: a
// JSON pointer into the input, and what is wrong there.
Result<void> check_fits(const boost::json::value& schema, const boost::json::value& input);

// Whether every input that fits has this member.
bool requires_member(const boost::json::value& schema, std::string_view name);

}  // namespace pawl
