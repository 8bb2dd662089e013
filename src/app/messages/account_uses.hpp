#pragma once

#include "app/messages/connector_uses.hpp"

#include <optional>

namespace pawl::app {

struct AccountParams {
    std::string connector;
    std::string account;
    std::optional<json::object> credentials;  // none: those that are there stay
    std::optional<json::object> settings;
};

// Checks it against the connector and keeps the credentials encrypted. A new account gets an
// endpoint for hooks of its own, which stays.
asio::awaitable<Result<store::ConnectorAccount>> put_account(
    ConnectorUses& uses, store::TenantId tenant, AccountParams params
);
// An error when there is no such connector.
asio::awaitable<Result<std::vector<store::ConnectorAccount>>> list_accounts(
    ConnectorUses& uses, store::TenantId tenant, std::string connector
);
asio::awaitable<Result<void>> remove_account(
    ConnectorUses& uses, store::TenantId tenant, std::string connector, std::string account
);

// Where the provider sends what became of messages.
std::string hook_url(const std::string& public_url, const store::ConnectorAccount& account);

}  // namespace pawl::app
