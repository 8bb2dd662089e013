#pragma once

#include <string_view>

namespace pawl {

// The `format`s of JSON Schema that are checked: date, date-time, time, email, uri, uuid.
bool is_known_format(std::string_view format);

// False: the text is not of this format, which is known.
bool has_format(std::string_view format, std::string_view text);

}  // namespace pawl
