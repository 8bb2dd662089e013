#pragma once

#include "app/messages/account_uses.hpp"
#include "base/json.hpp"

namespace pawl::app {

// What an account of it needs, and what it does.
json::object to_json(const ShownConnector& connector);
// Never its credentials.
json::object to_json(const store::ConnectorAccount& account, const std::string& public_url);

}  // namespace pawl::app
