#pragma once

#include <string>
#include <string_view>

namespace pawl {

// What is wrong with a name that people know a thing by, as in "must have a character that can be
// seen"; empty: nothing. It stands in lists and sentences, so that it must show there, and must not
// turn around or break what stands beside it. Only for names that are being given: what is kept
// already stays as it is. Names of events, keys and subjects are data, and no labels.
std::string label_problem(std::string_view text);

}  // namespace pawl
