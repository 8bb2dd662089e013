#pragma once

#include <string>
#include <string_view>

namespace pawl::api {

// The path of a request as logs may have it: without the query, and with "(secret)" for what opens
// something (callback tokens, keys, JSON Web Tokens), also where no route fits.
std::string log_path(std::string_view target);

}  // namespace pawl::api
