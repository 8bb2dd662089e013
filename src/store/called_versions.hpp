#pragma once

#include "model/definition.hpp"
#include "store/store.hpp"
#include "store/versions.hpp"

#include <optional>

namespace pawl::store {

// The first step that calls a version which cannot be started, as the reader of definitions would
// tell it; nothing when there is none. A version that is not active now would fail every run.
asio::awaitable<std::optional<Error>> wrong_call(
    Store& store, Versions& versions, TenantId tenant, Definition definition
);

}  // namespace pawl::store
