#pragma once

#include <boost/json/value.hpp>

#include <optional>
#include <string>
#include <vector>

namespace pawl {

// One value that is not the same on both sides; nothing where it is absent.
struct FieldChange {
    std::string path;  // "config.url", "items[2]"; empty: the whole
    std::optional<boost::json::value> before;
    std::optional<boost::json::value> after;
};

// Every difference between two values, down to the members of maps and to the items of lists of the
// same length.
std::vector<FieldChange> json_changes(
    const boost::json::value& before, const boost::json::value& after
);

// What `wanted` says and `whole` does not: members that `wanted` does not name do not count.
std::vector<FieldChange> json_missing(
    const boost::json::value& wanted, const boost::json::value& whole
);

}  // namespace pawl
