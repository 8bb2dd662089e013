#include "api/ui/docs_parts.hpp"

#include "base/exact_json.hpp"
#include "base/html.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace pawl::api {

namespace {

constexpr int depth_max = 5;
constexpr std::string_view schemas_at = "#/components/schemas/";

std::string with_code(std::string_view text) {
    std::string out;
    bool code = false;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('`'), text.size());
        out += escape_html(text.substr(0, end));
        if (end == text.size()) break;
        out += code ? "</code>" : "<code>";
        code = !code;
        text.remove_prefix(end + 1);
    }
    if (code) out += "</code>";
    return out;
}

std::string_view ref_of(const json::value& value) {
    return text_in(value, "$ref");
}

bool requires_key(const json::value& schema, std::string_view key) {
    const json::value* required = find(schema, "required");
    if (required == nullptr || !required->is_array()) return false;
    const json::array& keys = required->get_array();
    return std::find(keys.begin(), keys.end(), json::value(json::string(key))) != keys.end();
}

// "string or null", "one of a, b"
std::string plain_type(const json::value& schema) {
    if (const json::value* choices = find(schema, "enum"); choices && choices->is_array()) {
        std::string words;
        for (const json::value& one : choices->get_array()) {
            words += (words.empty() ? "" : ", ") + escape_html(plain_json(one));
        }
        return words;
    }
    const json::value* type = find(schema, "type");
    if (type == nullptr) return "";
    if (type->is_string()) return escape_html(type->get_string());
    std::string words;
    if (!type->is_array()) return words;
    for (const json::value& one : type->get_array()) {
        words += (words.empty() ? "" : " or ") +
                 escape_html(one.is_string() ? std::string_view(one.get_string()) : "");
    }
    return words;
}

// Limits that a caller should know.
std::string limits_of(const json::value& schema) {
    std::string words;
    for (const std::string_view key :
         {"format",
          "minimum",
          "maximum",
          "minLength",
          "maxLength",
          "minItems",
          "maxItems",
          "pattern",
          "default"}) {
        const json::value* limit = find(schema, key);
        if (limit == nullptr) continue;
        const std::string text =
            limit->is_string() ? std::string(limit->get_string()) : plain_json(*limit);
        words += fmt::format(" <span class=\"note\">{} {}</span>", key, escape_html(text));
    }
    return words;
}

}  // namespace

std::string prose(std::string_view text) {
    std::string out;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find("\n\n"), text.size());
        out += "<p>" + with_code(text.substr(0, end)) + "</p>\n";
        text.remove_prefix(std::min(end + 2, text.size()));
    }
    return out;
}

const json::value& resolved(const json::object& openapi, const json::value& value) {
    std::string_view ref = ref_of(value);
    if (!ref.starts_with("#/")) return value;
    ref.remove_prefix(2);
    const json::object* object = &openapi;
    const json::value* found = nullptr;
    while (!ref.empty() && object != nullptr) {
        const std::size_t end = std::min(ref.find('/'), ref.size());
        found = object->if_contains(ref.substr(0, end));
        object = found == nullptr ? nullptr : found->if_object();
        ref.remove_prefix(std::min(end + 1, ref.size()));
    }
    return found == nullptr ? value : *found;
}

std::string type_words(const json::value& schema) {
    if (const std::string_view ref = ref_of(schema); !ref.empty()) {
        const std::string name = escape_html(ref.substr(ref.rfind('/') + 1));
        if (!ref.starts_with(schemas_at)) return name;
        return fmt::format("<a href=\"#schema-{0}\">{0}</a>", name);
    }
    for (const std::string_view key : {"oneOf", "anyOf", "allOf"}) {
        const json::value* list = find(schema, key);
        if (list == nullptr || !list->is_array()) continue;
        std::string words;
        for (const json::value& one : list->get_array()) {
            words += (words.empty() ? "" : key == "allOf" ? " and " : " or ") + type_words(one);
        }
        return words;
    }
    const json::value* items = find(schema, "items");
    if (items != nullptr) return "list of " + type_words(*items);
    return plain_type(schema) + limits_of(schema);
}

std::string properties_table(const json::object& openapi, const json::value& given) {
    const json::value& schema = resolved(openapi, given);
    std::string rows;
    if (const json::value* parts = find(schema, "allOf"); parts && parts->is_array()) {
        for (const json::value& part : parts->get_array()) rows += properties_table(openapi, part);
        return rows;
    }
    const json::value* properties = find(schema, "properties");
    if (properties == nullptr || !properties->is_object()) return rows;
    for (const auto& [key, part] : properties->get_object()) {
        std::string_view words = text_in(part, "description");
        if (words.empty()) words = text_in(resolved(openapi, part), "description");
        rows += fmt::format(
            "<tr><td><code>{}</code>{}</td><td>{}</td><td>{}</td></tr>\n",
            escape_html(key),
            requires_key(schema, key) ? " <span class=\"note\">required</span>" : "",
            type_words(part),
            with_code(words)
        );
    }
    return "<table>\n<thead><tr><th>Name</th><th>Type</th><th>Meaning</th></tr></"
           "thead>\n<tbody>\n" +
           rows + "</tbody></table>\n";
}

json::value example_of(const json::object& openapi, const json::value& given, int depth) {
    const json::value& schema = resolved(openapi, given);
    for (const std::string_view key : {"example", "const", "default"}) {
        if (const json::value* value = find(schema, key)) return *value;
    }
    for (const std::string_view key : {"examples", "enum"}) {
        const json::value* list = find(schema, key);
        if (list != nullptr && list->is_array() && !list->get_array().empty()) {
            return list->get_array().front();
        }
    }
    if (depth > depth_max) return nullptr;
    for (const std::string_view key : {"oneOf", "anyOf", "allOf"}) {
        const json::value* list = find(schema, key);
        if (list == nullptr || !list->is_array() || list->get_array().empty()) continue;
        return example_of(openapi, list->get_array().front(), depth + 1);
    }
    if (const json::value* properties = find(schema, "properties");
        properties != nullptr && properties->is_object()) {
        json::object object;
        for (const auto& [name, part] : properties->get_object()) {
            object[name] = example_of(openapi, part, depth + 1);
        }
        return object;
    }
    const std::string type = plain_type(schema);
    if (type.starts_with("array")) return json::array();
    if (type.starts_with("object")) return json::object();
    if (type.starts_with("integer") || type.starts_with("number")) return 1;
    if (type.starts_with("boolean")) return true;
    const std::string_view format = text_in(schema, "format");
    if (format == "date-time") return "2026-01-31T09:00:00Z";
    if (format == "uuid") return "0190b5d2-7a3c-7c4e-9f00-3b1d5a6e7f80";
    return "text";
}

}  // namespace pawl::api
