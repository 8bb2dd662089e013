#pragma once

#include <string>
#include <string_view>

namespace pawl {

// For text and for values of attributes, in HTML and XML.
std::string escape_html(std::string_view text);

}  // namespace pawl
