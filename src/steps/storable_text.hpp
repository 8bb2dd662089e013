#pragma once

#include <boost/json/value.hpp>

#include <cstddef>
#include <string>
#include <string_view>

namespace pawl::steps {

// Text that Postgres can keep: valid UTF-8 without U+0000.
bool is_storable(std::string_view text);
// The same for every string and key inside a value.
bool is_storable(const boost::json::value& value);

// The value with '?' for what cannot be stored in its strings and keys.
boost::json::value storable(boost::json::value value);

// `text` with what cannot be stored replaced by '?', and cut to `bytes_max` between characters.
std::string storable(std::string_view text, std::size_t bytes_max);

}  // namespace pawl::steps
