#pragma once

#include "app/caller.hpp"
#include "base/vault.hpp"
#include "store/repos/connector_accounts.hpp"
#include "store/repos/credential_store.hpp"
#include "store/repos/hidden_addresses.hpp"
#include "store/repos/outbox_targets.hpp"

namespace pawl::app {

// What the use cases of credentials work with. All of it outlives them.
struct CredentialUses {
    store::Credentials& credentials;
    store::OutboxTargets& webhooks;
    store::ConnectorAccounts& accounts;
    store::HiddenAddresses& hidden;
    const Vault& vault;  // what secrets are encrypted with
};

// An error when there is no key to encrypt it with. The name is one (store::is_credential_name).
asio::awaitable<Result<store::Credential>> put_credential(
    CredentialUses& uses, store::TenantId tenant, std::string name, std::string secret
);

// An error when there is none.
asio::awaitable<Result<void>> remove_credential(
    CredentialUses& uses, store::TenantId tenant, std::string name
);

// Encrypts every secret, those of webhooks and connectors too, with the first key of the vault; how
// many changed.
asio::awaitable<Result<int>> rotate_secrets(CredentialUses& uses);

}  // namespace pawl::app
