#pragma once

#include "base/json.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace pawl::sandbox {

// What a person who reads a message loads and may follow. Only addresses of this machine: nothing
// that is tried out calls others.
struct Links {
    std::vector<std::string> images;  // of its HTML
    std::vector<std::string> targets;
};

// Of all texts in the request of a message; of mail (RFC 5322) also what is in base64.
Links links_in(const json::value& request);

}  // namespace pawl::sandbox
