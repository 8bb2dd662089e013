#include "cli/commands/dev_key.hpp"

#include "api/auth/principal.hpp"
#include "app/tenants/auth_key.hpp"
#include "base/sha256.hpp"
#include "cli/commands/dev_env.hpp"
#include "pg/pg_error.hpp"

namespace pawl::cli {

asio::awaitable<std::string> register_key(
    store::ApiKeys& keys, store::NewApiKey wanted, std::filesystem::path data_dir
) {
    wanted.scopes = {std::string(api::name(api::Scope::admin))};
    for (std::string text = api_key(data_dir);; text = new_api_key(data_dir)) {
        wanted.hash = sha256(text);
        wanted.prefix = app::api_key_prefix(text);
        const auto found = co_await keys.find_by_hash(wanted.hash);
        if (found && found->tenant.id == wanted.tenant) co_return text;
        if (found) continue;
        try {
            co_await keys.create(wanted);
            co_return text;
        } catch (const pg::PgError& error) {
            if (error.reaction() != pg::Reaction::conflict) throw;
        }
    }
}

}  // namespace pawl::cli
