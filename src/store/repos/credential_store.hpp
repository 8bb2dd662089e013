#pragma once

#include "base/vault.hpp"
#include "pg/pool.hpp"
#include "store/store.hpp"

namespace pawl::store {

// A credential as people see it: never its secret.
struct Credential {
    std::string name;
    std::string key_id;
    Instant created_at{};
    Instant updated_at{};
};

inline constexpr std::size_t secret_bytes_max = 65536;

// pawl.credential: secrets of tenants, encrypted before they leave this process. The pool and the
// vault must outlive it.
class Credentials {
public:
    Credentials(pg::Pool& pool, const Vault& vault) : pool_(pool), vault_(vault) {}

    // The vault must be usable.
    asio::awaitable<Credential> put(TenantId tenant, std::string name, std::string secret);
    asio::awaitable<std::vector<Credential>> list(TenantId tenant);
    // False: there was none.
    asio::awaitable<bool> remove(TenantId tenant, std::string name);
    // Errc::not_found, or why it cannot be read here.
    asio::awaitable<Result<std::string>> read(TenantId tenant, std::string name);
    // Encrypts everything again that is not under the vault's first key. Returns how many; throws
    // when one of them cannot be read, and nothing is lost.
    asio::awaitable<int> rotate();

private:
    pg::Pool& pool_;
    const Vault& vault_;
};

// A letter or _, then letters, digits, _ and -.
bool is_credential_name(std::string_view name);

}  // namespace pawl::store
