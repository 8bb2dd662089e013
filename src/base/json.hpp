#pragma once

#include "base/error.hpp"

#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
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

// Whether it can be written again: no U+0000, no number out of range.
bool is_storable(const json::value& value);

// The member `key` of an object, or null when absent or not an object.
const json::value* find(const json::value& object, std::string_view key);

// The text of the member `key`; empty when there is none. Lives as long as the object.
std::string_view text_in(const json::value& object, std::string_view key);
std::string_view text_in(const json::object& object, std::string_view key);

// A whole number, however it is held; nothing when there is none or it does not fit.
std::optional<std::int64_t> whole_number(const json::value* value);

}  // namespace pawl
