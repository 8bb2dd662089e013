#include "app/credentials/credential_uses.hpp"

#include "app/refusal.hpp"

namespace pawl::app {

namespace {

Error no_key() {
    return refusal(
        Errc::conflict,
        "no_secret_key",
        "this server has no key to encrypt credentials with; give it one: PAWL_SECRET_KEY"
    );
}

}  // namespace

asio::awaitable<Result<store::Credential>> put_credential(
    CredentialUses& uses, store::TenantId tenant, std::string name, std::string secret
) {
    if (!uses.vault.usable()) co_return no_key();
    co_return co_await uses.credentials.put(tenant, std::move(name), std::move(secret));
}

asio::awaitable<Result<void>> remove_credential(
    CredentialUses& uses, store::TenantId tenant, std::string name
) {
    const bool found = co_await uses.credentials.remove(tenant, name);
    if (!found)
        co_return not_found("there is no credential '" + name + "'").with("credential", name);
    co_return Result<void>();
}

asio::awaitable<Result<int>> rotate_secrets(CredentialUses& uses) {
    if (!uses.vault.usable()) co_return no_key();
    int changed = co_await uses.credentials.rotate();
    changed += co_await uses.webhooks.rotate_keys();
    changed += co_await uses.accounts.rotate();
    changed += co_await uses.hidden.rotate();
    co_return changed;
}

}  // namespace pawl::app
