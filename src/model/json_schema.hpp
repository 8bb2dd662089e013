#pragma once

#include "base/error.hpp"
#include "model/schema_words.hpp"

#include <boost/json/value.hpp>

#include <string>
#include <vector>

namespace pawl {

// One place of a document that its schema does not allow.
struct SchemaProblem {
    std::string pointer;  // JSON pointer
    std::string message;  // for the person who filled it in: "must be at least 1"

    bool operator==(const SchemaProblem&) const = default;
};

// Holds a document against a JSON Schema. Understood: type, enum, const, required, properties,
// additionalProperties (true or false), items, minItems, maxItems, minLength, maxLength, pattern,
// format (date, date-time, time, email, uri, uuid), minimum, maximum, exclusiveMinimum,
// exclusiveMaximum, multipleOf. Words that say nothing about what is allowed (title, description)
// are passed over. Reports up to 50 problems, in these words.
std::vector<SchemaProblem> check_document(
    const boost::json::value& schema,
    const boost::json::value& document,
    const SchemaWords& words = english_schema_words()
);

// Whether a schema says only what check_document understands; the error names the place in it, so
// that a form never looks stricter than it is.
Result<void> check_schema(const boost::json::value& schema);

}  // namespace pawl
