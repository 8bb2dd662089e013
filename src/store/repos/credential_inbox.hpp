#pragma once

#include "base/vault.hpp"
#include "base/wrapped_secret.hpp"
#include "pg/pool.hpp"
#include "store/store.hpp"

#include <optional>
#include <string>
#include <vector>

namespace pawl::store {

// Credentials that were written with SQL and are not yet with their account. Never logged.
struct LeftCredentials {
    TenantId tenant = 1;
    std::string connector;
    std::string account;
    std::optional<json::object> settings;
    Uuid writing;
    json::object credentials;
    std::string problem;  // why they cannot be read; empty: they are read
};

// pawl.credential_inbox, and the keys that the database encrypts with. The pool and the vault must
// outlive it.
class CredentialInbox {
public:
    CredentialInbox(pg::Pool& pool, const Vault& vault) : pool_(pool), vault_(vault) {}

    // Makes a key unless there is one that this server can use. The vault must be usable.
    asio::awaitable<void> ensure_key();
    asio::awaitable<std::vector<LeftCredentials>> take(int limit);
    // They are with their account, or cannot be: then `problem` says why, and they are gone. Does
    // nothing when others were written meanwhile.
    asio::awaitable<void> finish(LeftCredentials left, std::string problem);

private:
    asio::awaitable<std::optional<std::string>> private_key(Uuid id);

    pg::Pool& pool_;
    const Vault& vault_;
    std::optional<std::pair<Uuid, std::string>> key_;  // the one that was used last
};

}  // namespace pawl::store
