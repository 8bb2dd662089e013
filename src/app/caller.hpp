#pragma once

#include "base/error.hpp"
#include "store/store.hpp"

#include <functional>
#include <optional>
#include <string>

namespace pawl::app {

namespace asio = boost::asio;

// On whose behalf a use case runs, and through which door the request came.
struct Caller {
    store::Tenant tenant;
    std::string name;          // safe to log
    bool person = false;       // has a token of their own, and acts only for themselves
    bool admin = false;        // may do everything
    std::string door = "api";  // api or cli: what runs keep as triggered_by
    std::string key;           // the same request again has the same key; empty: none
    std::string traceparent;   // of a sampled trace that the request belongs to; empty: none
};

// Under whose name the caller changes workflows.
store::Author author_of(const Caller& caller);

// The person the caller acts for: a person acts for themselves, a program for the one it names.
Result<std::string> acting_for(const Caller& caller, const std::optional<std::string>& said);

// A start that came with a key and no correlation id happens once too, when its answer was lost.
std::string correlation_for(const Caller& caller, std::string given, std::size_t index = 0);

// Something was committed that workers have to see: they look now instead of at their next poll.
using Wake = std::function<void()>;

}  // namespace pawl::app
