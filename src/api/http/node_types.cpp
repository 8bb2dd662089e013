#include "api/http/node_types.hpp"

#include "api/http/merge.hpp"
#include "api/node_type_texts.gen.hpp"
#include "model/definition.hpp"
#include "model/document.hpp"

#include <algorithm>

namespace pawl::api {

namespace {

// What all of them have in common, and the others.
struct Parts {
    json::object common;
    std::vector<json::object> types;
};

Parts read_parts() {
    Parts parts;
    for (const std::string_view text : node_type_texts) {
        json::value part = to_json(read_document(text, DefinitionLimits{}).value());
        json::object& object = part.as_object();
        if (object["type"] == "") {
            parts.common = std::move(object);
        } else {
            parts.types.push_back(std::move(object));
        }
    }
    return parts;
}

json::object needs(const json::value& key) {
    return {{"required", json::array{key}}};
}

// What a step of the type may say under `config`, where its file has the keys beside the others.
json::object config_of(const json::object& part) {
    const json::object& own = part.at("schema").at("properties").as_object();
    if (part.at("type") == "wait") return own.at("wait").at("anyOf").as_array().back().as_object();
    const json::array& needed = part.at("schema").at("required").as_array();
    json::object properties;
    json::array required;
    for (const auto& [key, schema] : own) {
        const json::string_view name = key == "code" ? json::string_view("function") : key;
        properties[name] = schema;
        const json::value word = json::string(key);
        if (std::find(needed.begin(), needed.end(), word) != needed.end()) {
            required.emplace_back(json::string(name));
        }
    }
    return {
        {"type", "object"},
        {"additionalProperties", false},
        {"required", std::move(required)},
        {"properties", std::move(properties)}};
}

// One policy, or one for each of several errors.
json::object retry_schema(const json::object& policy) {
    json::object rule = policy;
    rule["required"] = json::array{"errors"};
    rule["properties"].as_object()["errors"] = {
        {"type", "array"}, {"minItems", 1}, {"items", {{"type", "string"}}}};
    json::object list{{"type", "array"}, {"minItems", 1}, {"items", std::move(rule)}};
    return {
        {"description", "How the step is retried; a list has a policy for each error"},
        {"anyOf", json::array{policy, std::move(list)}}};
}

json::array read_all() {
    const Parts parts = read_parts();
    json::array types;
    for (const json::object& part : parts.types) {
        json::object whole = parts.common;
        merge(whole, part);
        json::object& schema = whole["schema"].as_object();
        json::object& properties = schema.at("properties").as_object();
        json::array words{part.at("type")};
        if (words[0] == "http") words.emplace_back("api_call");
        properties["type"] = json::object{{"enum", std::move(words)}};
        properties["id"] = properties.at("name");
        properties["retry"] = retry_schema(properties.at("retry").as_object());
        const auto type = parse_node_type(part.at("type").as_string());
        if (type && !takes_time(*type)) properties.erase("timeout");
        json::array rules{json::object{{"anyOf", json::array{needs("id"), needs("name")}}}};
        const json::array& needed = part.at("schema").at("required").as_array();
        const bool own = part.at("schema").at("properties").as_object().contains("config");
        if (!own) {
            properties["config"] = config_of(part);
            json::object beside{{"required", needed}};
            rules.push_back(json::object{{"anyOf", json::array{needs("config"), std::move(beside)}}}
            );
        }
        schema["required"] = own ? needed : json::array();
        schema["allOf"] = std::move(rules);
        types.push_back(std::move(whole));
    }
    return types;
}

}  // namespace

const json::array& node_types() {
    static const json::array types = read_all();
    return types;
}

json::object common_node_keys() {
    return read_parts().common.at("schema").at("properties").as_object();
}

}  // namespace pawl::api
