#include "api/http/definition_schema.hpp"

#include "api/definition_texts.gen.hpp"
#include "api/http/merge.hpp"
#include "api/http/node_types.hpp"
#include "model/definition.hpp"
#include "model/document.hpp"

#include <algorithm>
#include <array>
#include <map>

namespace pawl::api {

namespace {

json::object pointer(std::string_view part) {
    return {{"$ref", "#/$defs/" + std::string(part)}};
}

// The part for a type: some are called as other parts are.
std::string part_of(std::string_view type) {
    return "type_" + std::string(type);
}

json::object needs(std::string_view key) {
    return {{"required", json::array{json::string(key)}}};
}

// Where the whole schema knows a better word than the schema of a single type, which stands alone.
void point(json::object& properties) {
    static constexpr std::array<std::string_view, 7> durations{
        "timeout", "duration", "due", "remind_after", "escalate_after", "heartbeat", "max_wait"};
    const auto replace = [&](std::string_view key, std::string_view part) {
        json::value* found = properties.if_contains(key);
        if (found == nullptr || !found->is_object()) return;
        json::object better = pointer(part);
        for (const std::string_view word : {"description", "examples", "default"}) {
            if (const auto* said = found->as_object().if_contains(word)) better[word] = *said;
        }
        *found = std::move(better);
    };
    for (const std::string_view key : durations) replace(key, "template_duration");
    replace("while", "condition");
    if (properties.contains("times")) replace("until", "condition");
}

// The key that a scalar under the name of the type stands for.
std::string_view main_key(std::string_view type) {
    static const std::map<std::string_view, std::string_view> keys{
        {"code", "function"},
        {"transform", "jq"},
        {"sql", "statement"},
        {"call", "workflow"},
        {"lock", "key"},
        {"unlock", "key"},
        {"join", "mode"},
        {"foreach", "items"},
        {"loop", "times"},
        {"emit", "event"},
        {"goal", "event"},
        {"action", "action"},
        {"agent", "instructions"},
        {"human", "title"},
        {"cancel", "nodes"},
        {"exit", "status"},
        {"end", "output"},
        {"wait", "duration"}};
    const auto found = keys.find(type);
    return found == keys.end() ? "" : found->second;
}

// A step without a type is what the first of these keys says, as the reader has it.
std::vector<std::pair<std::string, std::string>> telling_keys() {
    std::vector<std::pair<std::string, std::string>> keys{
        {"code", "code"},
        {"wait", "wait"},
        {"duration", "wait"},
        {"function", "function"},
        {"http", "http"},
        {"api_call", "http"},
        {"agent", "agent"},
        {"url", "http"}};
    for (const std::string_view word : all_node_type_names()) {
        const bool first = word == "code" || word == "wait" || word == "function" ||
                           word == "http" || word == "agent";
        if (!first && word != "cancel") keys.emplace_back(word, word);
    }
    return keys;
}

// Holds for a node of the type.
json::object is_of(std::string_view type) {
    json::array before{needs("type")};
    json::object said = needs("type");
    json::array words{json::string(type)};
    if (type == "http") words.emplace_back("api_call");
    said["properties"] = json::object{{"type", json::object{{"enum", std::move(words)}}}};
    json::array ways{std::move(said)};
    for (const auto& [key, means] : telling_keys()) {
        json::object none{{"anyOf", before}};
        json::object way = needs(key);
        if (means == type) {
            way["not"] = std::move(none);
            ways.push_back(std::move(way));
        }
        before.push_back(needs(key));
    }
    return {{"anyOf", std::move(ways)}};
}

// The config stands under `config`, under the name of the type, or beside the other keys.
json::object rule_of(std::string_view type, const json::object& config) {
    json::object nested = pointer(part_of(type));
    nested["unevaluatedProperties"] = false;
    if (const auto* required = config.if_contains("required")) nested["required"] = *required;
    json::object properties{{"config", nested}};
    json::array inside{needs("config")};
    std::vector<std::string_view> words{type};
    if (type == "http") words.emplace_back("api_call");
    for (const std::string_view word : words) {
        if (type == "function") break;
        json::array forms{nested};
        const auto& known = config.at("properties").as_object();
        if (const std::string_view key = main_key(type); !key.empty()) {
            forms.push_back(known.at(key));
        }
        properties[word] = json::object{{"anyOf", std::move(forms)}};
        json::object map = needs(word);
        map["properties"] = json::object{{word, json::object{{"type", "object"}}}};
        inside.push_back(std::move(map));
    }
    json::object then{{"properties", std::move(properties)}};
    then["if"] = json::object{{"anyOf", std::move(inside)}};
    then["else"] = pointer(part_of(type));
    return {{"if", is_of(type)}, {"then", std::move(then)}};
}

json::object node_schema(json::object common, json::array rules) {
    json::object properties = std::move(common);
    point(properties);
    properties["id"] = properties.at("name");
    properties["type"].as_object()["enum"] = json::array();
    for (const std::string_view word : all_node_type_names()) {
        properties["type"].at("enum").as_array().emplace_back(json::string(word));
    }
    properties["type"].at("enum").as_array().emplace_back("api_call");
    json::object list{{"type", "array"}, {"items", pointer("retry_rule")}};
    properties["retry"] = json::object{
        {"anyOf", json::array{pointer("retry"), std::move(list)}},
        {"description", "How the step is retried; a list has a policy for each error"},
        {"examples", json::array{json::object{{"attempts", 3}}}}};
    properties["config"] = json::object{
        {"description", "The keys of its type; they may also be under the name of the type"},
        {"examples", json::array{json::object{{"duration", "2d"}}}}};
    json::object node{{"title", "Steps and nodes"}, {"type", "object"}};
    node["properties"] = std::move(properties);
    node["anyOf"] = json::array{needs("id"), needs("name")};
    node["allOf"] = std::move(rules);
    node["unevaluatedProperties"] = false;
    return node;
}

// A part of its own for what stands in a list: it has a name in the page of the documentation.
void name_items(
    json::object& parts, json::object& config, std::string_view key, json::string title
) {
    json::value* list = config.at("properties").as_object().if_contains(key);
    if (list == nullptr) return;
    json::object item = list->at("items").as_object();
    if (auto* when = item.at("properties").as_object().if_contains("when")) {
        when->as_object()["$ref"] = "#/$defs/condition";
    }
    item["title"] = title;
    const std::string part = "item_of_" + std::string(key);
    list->as_object()["items"] = pointer(part);
    parts[part] = std::move(item);
}

json::object make() {
    json::object schema;
    for (const std::string_view text : definition_texts) {
        merge(schema, to_json(read_document(text, DefinitionLimits{}).value()).as_object());
    }
    json::object& parts = schema["$defs"].as_object();
    json::object rule = parts.at("retry").at("properties").as_object();
    merge(parts["retry_rule"].at("properties").as_object(), rule);
    const json::object common = common_node_keys();
    json::array rules;
    for (const json::value& type : node_types()) {
        const std::string_view word = type.at("type").as_string();
        json::object config = type.at("schema").at("properties").at("config").as_object();
        if (word == "condition") config = parts.at("condition").as_object();
        point(config["properties"].as_object());
        name_items(parts, config, "cases", "Cases of a switch");
        name_items(parts, config, "events", "Events of a wait");
        rules.push_back(rule_of(word, config));
        // Also used beside the other keys of a node: what is too much is said there.
        config.erase("additionalProperties");
        if (auto* required = config.if_contains("required")) {
            json::value needed = std::move(*required);
            config.erase("required");
            config["x-needed"] = std::move(needed);
        }
        config["title"] = type.at("title");
        config["description"] = type.at("description");
        parts[part_of(word)] = std::move(config);
    }
    parts["node"] = node_schema(common, std::move(rules));
    return schema;
}

}  // namespace

const json::object& definition_schema() {
    static const json::object schema = make();
    return schema;
}

}  // namespace pawl::api
