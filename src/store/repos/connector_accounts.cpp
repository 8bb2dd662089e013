#include "store/repos/connector_accounts.hpp"

#include "base/json.hpp"
#include "store/queries.gen.hpp"
#include "store/repos/vault_boxes.hpp"

#include <boost/json/serialize.hpp>
#include <fmt/core.h>

namespace pawl::store {

namespace {

std::string about(TenantId tenant, std::string_view connector, std::string_view account) {
    return fmt::format("connector/{}/{}/{}", tenant, connector, account);
}

std::string account_place(TenantId tenant, const std::vector<std::string>& names) {
    return about(tenant, names[0], names[1]);
}

json::object object_of(json::value value) {
    return value.is_object() ? std::move(value.get_object()) : json::object();
}

json::array array_of(json::value value) {
    return value.is_array() ? std::move(value.get_array()) : json::array();
}

// connector, account, channels, settings, hook_token, key_id, created_at, updated_at
ConnectorAccount account_of(TenantId tenant, const pg::Rows& rows, int row) {
    ConnectorAccount account;
    account.tenant = tenant;
    account.connector = rows.text(row, 0);
    account.account = rows.text(row, 1);
    account.channels = array_of(rows.jsonb(row, 2));
    account.settings = object_of(rows.jsonb(row, 3));
    account.hook_token = rows.text(row, 4);
    account.created_at = rows.instant(row, 6);
    account.updated_at = rows.instant(row, 7);
    return account;
}

}  // namespace

Result<json::object> ConnectorAccounts::open(const ConnectorAccount& account, const VaultBox& box)
    const {
    auto secret = vault_.open(about(account.tenant, account.connector, account.account), box);
    if (secret) {
        auto read = parse_json(*secret);
        if (read && read->is_object()) return std::move(read->get_object());
    }
    return Error{
        Errc::conflict,
        fmt::format(
            "the credentials of account '{}' of {} cannot be read: {}",
            account.account,
            account.connector,
            secret ? "they are no JSON" : secret.error().message
        ),
        {}};
}

asio::awaitable<std::optional<ConnectorAccount>> ConnectorAccounts::put(
    ConnectorAccount account, std::optional<json::object> credentials
) {
    pg::Array channels(pg::Type::text);
    for (const json::value& one : account.channels) {
        channels.add(std::string_view(one.get_string()));
    }
    pg::Params params;
    params.add(account.tenant).add(std::string_view(account.connector));
    params.add(std::string_view(account.account)).add(std::move(channels));
    if (credentials) {
        const std::string place = about(account.tenant, account.connector, account.account);
        add_box(params, vault_.close(place, json::serialize(*credentials)));
    } else {
        params.add_null().add_null().add_null();
    }
    params.add_json(account.settings).add(std::string_view(account.hook_token));
    const auto rows =
        co_await call_as(pool_, account.tenant, queries::put_account, std::move(params));
    if (rows.size() == 0) co_return std::nullopt;
    co_return account_of(account.tenant, rows, 0);
}

asio::awaitable<std::vector<ConnectorAccount>> ConnectorAccounts::list(
    TenantId tenant, std::string connector
) {
    const auto rows =
        co_await call_as(pool_, tenant, queries::list_accounts, params_of(tenant, some(connector)));
    std::vector<ConnectorAccount> all;
    for (int row = 0; row < rows.size(); ++row) all.push_back(account_of(tenant, rows, row));
    co_return all;
}

asio::awaitable<bool> ConnectorAccounts::remove(
    TenantId tenant, std::string connector, std::string account
) {
    return any_row_as(
        pool_, tenant, queries::delete_account, params_of(tenant, connector, account)
    );
}

asio::awaitable<Result<OpenAccount>> ConnectorAccounts::find(
    TenantId tenant, std::string connector, std::string account
) {
    const auto rows =
        co_await call(pool_, queries::find_account, params_of(tenant, connector, account));
    if (rows.size() == 0) {
        co_return Error{
            Errc::not_found, fmt::format("there is no account '{}' of {}", account, connector), {}};
    }
    OpenAccount found;
    found.account.tenant = tenant;
    found.account.connector = rows.text(0, 0);
    found.account.account = rows.text(0, 1);
    found.account.channels = array_of(rows.jsonb(0, 2));
    found.account.settings = object_of(rows.jsonb(0, 3));
    found.account.hook_token = rows.text(0, 4);
    auto credentials = open(found.account, box_of(rows, 0, 5));
    if (!credentials) co_return credentials.error();
    found.credentials = std::move(*credentials);
    co_return found;
}

asio::awaitable<Result<OpenAccount>> ConnectorAccounts::find_by_hook(std::string hook_token) {
    const auto rows =
        co_await call(pool_, queries::find_account_by_hook_token, params_of(hook_token));
    if (rows.size() == 0) co_return Error{Errc::not_found, "there is no such endpoint", {}};
    OpenAccount found;
    found.account.tenant = rows.int4(0, 0);
    found.account.bucket = rows.int2(0, 1);
    found.account.connector = rows.text(0, 2);
    found.account.account = rows.text(0, 3);
    found.account.channels = array_of(rows.jsonb(0, 4));
    found.account.settings = object_of(rows.jsonb(0, 5));
    found.account.hook_token = std::move(hook_token);
    auto credentials = open(found.account, box_of(rows, 0, 6));
    if (!credentials) co_return credentials.error();
    found.credentials = std::move(*credentials);
    co_return found;
}

asio::awaitable<std::vector<std::string>> ConnectorAccounts::hook_tokens(
    std::string connector, std::string merchant, std::string receiver, int limit
) {
    const auto rows = co_await call(
        pool_, queries::hook_tokens, params_of(connector, some(merchant), some(receiver), limit)
    );
    std::vector<std::string> tokens;
    for (int row = 0; row < rows.size(); ++row) tokens.push_back(rows.text(row, 0));
    co_return tokens;
}

asio::awaitable<int> ConnectorAccounts::rotate() {
    const BoxTable table{
        queries::other_accounts,
        queries::replace_account_box,
        {"connector", "account"},
        account_place};
    return rotate_boxes(pool_, vault_, table);
}

}  // namespace pawl::store
