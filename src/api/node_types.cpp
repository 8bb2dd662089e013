#include "api/node_types.hpp"

#include "api/merge.hpp"
#include "api/node_type_texts.gen.hpp"
#include "model/document.hpp"

namespace pawl::api {

namespace {

json::array read_all() {
    std::vector<json::object> parts;
    json::object common;
    for (const std::string_view text : node_type_texts) {
        json::value part = to_json(read_document(text, DefinitionLimits{}).value());
        json::object& object = part.as_object();
        if (object["type"] == "") {
            common = std::move(object);
        } else {
            parts.push_back(std::move(object));
        }
    }
    json::array types;
    for (const json::object& part : parts) {
        json::object whole = common;
        merge(whole, part);
        json::object& properties = whole["schema"].at("properties").as_object();
        properties["type"] = json::object{{"const", part.at("type")}};
        types.push_back(std::move(whole));
    }
    return types;
}

}  // namespace

const json::array& node_types() {
    static const json::array types = read_all();
    return types;
}

}  // namespace pawl::api
