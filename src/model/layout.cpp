#include "model/layout.hpp"

#include "model/document.hpp"

namespace pawl {

boost::json::value layout_of(std::string_view definition) {
    // Most have none, and are not read twice for it.
    if (definition.find("layout") == definition.npos) return nullptr;
    const auto document = read_document(definition, DefinitionLimits{});
    const Document* layout = document ? document->find("layout") : nullptr;
    return layout == nullptr ? boost::json::value() : to_json(*layout);
}

}  // namespace pawl
