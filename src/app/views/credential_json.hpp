#pragma once

#include "base/json.hpp"
#include "store/repos/credential_store.hpp"

namespace pawl::app {

// Never its secret.
json::object to_json(const store::Credential& credential);

}  // namespace pawl::app
