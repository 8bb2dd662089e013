#pragma once

#include "base/json.hpp"

#include <string>

namespace pawl::api {

// The reference of the API as one page: operations by tag, their parameters, bodies, answers and
// scopes, a call of each with curl, and the schemas. Works without script and without a network.
// `server` is where the API is reached, for the calls; `nonce` is that of its styles.
std::string docs_page(
    const json::object& openapi, const std::string& server, const std::string& nonce
);

}  // namespace pawl::api
