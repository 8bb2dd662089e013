#pragma once

#include "base/json.hpp"
#include "store/repos/api_keys.hpp"
#include "store/repos/tenants.hpp"

namespace pawl::app {

json::object to_json(const store::TenantDetails& tenant);

// A key as it is at this moment of the database; never its text.
json::object to_json(const store::ApiKey& key, Instant now);
// active, expired or revoked.
std::string status_of(const store::ApiKey& key, Instant now);

}  // namespace pawl::app
