#pragma once

#include "app/refusal.hpp"
#include "base/json.hpp"

#include <map>
#include <set>
#include <string>
#include <vector>

namespace pawl::app {

// {{> footer }} in a text of a template stands for the same part of the template `footer` (its
// text, its html, its subject), in the same language or the one that a reader of it would get. A
// template is kept with its partials filled in, so that each version says what was sent; the member
// `written` of its content has what its author wrote. All of it is pure.

inline constexpr std::string_view written_key = "written";

// The templates that contents ask for.
std::set<std::string> partials_in(const json::value& contents);

struct Included {
    json::object languages;
    std::vector<WrongPlace> problems;
};
// `parts`: the contents of each template that is asked for, by name, filled in themselves; what is
// not there is a problem.
Included include_partials(
    const json::object& languages, const std::map<std::string, json::object>& parts
);

// The contents as their author wrote them.
json::object as_written(json::object languages);
// What is kept: the contents filled in, with what was written where that differs.
json::object with_written(json::object filled, const json::object& languages);

}  // namespace pawl::app
