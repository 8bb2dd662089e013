#pragma once

#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace pawl::steps {

namespace json = boost::json;

// Some of what is known of a person may be used by messages and conditions, and must not reach what
// is kept or shown (pawl.redact). pawl.read_persons names these columns in a member of the person.
inline constexpr std::string_view redacted_member = "pawl.redacted";

// Empty: none.
std::vector<std::string> redacted_columns(const json::value& person);
// Without the values of those columns.
json::value without_redacted(json::value person);
// The first of those columns that a config asks for, in placeholders and paths; empty: none.
std::string redacted_use(const json::value& written, const std::vector<std::string>& columns);

}  // namespace pawl::steps
