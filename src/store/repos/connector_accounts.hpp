#pragma once

#include "base/vault.hpp"
#include "pg/pool.hpp"
#include "store/store.hpp"

#include <optional>
#include <string>
#include <vector>

namespace pawl::store {

// An account of a tenant at a provider, without its credentials.
struct ConnectorAccount {
    TenantId tenant = 1;
    Bucket bucket = 0;
    std::string connector;
    std::string account;
    json::array channels;
    json::object settings;
    std::string hook_token;
    Instant created_at{};
    Instant updated_at{};
};

// One whose credentials were opened. Never logged.
struct OpenAccount {
    ConnectorAccount account;
    json::object credentials;
};

// pawl.connector_account: encrypted before it leaves this process. The pool and the vault must
// outlive it.
class ConnectorAccounts {
public:
    ConnectorAccounts(pg::Pool& pool, const Vault& vault) : pool_(pool), vault_(vault) {}

    // Without credentials those that are there stay. `account.hook_token` is for a new account.
    // Nothing: there is none whose credentials could stay. The vault must be usable.
    asio::awaitable<std::optional<ConnectorAccount>> put(
        ConnectorAccount account, std::optional<json::object> credentials
    );
    // An empty connector: of all of them.
    asio::awaitable<std::vector<ConnectorAccount>> list(TenantId tenant, std::string connector);
    asio::awaitable<bool> remove(TenantId tenant, std::string connector, std::string account);
    // Errc::not_found, or why it cannot be read here.
    asio::awaitable<Result<OpenAccount>> find(
        TenantId tenant, std::string connector, std::string account
    );
    asio::awaitable<Result<OpenAccount>> find_by_hook(std::string hook_token);
    // Endpoints of accounts of a connector, of one merchant (the name or organization of a tenant;
    // empty: of all), with those first that expect calls to this receiver.
    asio::awaitable<std::vector<std::string>> hook_tokens(
        std::string connector, std::string merchant, std::string receiver, int limit
    );
    // Encrypts everything again that is not under the vault's first key; returns how many.
    asio::awaitable<int> rotate();

private:
    Result<json::object> open(const ConnectorAccount& account, const VaultBox& box) const;

    pg::Pool& pool_;
    const Vault& vault_;
};

}  // namespace pawl::store
