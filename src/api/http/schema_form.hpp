#pragma once

#include "base/json.hpp"

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace pawl::api {

// Fields of a form as a browser sends them. Those of a document are called by the JSON pointer of
// their place behind "data": "data/address/city".
using FormFields = std::vector<std::pair<std::string, std::string>>;
// What is wrong, by pointer.
using FormProblems = std::map<std::string, std::string, std::less<>>;

// Whether a schema can be shown as fields: it is one of an object with properties.
bool has_fields(const json::value& schema);

// The fields for a document, as HTML that works without script: text, number, date, choice,
// checkbox; a group for an object; JSON for what is none of these. `filled` has what was typed
// before something was wrong with it; null: nothing yet. `required` is said beside fields that are.
std::string form_html(
    const json::value& schema,
    const json::value& document,
    const FormFields* filled,
    const FormProblems& wrong,
    std::string_view required = "required"
);

// The document with what was filled in: members that the schema has no field for stay as they are.
// What cannot be read (a number with letters) is put in as text, for the schema to refuse; JSON
// that cannot be read is noted in `wrong`.
json::value read_fields(
    const json::value& schema,
    const json::value& document,
    const FormFields& fields,
    FormProblems& wrong
);

}  // namespace pawl::api
