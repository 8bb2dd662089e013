#pragma once

#include "model/definition.hpp"

#include <boost/json/object.hpp>

#include <cstddef>
#include <string>
#include <string_view>

namespace pawl {

// What others are found by stands in an index of the database, and an index takes 2,700 bytes at
// most. A longer value would not be refused alone: the commit with the steps of all other runs
// would fail with it. So it is refused here, before. In bytes, not characters.
inline constexpr std::size_t name_bytes_max = 500;         // events, keys, subjects, people, groups
inline constexpr std::size_t correlation_bytes_max = 500;  // of starts, the engine's own included

// Whether templates in a config are still to be rendered: what stands in them is not known then.
enum class Names { written, rendered };

// What is wrong with the names in a step's config, as in "assignee has 10240 bytes; at most 500 are
// possible"; empty: nothing. Values that are not text count as they appear in text.
std::string name_problem(NodeType type, const boost::json::object& config, Names names);

// The same for one name.
std::string name_problem(
    std::string_view field, std::string_view name, std::size_t bytes_max = name_bytes_max
);

}  // namespace pawl
