#include "base/json.hpp"
#include "model/template.hpp"

#include <boost/json/serialize.hpp>

#include <array>
#include <charconv>
#include <cmath>

namespace pawl {

namespace {

// Boost writes 19.99 as 1.999E1; people read these texts.
void append_number(std::string& out, double number) {
    if (!std::isfinite(number)) {
        out += "null";
        return;
    }
    std::array<char, 32> buffer;
    const auto done = std::to_chars(buffer.data(), buffer.data() + buffer.size(), number);
    out.append(buffer.data(), done.ptr);
}

void append_json(std::string& out, const json::value& value) {
    switch (value.kind()) {
        case json::kind::double_: append_number(out, value.get_double()); return;
        case json::kind::array: {
            char separator = '[';
            for (const json::value& item : value.get_array()) {
                out += separator;
                append_json(out, item);
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
                append_json(out, item);
                separator = ',';
            }
            out += separator == '{' ? "{}" : "}";
            return;
        }
        default: out += json::serialize(value); return;
    }
}

}  // namespace

void append_text(std::string& out, const json::value& value) {
    if (const auto* text = value.if_string()) {
        out.append(text->data(), text->size());
    } else {
        append_json(out, value);
    }
}

}  // namespace pawl
