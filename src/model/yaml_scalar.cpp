#include "model/yaml_scalar.hpp"

#include "base/exact_json.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <optional>

namespace pawl {

namespace {

bool is_one_of(std::string_view text, std::initializer_list<std::string_view> words) {
    return std::find(words.begin(), words.end(), text) != words.end();
}

template <class Number>
std::optional<Number> whole(std::string_view digits, int base) {
    Number number{};
    const auto [end, failed] =
        std::from_chars(digits.data(), digits.data() + digits.size(), number, base);
    if (failed != std::errc{} || end != digits.data() + digits.size()) return std::nullopt;
    return number;
}

std::optional<json::value> whole_number(std::string_view text) {
    if (text.starts_with("0x") || text.starts_with("0o")) {
        const auto number = whole<std::uint64_t>(text.substr(2), text[1] == 'x' ? 16 : 8);
        if (!number) return std::nullopt;
        if (const auto narrow = static_cast<std::int64_t>(*number); narrow >= 0) return narrow;
        return *number;
    }
    if (const auto number = whole<std::int64_t>(text, 10)) return *number;
    if (const auto number = whole<std::uint64_t>(text, 10)) return *number;
    return std::nullopt;
}

// Nothing: it is a word. An error: it is a number that a double cannot hold.
std::optional<Result<json::value>> fraction(std::string_view text) {
    // from_chars also reads "inf" and "nan", which are words here.
    if (text.find_first_not_of("0123456789.eE+-") != text.npos) return std::nullopt;
    if (text.find_first_of("0123456789") == text.npos) return std::nullopt;
    double number = 0;
    const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (end != text.data() + text.size()) return std::nullopt;
    if (failed == std::errc::result_out_of_range) {
        return Error{
            Errc::invalid,
            fmt::format("the number {} is out of range; put it in quotes if it is text", text),
            {}};
    }
    if (failed != std::errc{}) return std::nullopt;
    return json::value(number);
}

Result<json::value> plain(const std::string& text) {
    if (is_one_of(text, {"", "~", "null", "Null", "NULL"})) return json::value();
    if (is_one_of(text, {"true", "True", "TRUE"})) return json::value(true);
    if (is_one_of(text, {"false", "False", "FALSE"})) return json::value(false);
    std::string_view unsigned_part = text;
    if (unsigned_part.starts_with('+') || unsigned_part.starts_with('-')) {
        unsigned_part.remove_prefix(1);
    }
    if (is_one_of(unsigned_part, {".inf", ".Inf", ".INF", ".nan", ".NaN", ".NAN"})) {
        return Error{Errc::invalid, fmt::format("{} has no JSON form", text), {}};
    }
    std::string_view digits = text;
    if (digits.starts_with('+')) digits.remove_prefix(1);
    if (digits.empty() || digits.front() == '+') return json::value(text);
    if (auto number = whole_number(digits)) return std::move(*number);
    const bool all_digits = unsigned_part.find_first_not_of("0123456789") == text.npos;
    if (all_digits && !is_kept_exactly(digits)) {
        return Error{
            Errc::invalid,
            fmt::format("the number {} cannot be kept exactly; put it in quotes", text),
            {}};
    }
    if (auto number = fraction(digits)) return std::move(*number);
    return json::value(text);
}

}  // namespace

Result<json::value> yaml_scalar(const std::string& tag, const std::string& text) {
    constexpr std::string_view prefix = "tag:yaml.org,2002:";
    if (tag == "!") return json::value(text);
    if (tag == "?" || tag.empty()) return plain(text);
    if (tag == std::string(prefix) + "str") return json::value(text);
    if (std::string_view(tag).starts_with(prefix)) {
        const std::string_view wanted = std::string_view(tag).substr(prefix.size());
        auto value = plain(text);
        if (!value) return value;
        const bool fits = (wanted == "int" && (value->is_int64() || value->is_uint64())) ||
                          (wanted == "float" && value->is_number()) ||
                          (wanted == "bool" && value->is_bool()) ||
                          (wanted == "null" && value->is_null());
        if (fits) return value;
    }
    return Error{Errc::invalid, fmt::format("the tag '{}' is not supported here", tag), {}};
}

}  // namespace pawl
