#include "api/http/node_types.hpp"

#include "api/http/merge.hpp"
#include "api/node_type_texts.gen.hpp"
#include "model/document.hpp"

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

json::array read_all() {
    const Parts parts = read_parts();
    json::array types;
    for (const json::object& part : parts.types) {
        json::object whole = parts.common;
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

json::object common_node_keys() {
    return read_parts().common.at("schema").at("properties").as_object();
}

}  // namespace pawl::api
