#include "base/json.hpp"
#include "model/json_formats.hpp"
#include "model/json_pointer.hpp"
#include "model/json_schema.hpp"
#include "model/pattern.hpp"
#include "model/suggest.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace pawl {

namespace {

constexpr std::size_t depth_max = 32;

constexpr std::array<std::string_view, 7> types = {
    "object", "array", "string", "number", "integer", "boolean", "null"};

Error bad_schema(const std::string& pointer, std::string_view key, std::string message) {
    return {Errc::invalid, fmt::format("{}/{}: {}", pointer, key, message), {}};
}

bool is_type_name(const json::value& value) {
    return value.is_string() &&
           std::find(types.begin(), types.end(), value.get_string()) != types.end();
}

Result<void> check_schema_at(
    const json::value& schema, const std::string& pointer, std::size_t depth
);

Result<void> check_type_word(const json::value& value, const std::string& pointer) {
    const json::array one{value};
    if (value == json::array{}) return bad_schema(pointer, "type", "must have at least one type");
    for (const json::value& type : value.is_array() ? value.get_array() : one) {
        if (is_type_name(type)) continue;
        return bad_schema(
            pointer, "type", fmt::format("must be one of {}", fmt::join(types, ", "))
        );
    }
    return {};
}

Result<void> check_properties(
    const json::value& value, const std::string& pointer, std::size_t depth
) {
    if (!value.is_object()) return bad_schema(pointer, "properties", "must be an object");
    for (const auto& [key, schema] : value.get_object()) {
        auto checked = check_schema_at(schema, pointer + "/properties/" + escaped(key), depth + 1);
        if (!checked) return checked;
    }
    return {};
}

// Words whose value is simply of a kind.
Result<void> check_plain_word(
    std::string_view key, const json::value& value, const std::string& pointer
) {
    constexpr std::array<std::string_view, 9> numbers = {
        "minItems",
        "maxItems",
        "minLength",
        "maxLength",
        "minimum",
        "maximum",
        "exclusiveMinimum",
        "exclusiveMaximum",
        "multipleOf"};
    constexpr std::array<std::string_view, 11> notes = {
        "title",
        "description",
        "default",
        "examples",
        "$schema",
        "$id",
        "$comment",
        "readOnly",
        "writeOnly",
        "deprecated",
        "const"};
    if (std::find(numbers.begin(), numbers.end(), key) != numbers.end()) {
        if (value.is_number()) return {};
        return bad_schema(pointer, key, "must be a number");
    }
    if (key.starts_with("x-") || std::find(notes.begin(), notes.end(), key) != notes.end()) {
        return {};
    }
    std::vector<std::string_view> known(numbers.begin(), numbers.end());
    for (const std::string_view word :
         {"type", "enum", "const", "required", "properties", "items", "pattern", "format"}) {
        known.push_back(word);
    }
    const std::string hint = suggest(key, known);
    return bad_schema(
        pointer, key, fmt::format("is not understood{}", hint.empty() ? ": leave it out" : hint)
    );
}

// What nothing can be one of, or what names no member, was meant otherwise.
Result<void> check_list_word(
    std::string_view key, const json::value& value, const std::string& pointer
) {
    const json::array* list = value.if_array();
    if (list == nullptr) return bad_schema(pointer, key, "must be a list");
    if (key == "enum" && list->empty()) {
        return bad_schema(pointer, key, "must have at least one value");
    }
    const auto is_name = [](const json::value& item) { return item.is_string(); };
    if (key == "required" && !std::all_of(list->begin(), list->end(), is_name)) {
        return bad_schema(pointer, key, "must be a list of names");
    }
    return {};
}

Result<void> check_word(
    std::string_view key, const json::value& value, const std::string& pointer, std::size_t depth
) {
    if (key == "type") return check_type_word(value, pointer);
    if (key == "properties") return check_properties(value, pointer, depth);
    if (key == "items") return check_schema_at(value, pointer + "/items", depth + 1);
    if (key == "enum" || key == "required") return check_list_word(key, value, pointer);
    if (key == "additionalProperties") {
        if (value.is_bool()) return {};
        return bad_schema(pointer, key, "must be true or false");
    }
    if (key == "pattern") {
        if (!value.is_string()) return bad_schema(pointer, key, "must be text");
        const auto pattern = Pattern::compile(value.get_string());
        if (!pattern) return bad_schema(pointer, key, pattern.error().message);
        return {};
    }
    if (key == "format") {
        if (value.is_string() && is_known_format(value.get_string())) return {};
        return bad_schema(pointer, key, "must be date, date-time, time, email, uri or uuid");
    }
    return check_plain_word(key, value, pointer);
}

Result<void> check_schema_at(
    const json::value& schema, const std::string& pointer, std::size_t depth
) {
    if (schema.is_bool()) return {};
    if (!schema.is_object()) return Error{Errc::invalid, pointer + ": must be a JSON Schema", {}};
    if (depth > depth_max) return Error{Errc::invalid, pointer + ": is nested too deeply", {}};
    for (const auto& [key, value] : schema.get_object()) {
        auto checked = check_word(key, value, pointer, depth);
        if (!checked) return checked;
    }
    return {};
}

}  // namespace

Result<void> check_schema(const json::value& schema) {
    return check_schema_at(schema, "", 0);
}

}  // namespace pawl
