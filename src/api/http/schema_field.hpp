#pragma once

#include "api/http/schema_form.hpp"

#include <functional>

namespace pawl::api {

// How a part of a document is filled in.
enum class FieldKind { text, lines, number, flag, choice, choices, list, group, json };

// One field on its way into a page, or out of what was sent. Borrows the schema and the document.
struct Field {
    const json::object& schema;
    const json::value* value;  // of the document; null: it has none
    std::string key;
    std::string pointer;
    std::string label;
    bool required = false;
    FieldKind kind = FieldKind::text;

    std::string name() const { return "data" + pointer; }
};

// The type of a schema beside null; empty: none or several.
std::string_view type_of(const json::object& schema);
// The scalars of its enum; null: it has none.
const json::array* choices_of(const json::object& schema);
// The schema of the items of a list.
const json::object& items_of(const json::object& schema);

// Every property of a schema, in the order of the inbox: as x-order lists them, then those that are
// required as the schema lists them, then the others.
void for_each_field(
    const json::object& schema,
    const json::value& document,
    const std::string& pointer,
    int depth,
    const std::function<void(const Field&)>& each
);

// What was sent under a name.
std::vector<std::string> sent(const FormFields& fields, const std::string& name);
// What a value looks like in a field.
std::string shown_value(const json::value& value);

}  // namespace pawl::api
