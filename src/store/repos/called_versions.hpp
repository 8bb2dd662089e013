#pragma once

#include "model/definition.hpp"
#include "store/repos/version_store.hpp"
#include "store/store.hpp"

#include <optional>

namespace pawl::store {

// The first step that calls a version which cannot be started, as the reader of definitions would
// tell it; nothing when there is none. A version that is not active now would fail every run.
asio::awaitable<std::optional<Error>> wrong_call(
    Store& store, Versions& versions, TenantId tenant, Definition definition
);

}  // namespace pawl::store
