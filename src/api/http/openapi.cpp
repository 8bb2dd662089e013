#include "api/http/openapi.hpp"

#include "api/http/merge.hpp"
#include "api/openapi_texts.gen.hpp"
#include "model/document.hpp"

namespace pawl::api {

namespace {

json::object read_all() {
    json::object whole;
    for (const std::string_view text : openapi_texts) {
        const json::value part = to_json(read_document(text, DefinitionLimits{}).value());
        merge(whole, part.as_object());
    }
    return whole;
}

}  // namespace

const json::object& openapi() {
    static const json::object document = read_all();
    return document;
}

}  // namespace pawl::api
