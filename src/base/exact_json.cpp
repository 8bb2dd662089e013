#include "base/exact_json.hpp"

#include <boost/json/serialize.hpp>
#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace pawl {

namespace {

// The least number of digits that may be too many: 2^63 has 19.
constexpr std::size_t digits_min = 19;

std::string_view without_zeros(std::string_view digits) {
    while (digits.ends_with('0')) digits.remove_suffix(1);
    return digits;
}

bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

// From the quote that opens a string to the one that closes it.
std::size_t end_of_string(std::string_view text, std::size_t at) {
    for (++at; at < text.size() && text[at] != '"'; ++at) {
        if (text[at] == '\\') ++at;
    }
    return at;
}

// The first whole number that would be another one; empty: there is none. The text is valid JSON.
std::string_view changed_number(std::string_view text) {
    for (std::size_t at = 0; at < text.size(); ++at) {
        if (text[at] == '"') {
            at = end_of_string(text, at);
            continue;
        }
        if (!is_digit(text[at])) continue;
        const std::size_t begin = at;
        while (at < text.size() && is_digit(text[at])) ++at;
        const bool whole =
            at == text.size() || (text[at] != '.' && text[at] != 'e' && text[at] != 'E');
        const std::size_t digits = at - begin;
        const bool minus = begin > 0 && text[begin - 1] == '-';
        const std::string_view number =
            text.substr(begin - (minus ? 1 : 0), digits + (minus ? 1 : 0));
        if (whole && digits >= digits_min && !is_kept_exactly(number)) return number;
        // What follows the point or the e belongs to it.
        while (!whole && at < text.size() &&
               (is_digit(text[at]) || text[at] == '.' || text[at] == 'e' || text[at] == 'E' ||
                text[at] == '+' || text[at] == '-')) {
            ++at;
        }
        --at;
    }
    return {};
}

}  // namespace

bool is_kept_exactly(std::string_view number) {
    const char* end = number.data() + number.size();
    std::int64_t small = 0;
    if (std::from_chars(number.data(), end, small).ec == std::errc()) return true;
    std::uint64_t large = 0;
    if (std::from_chars(number.data(), end, large).ec == std::errc()) return true;
    if (number.starts_with('-')) number.remove_prefix(1);
    double near = 0;
    if (std::from_chars(number.data(), end, near).ec != std::errc()) return false;
    // As programs write a double that they mean: the fewest digits, then zeros.
    char text[64];
    const auto written =
        std::to_chars(std::begin(text), std::end(text), near, std::chars_format::scientific);
    std::string digits(text, std::find(text, written.ptr, 'e'));
    std::erase(digits, '.');
    return without_zeros(digits) == without_zeros(number);
}

std::string with_short_numbers(std::string_view text) {
    std::string out;
    out.reserve(text.size());
    std::size_t at = 0;
    while (at < text.size()) {
        const std::size_t begin = at;
        if (text[at] == '"') {
            at = std::min(end_of_string(text, at) + 1, text.size());
            out += text.substr(begin, at - begin);
            continue;
        }
        if (text[at] != '-' && !is_digit(text[at])) {
            out += text[at++];
            continue;
        }
        at = std::min(text.find_first_not_of("0123456789+-.eE", at), text.size());
        const std::string_view number = text.substr(begin, at - begin);
        double near = 0;
        const auto read = std::from_chars(number.data(), number.data() + number.size(), near);
        if (number.size() <= digits_min || read.ec != std::errc()) {
            out += number;
            continue;
        }
        char shortest[64];
        const auto written = std::to_chars(std::begin(shortest), std::end(shortest), near);
        out.append(std::begin(shortest), written.ptr);
    }
    return out;
}

Result<json::value> parse_exact_json(std::string_view text, JsonLimits limits) {
    auto parsed = parse_json(text, limits);
    if (!parsed) return parsed;
    const std::string_view number = changed_number(text);
    if (number.empty()) return parsed;
    constexpr std::size_t shown_max = 40;
    return Error{
        Errc::invalid,
        fmt::format(
            "the number {}{} cannot be kept exactly; give it as text: \"{}\"",
            number.substr(0, shown_max),
            number.size() > shown_max ? "..." : "",
            number.size() > shown_max ? "..." : number
        ),
        {}};
}

namespace {

// Numbers outside this range keep their exponent.
constexpr double plain_least = 1e-6;
constexpr double plain_most = 1e15;

void append_number(std::string& out, double number) {
    if (!std::isfinite(number)) {
        out += "null";
        return;
    }
    const double size = std::abs(number);
    if (size != 0 && (size < plain_least || size >= plain_most)) {
        out += json::serialize(json::value(number));
        return;
    }
    std::array<char, 32> buffer;
    char* const end = buffer.data() + buffer.size();
    const auto done = std::to_chars(buffer.data(), end, number, std::chars_format::fixed);
    out.append(buffer.data(), done.ptr);
}

}  // namespace

void append_plain_json(std::string& out, const json::value& value) {
    switch (value.kind()) {
        case json::kind::double_: append_number(out, value.get_double()); return;
        case json::kind::array: {
            char separator = '[';
            for (const json::value& item : value.get_array()) {
                out += separator;
                append_plain_json(out, item);
                separator = ',';
            }
            out += separator == '[' ? "[]" : "]";
            return;
        }
        case json::kind::object: {
            char separator = '{';
            for (const auto& [key, item] : value.get_object()) {
                out += separator;
                out += json::serialize(key);
                out += ':';
                append_plain_json(out, item);
                separator = ',';
            }
            out += separator == '{' ? "{}" : "}";
            return;
        }
        default: out += json::serialize(value); return;
    }
}

std::string plain_json(const json::value& value) {
    std::string text;
    append_plain_json(text, value);
    return text;
}

}  // namespace pawl
