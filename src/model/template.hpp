#pragma once

#include "base/error.hpp"

#include <boost/json/value.hpp>

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace pawl {

// Templates are data-only: {{ path.to[0].value }}, optionally {{ path | default: "text" }} with any
// JSON literal, used when the path is undefined or null. A string that is exactly one placeholder
// keeps the JSON type of the value; inside other text the value is rendered. Undefined is an error.
// A literal brace pair is written {{ "{{" }}.

// One path segment: a key of an object or an index of an array.
struct PathSegment {
    std::string key;
    std::size_t index = 0;
    bool is_index = false;

    bool operator==(const PathSegment&) const = default;
};
using Path = std::vector<PathSegment>;

// Finds the value of a whole path; null when it is undefined. Takes the path rather than its root
// so that a big root ("steps") need not exist as one value.
using PathLookup = std::function<const boost::json::value*(const Path& path)>;

// A key for a path: equal for equal paths only.
std::string text_of(const Path& path);

struct Placeholder {
    Path path;         // path[0] is always a key: the root
    std::string text;  // the path as written, for messages
    bool has_default = false;
};

// Whether any string in `value` holds a placeholder (or a malformed one). Cheap.
bool has_placeholder(const boost::json::value& value);

// All placeholders of every string in `value`, in reading order. Fails on malformed ones.
Result<std::vector<Placeholder>> placeholders(const boost::json::value& value);

// Follows a path from its segment `from` on; null when it leads nowhere or `value` is null.
const boost::json::value* walk(
    const boost::json::value* value, const Path& path, std::size_t from = 0
);

// Replaces every placeholder. The error lists the undefined paths. Rendered output is not rendered
// again; output is limited to 1 MiB, nesting to 32 levels.
Result<boost::json::value> render(const boost::json::value& value, const PathLookup& lookup);

// As a value appears inside text: strings bare, all else as JSON with numbers in their shortest
// exact form.
void append_text(std::string& out, const boost::json::value& value);

}  // namespace pawl
