#include "store/repos/api_keys.hpp"

#include "pg/row_reader.hpp"
#include "store/pg/tenant_call.hpp"
#include "store/queries.gen.hpp"

namespace pawl::store {

std::vector<std::string> scope_words(std::string_view text) {
    std::vector<std::string> found;
    while (!text.empty()) {
        const auto end = std::min(text.find(' '), text.size());
        found.emplace_back(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return found;
}

ApiKey api_key_of(const pg::Rows& rows, int row) {
    ApiKey key;
    std::string scopes;
    pg::RowReader(rows, row) >> key.id >> key.tenant.id >> key.tenant.bucket >> key.name >>
        key.prefix >> scopes >> key.created_at >> key.expires_at >> key.revoked_at >>
        key.last_used_at >> key.role;
    key.scopes = scope_words(scopes);
    return key;
}

asio::awaitable<json::value> ApiKeys::names(
    std::int32_t tenant, std::vector<std::string> prefixes
) {
    pg::Array list(pg::Type::text);
    for (const std::string& one : prefixes) list.add(std::string_view(one));
    const auto rows =
        co_await call_as(pool_, tenant, queries::key_names, params_of(tenant, std::move(list)));
    if (rows.is_null(0, 0)) co_return json::value();
    co_return rows.jsonb(0, 0);
}

asio::awaitable<ApiKey> ApiKeys::create(NewApiKey key) {
    pg::Array scopes(pg::Type::text);
    for (const std::string& scope : key.scopes) scopes.add(std::string_view(scope));
    pg::Params params;
    params.add(key.tenant).add(std::string_view(key.name)).add(std::string_view(key.prefix));
    params.add(std::string_view(key.hash)).add(std::move(scopes)).add(key.expires_at);
    params.add(some(key.role));
    const auto rows = co_await call(pool_, queries::create_api_key, std::move(params));
    ApiKey made;
    made.id = rows.int4(0, 0);
    made.tenant = {key.tenant, rows.int2(0, 2)};
    made.name = std::move(key.name);
    made.prefix = std::move(key.prefix);
    made.scopes = std::move(key.scopes);
    made.created_at = rows.instant(0, 1);
    made.expires_at = key.expires_at;
    made.role = std::move(key.role);
    co_return made;
}

asio::awaitable<std::optional<ApiKey>> ApiKeys::find_by_hash(std::string hash) {
    const auto rows = co_await call(pool_, queries::find_api_key, params_of(hash));
    co_return pg::first_row(rows, api_key_of);
}

asio::awaitable<std::vector<ApiKey>> ApiKeys::list(std::int32_t tenant) {
    const auto rows = co_await call(pool_, queries::list_api_keys, params_of(tenant));
    co_return pg::all_rows(rows, api_key_of);
}

asio::awaitable<bool> ApiKeys::revoke(std::int32_t tenant, std::string prefix_or_id) {
    const auto rows =
        co_await call(pool_, queries::revoke_api_key, params_of(tenant, prefix_or_id));
    const auto fitting = rows.int8(0, 0);
    if (fitting > 1) {
        throw Failure(
            {Errc::conflict,
             "several keys have this prefix; name the one to revoke by its id",
             {{"prefix", prefix_or_id}}}
        );
    }
    co_return fitting == 1;
}

asio::awaitable<void> ApiKeys::touch(std::int32_t id) {
    co_await call(pool_, queries::touch_api_key, params_of(id));
}

asio::awaitable<bool> ApiKeys::any_exist() {
    const auto rows = co_await call(pool_, queries::any_api_key, pg::Params());
    co_return rows.boolean(0, 0);
}

asio::awaitable<std::optional<TenantNow>> ApiKeys::find_tenant(std::string name) {
    const auto rows = co_await call(pool_, queries::find_tenant, params_of(name));
    if (rows.size() == 0) co_return std::nullopt;
    co_return TenantNow{{rows.int4(0, 0), rows.int2(0, 1)}, rows.instant(0, 2), name};
}

asio::awaitable<TenantNow> ApiKeys::tenant_now(std::int32_t id) {
    const auto rows = co_await call(pool_, queries::find_tenant_by_id, params_of(id));
    if (rows.size() == 0)
        throw Failure({Errc::not_found, "the tenant does not exist any more", {}});
    co_return TenantNow{{rows.int4(0, 0), rows.int2(0, 1)}, rows.instant(0, 2), rows.text(0, 3)};
}

}  // namespace pawl::store
