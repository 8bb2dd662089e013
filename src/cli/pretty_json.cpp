#include "cli/pretty_json.hpp"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>

namespace pawl::cli {

namespace json = boost::json;

namespace {

void append(std::string& out, const json::value& value, std::size_t depth);

void new_line(std::string& out, std::size_t depth) {
    out += '\n';
    out.append(depth * 2, ' ');
}

void append_array(std::string& out, const json::array& array, std::size_t depth) {
    if (array.empty()) {
        out += "[]";
        return;
    }
    out += '[';
    for (std::size_t i = 0; i < array.size(); ++i) {
        if (i > 0) out += ',';
        new_line(out, depth + 1);
        append(out, array[i], depth + 1);
    }
    new_line(out, depth);
    out += ']';
}

void append_object(std::string& out, const json::object& object, std::size_t depth) {
    if (object.empty()) {
        out += "{}";
        return;
    }
    out += '{';
    bool first = true;
    for (const auto& [key, item] : object) {
        if (!first) out += ',';
        first = false;
        new_line(out, depth + 1);
        out += json::serialize(json::string_view(key));
        out += ": ";
        append(out, item, depth + 1);
    }
    new_line(out, depth);
    out += '}';
}

// Depth is bounded by what we accept as input (base/json.hpp).
void append(std::string& out, const json::value& value, std::size_t depth) {
    if (const auto* array = value.if_array()) return append_array(out, *array, depth);
    if (const auto* object = value.if_object()) return append_object(out, *object, depth);
    out += json::serialize(value);
}

}  // namespace

std::string pretty(const json::value& value) {
    std::string out;
    append(out, value, 0);
    return out;
}

}  // namespace pawl::cli
