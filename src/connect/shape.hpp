#pragma once

#include "connect/source.hpp"

#include <string>
#include <vector>

namespace pawl::connect {

// The body of a request as a connector writes it: JSON whose texts are templates. A member whose
// template gives null is left out, and so is an object that loses all its members in this way. Two
// keys of an object say when it is there at all:
//   {$when: {content.text: "*"}, type: text/plain, value: "{{ content.text }}"}
//   {$unless: {credentials.from: "MG*"}, $value: "{{ credentials.from }}"}
// With $value the object stands for that value. What a template brings in is never looked at again.

// Null where `when` or `unless` leave it out.
Result<json::value> fill_shape(const json::value& shape, const Roots& roots);

// Checks $when, $unless and templates. The error's message begins with the place.
Result<void> check_shape(const json::value& shape, const std::string& place);
// All templates in it.
std::vector<std::string> templates_in(const json::value& shape);

}  // namespace pawl::connect
