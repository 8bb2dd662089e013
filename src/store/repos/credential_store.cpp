#include "store/repos/credential_store.hpp"

#include "pg/row_reader.hpp"
#include "store/queries.gen.hpp"
#include "store/repos/vault_boxes.hpp"

#include <fmt/core.h>

#include <algorithm>

namespace pawl::store {

namespace {

std::string about(TenantId tenant, std::string_view name) {
    return fmt::format("credential/{}/{}", tenant, name);
}

std::string credential_place(TenantId tenant, const std::vector<std::string>& names) {
    return about(tenant, names[0]);
}

Credential credential_of(const pg::Rows& rows, int row) {
    return {
        std::string(rows.text(row, 0)),
        std::string(rows.text(row, 1)),
        rows.instant(row, 2),
        rows.instant(row, 3)};
}

}  // namespace

asio::awaitable<Credential> Credentials::put(
    TenantId tenant, std::string name, std::string secret
) {
    pg::Params params;
    params.add(tenant).add(std::string_view(name));
    add_box(params, vault_.close(about(tenant, name), secret));
    const auto rows = co_await call_as(pool_, tenant, queries::put_credential, std::move(params));
    co_return credential_of(rows, 0);
}

asio::awaitable<std::vector<Credential>> Credentials::list(TenantId tenant) {
    const auto rows = co_await call_as(pool_, tenant, queries::list_credentials, params_of(tenant));
    co_return pg::all_rows(rows, credential_of);
}

asio::awaitable<bool> Credentials::remove(TenantId tenant, std::string name) {
    return any_row_as(pool_, tenant, queries::delete_credential, params_of(tenant, name));
}

asio::awaitable<Result<std::string>> Credentials::read(TenantId tenant, std::string name) {
    const auto rows = co_await call(pool_, queries::find_credential, params_of(tenant, name));
    if (rows.size() == 0) {
        co_return Error{Errc::not_found, fmt::format("there is no credential '{}'", name), {}};
    }
    auto secret = vault_.open(about(tenant, name), box_of(rows, 0, 0));
    if (secret) co_return secret;
    Error error = secret.error();
    error.message = fmt::format("the credential '{}' cannot be read: {}", name, error.message);
    co_return error;
}

asio::awaitable<int> Credentials::rotate() {
    return rotate_boxes(
        pool_,
        vault_,
        {queries::other_credentials,
         queries::replace_credential_box,
         {"credential"},
         credential_place}
    );
}

bool is_credential_name(std::string_view name) {
    const auto letter = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
    };
    const auto fits = [letter](char c) { return letter(c) || (c >= '0' && c <= '9') || c == '-'; };
    return !name.empty() && name.size() <= 100 && letter(name[0]) &&
           std::all_of(name.begin(), name.end(), fits);
}

}  // namespace pawl::store
