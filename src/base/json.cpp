#include "base/json.hpp"

#include "base/exact_json.hpp"

#include <boost/json/stream_parser.hpp>
#include <fmt/core.h>

#include <cmath>
#include <limits>
#include <string>

namespace pawl {

namespace {

// Less than what is read again (pg/rows.cpp), because what is kept is put into lists and events.
constexpr std::size_t kept_depth_max = 400;

// What Postgres can store and we can write and read again.
const char* refusal(const json::value& value, std::size_t depth = 0) {
    if (depth > kept_depth_max) return "it is nested too deeply";
    switch (value.kind()) {
        case json::kind::string:
            if (value.get_string().find('\0') == json::string::npos) return nullptr;
            return "a string holds U+0000, which Postgres cannot store";
        case json::kind::double_:
            if (std::isfinite(value.get_double())) return nullptr;
            return "a number is out of range";
        case json::kind::array:
            for (const auto& item : value.get_array()) {
                if (const char* why = refusal(item, depth + 1)) return why;
            }
            return nullptr;
        case json::kind::object:
            for (const auto& [key, item] : value.get_object()) {
                if (key.find('\0') != json::string_view::npos) {
                    return "a name holds U+0000, which Postgres cannot store";
                }
                if (const char* why = refusal(item, depth + 1)) return why;
            }
            return nullptr;
        default: return nullptr;
    }
}

}  // namespace

Result<json::value> parse_json(std::string_view text, JsonLimits limits) {
    if (text.size() > limits.bytes_max) {
        return Error{
            Errc::too_large,
            fmt::format("JSON is {} bytes; the limit is {} bytes", text.size(), limits.bytes_max),
            {}};
    }
    json::parse_options options;
    options.max_depth = limits.depth_max;
    json::stream_parser parser({}, options);
    json::error_code failed;
    std::size_t used = parser.write_some(text.data(), text.size(), failed);
    if (!failed && used < text.size()) {
        return Error{
            Errc::invalid,
            fmt::format("invalid JSON at byte {}: extra text after the value", used),
            {}};
    }
    if (!failed) parser.finish(failed);
    if (failed == json::error::too_deep) {
        return Error{
            Errc::invalid,
            fmt::format("invalid JSON: nested deeper than {} levels", limits.depth_max),
            {}};
    }
    if (failed) {
        return Error{
            Errc::invalid, fmt::format("invalid JSON at byte {}: {}", used, failed.message()), {}};
    }
    json::value value = parser.release();
    if (const char* why = refusal(value)) {
        // The largest doubles come out infinite when they are written with all their digits.
        const std::string shorter = with_short_numbers(text);
        if (shorter != text) return parse_json(shorter, limits);
        return Error{Errc::invalid, fmt::format("invalid JSON: {}", why), {}};
    }
    return value;
}

bool is_storable(const json::value& value) {
    return refusal(value) == nullptr;
}

const json::value* find(const json::value& object, std::string_view key) {
    const auto* map = object.if_object();
    return map == nullptr ? nullptr : map->if_contains(key);
}

std::string_view text_in(const json::object& object, std::string_view key) {
    const json::value* value = object.if_contains(key);
    const bool text = value != nullptr && value->is_string();
    return text ? std::string_view(value->get_string()) : std::string_view();
}

std::string_view text_in(const json::value& object, std::string_view key) {
    const json::object* map = object.if_object();
    return map == nullptr ? std::string_view() : text_in(*map, key);
}

std::optional<std::int64_t> whole_number(const json::value* value) {
    if (value == nullptr) return std::nullopt;
    if (const auto* number = value->if_int64()) return *number;
    const auto* number = value->if_uint64();
    if (number == nullptr || *number > std::numeric_limits<std::int64_t>::max()) {
        return std::nullopt;
    }
    return static_cast<std::int64_t>(*number);
}

}  // namespace pawl
