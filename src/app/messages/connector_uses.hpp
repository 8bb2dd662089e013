#pragma once

#include "app/caller.hpp"
#include "connect/connector.hpp"
#include "store/repos/connector_accounts.hpp"
#include "store/repos/connector_definitions.hpp"
#include "store/repos/messages.hpp"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace pawl::app {

// What the use cases of connectors and their accounts work with. All of it outlives them.
struct ConnectorUses {
    store::ConnectorAccounts& accounts;
    store::ConnectorDefinitions& definitions;
    store::Messages& messages;
    const Vault& vault;                     // what credentials are encrypted with
    std::function<void()> changed = [] {};  // what was kept of them in memory does not count
};

using ConnectorPtr = std::shared_ptr<const connect::Connector>;

// A connector of the tenant's own, or one that comes with Pawl.
struct ShownConnector {
    ConnectorPtr connector;
    json::value definition;  // of the tenant's own; null: it comes with Pawl
};

// The connector that a tenant means by a name. Errc::not_found, or why its own cannot be read.
asio::awaitable<Result<ShownConnector>> find_connector(
    store::Messages& messages, store::TenantId tenant, std::string name
);
// By name.
asio::awaitable<std::vector<ShownConnector>> list_connectors(
    ConnectorUses& uses, store::TenantId tenant
);

// YAML or JSON. Refuses all that is wrong with it, and names that are taken by Pawl's own.
asio::awaitable<Result<ShownConnector>> put_connector(
    ConnectorUses& uses, store::TenantId tenant, std::string name, std::string text
);
// Refused while it has accounts.
asio::awaitable<Result<void>> remove_connector(
    ConnectorUses& uses, store::TenantId tenant, std::string name
);

// "messages[0].text" as a JSON pointer: "/messages/0/text".
std::string pointer_to_place(std::string_view place);

}  // namespace pawl::app
