#pragma once

#include "base/json.hpp"
#include "http/server.hpp"

#include <string>

namespace pawl::api {

// A model that costs nothing and always says the same: chat completions for try-outs and tests. A
// reply that must fit a schema has every text made from the last message and its other values
// fixed. Pure.
http::ServerResponse answer_chat(const json::object& request, std::uint64_t number);

}  // namespace pawl::api
