#include "base/canonical_json.hpp"

#include "base/exact_json.hpp"

#include <boost/json/serialize.hpp>

#include <algorithm>
#include <cmath>
#include <vector>

namespace pawl {

namespace {

// A double that is read again as a whole number is written as one.
void append_number(std::string& out, double number) {
    constexpr double below_signed = 9223372036854775808.0;     // 2^63
    constexpr double below_unsigned = 18446744073709551616.0;  // 2^64
    const bool whole = std::isfinite(number) && std::trunc(number) == number;
    if (whole && std::abs(number) < below_signed) {
        out += std::to_string(static_cast<std::int64_t>(number));
    } else if (whole && number > 0 && number < below_unsigned) {
        out += std::to_string(static_cast<std::uint64_t>(number));
    } else {
        append_plain_json(out, json::value(number));
    }
}

void append_object(std::string& out, const json::object& object) {
    std::vector<const json::key_value_pair*> members;
    members.reserve(object.size());
    for (const json::key_value_pair& member : object) members.push_back(&member);
    std::sort(members.begin(), members.end(), [](const auto* a, const auto* b) {
        if (a->key().size() != b->key().size()) return a->key().size() < b->key().size();
        return a->key() < b->key();
    });
    char separator = '{';
    for (const json::key_value_pair* member : members) {
        out += separator;
        out += json::serialize(member->key());
        out += ':';
        append_canonical_json(out, member->value());
        separator = ',';
    }
    out += separator == '{' ? "{}" : "}";
}

}  // namespace

void append_canonical_json(std::string& out, const json::value& value) {
    switch (value.kind()) {
        case json::kind::double_: append_number(out, value.get_double()); return;
        case json::kind::object: append_object(out, value.get_object()); return;
        case json::kind::array: {
            char separator = '[';
            for (const json::value& item : value.get_array()) {
                out += separator;
                append_canonical_json(out, item);
                separator = ',';
            }
            out += separator == '[' ? "[]" : "]";
            return;
        }
        default: out += json::serialize(value); return;
    }
}

std::string canonical_json(const json::value& value) {
    std::string text;
    append_canonical_json(text, value);
    return text;
}

}  // namespace pawl
