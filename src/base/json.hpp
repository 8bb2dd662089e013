#pragma once

#include "base/error.hpp"

#include <boost/json/value.hpp>

#include <cstddef>
#include <string_view>

namespace pawl {

namespace json = boost::json;

// What we accept from outside. Postgres jsonb cannot hold U+0000, so it is refused here with a
// clear word.
struct JsonLimits {
    std::size_t bytes_max = 1 << 20;
    std::size_t depth_max = 64;
};

// Parses one JSON document within the limits. The error says where (byte offset) and what.
Result<json::value> parse_json(std::string_view text, JsonLimits limits = {});

// The member `key` of an object, or null when absent or not an object.
const json::value* find(const json::value& object, std::string_view key);

}  // namespace pawl
