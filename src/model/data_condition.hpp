#pragma once

#include "base/error.hpp"
#include "model/condition.hpp"

#include <cstddef>
#include <string_view>

namespace pawl {

inline constexpr std::size_t data_condition_max = 500;  // bytes of one
inline constexpr std::size_t data_conditions_max = 10;  // in one filter

// Reads a condition on the input of a run, as people type it: data.total>100,
// data.items[0].sku=A-7, data.name="Ann B". What reads as a JSON number, text, true, false or null
// is that; anything else is text. The error says what to write instead. The path begins with
// "data".
Result<Comparison> read_data_condition(std::string_view text);

// Whether the input of a run meets it, as conditions of steps do.
bool meets(const boost::json::value& input, const Comparison& condition);

}  // namespace pawl
