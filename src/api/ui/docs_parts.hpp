#pragma once

#include "base/json.hpp"

#include <string>
#include <string_view>

// Pieces of the reference of the API (docs_page.hpp).
namespace pawl::api {

// A description: paragraphs, and words between backticks as code.
std::string prose(std::string_view text);

// What a `$ref` of the document stands for, else the value itself.
const json::value& resolved(const json::object& openapi, const json::value& value);

// The type of a schema in a few words, with links to the schemas that it names.
std::string type_words(const json::value& schema);

// A table of the properties of a schema; empty when it has none.
std::string properties_table(const json::object& openapi, const json::value& schema);

// A value that fits a schema: its example, its default, or one made of its properties.
json::value example_of(const json::object& openapi, const json::value& schema, int depth = 0);

}  // namespace pawl::api
