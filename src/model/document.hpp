#pragma once

#include "base/error.hpp"
#include "model/definition.hpp"
#include "model/problems.hpp"

#include <boost/json/value.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace pawl {

// A JSON-like tree in which every value knows its line, so that errors can point at it. Keys keep
// their order.
struct Document {
    enum class Kind { scalar, list, map };
    struct Member;

    Kind kind = Kind::scalar;
    int line = 0;               // 1-based; 0 when unknown (the tree came from JSON values)
    boost::json::value scalar;  // null, a boolean, a number or text
    std::vector<Document> items;
    std::vector<Member> members;

    const Document* find(std::string_view key) const;
    bool is_text() const { return kind == Kind::scalar && scalar.is_string(); }
    std::string_view text() const;  // empty when it is not text
};
struct Document::Member {
    std::string key;
    int line = 0;
    Document value;
};

// Reads one YAML or JSON document within the limits; duplicate keys are refused.
Result<Document> read_document(std::string_view text, DefinitionLimits limits);

Document document_from_json(const boost::json::value& value);
boost::json::value to_json(const Document& document);

// The error for one place: "line 4, steps[1].retry: must be ...".
Error error_at(int line, std::string_view path, std::string_view what);
// The place and the message of an error without a path, as read_document gives them.
Problem problem_of(const Error& error);

}  // namespace pawl
