#pragma once

#include "base/error.hpp"

#include <boost/json/value.hpp>

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace pawl {

// Templates are data-only: {{ path.to[0].value }}, optionally {{ path | default: "text" }}. A
// string that is exactly one placeholder keeps the JSON type of the value; inside other text the
// value is rendered. Undefined is an error.

// One path segment: a key of an object or an index of an array.
struct PathSegment {
    std::string key;
    std::size_t index = 0;
    bool is_index = false;
};
using Path = std::vector<PathSegment>;

// Resolves the root name of a path ("guest_email", "steps"); null when there is no such root.
using RootLookup = std::function<const boost::json::value*(std::string_view root)>;

struct Placeholder {
    Path path;         // path[0] is always a key: the root
    std::string text;  // as written, for messages
    bool has_default = false;
};

// All placeholders of every string in `value`, in reading order. Fails on malformed ones.
Result<std::vector<Placeholder>> placeholders(const boost::json::value& value);

// Replaces every placeholder. The error lists every undefined path. Rendered output is not rendered
// again; output is limited to 1 MiB.
Result<boost::json::value> render(const boost::json::value& value, const RootLookup& lookup);

}  // namespace pawl
