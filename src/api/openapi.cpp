#include "api/openapi.hpp"

#include "api/texts.gen.hpp"
#include "model/document.hpp"

namespace pawl::api {

namespace {

// Objects are merged member by member; of anything else there is only one.
void merge(json::object& into, json::object from) {
    for (auto& [key, value] : from) {
        json::value& place = into[key];
        if (place.is_object() && value.is_object()) {
            merge(place.get_object(), std::move(value.get_object()));
        } else {
            place = std::move(value);
        }
    }
}

json::object read_all() {
    json::object whole;
    for (const std::string_view text : texts) {
        json::value part = to_json(read_document(text, DefinitionLimits{}).value());
        merge(whole, std::move(part.as_object()));
    }
    return whole;
}

}  // namespace

const json::object& openapi() {
    static const json::object document = read_all();
    return document;
}

}  // namespace pawl::api
