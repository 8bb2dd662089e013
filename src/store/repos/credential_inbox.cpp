#include "store/repos/credential_inbox.hpp"

#include "base/fresh_id.hpp"
#include "base/json.hpp"
#include "store/queries.gen.hpp"
#include "store/repos/vault_boxes.hpp"

#include <fmt/core.h>

namespace pawl::store {

namespace {

std::string key_about(const Uuid& id) {
    return "wrap key/" + to_string(id);
}

}  // namespace

asio::awaitable<void> CredentialInbox::ensure_key() {
    const auto rows = co_await call(pool_, queries::newest_wrap_key, {});
    if (rows.size() > 0 && vault_.open(key_about(rows.uuid(0, 0)), box_of(rows, 0, 1))) co_return;
    const WrapKey made = new_wrap_key();
    const Uuid id = fresh_id();
    const VaultBox box = vault_.close(key_about(id), made.private_key);
    co_await call(
        pool_, queries::add_wrap_key, params_of(id, made.modulus, box.key_id, box.nonce, box.data)
    );
}

asio::awaitable<std::optional<std::string>> CredentialInbox::private_key(Uuid id) {
    if (key_ && key_->first == id) co_return key_->second;
    const auto rows = co_await call(pool_, queries::find_wrap_key, params_of(id));
    if (rows.size() == 0) co_return std::nullopt;
    auto opened = vault_.open(key_about(id), box_of(rows, 0, 0));
    if (!opened) co_return std::nullopt;
    key_ = {id, *opened};
    co_return std::move(*opened);
}

asio::awaitable<std::vector<LeftCredentials>> CredentialInbox::take(int limit) {
    const auto rows = co_await call(pool_, queries::left_credentials, params_of(limit));
    std::vector<LeftCredentials> all;
    for (int row = 0; row < rows.size(); ++row) {
        LeftCredentials left;
        left.tenant = rows.int4(row, 0);
        left.connector = rows.text(row, 1);
        left.account = rows.text(row, 2);
        if (!rows.is_null(row, 3)) left.settings = rows.jsonb(row, 3).get_object();
        left.writing = rows.uuid(row, 8);
        const WrappedSecret secret{
            std::string(rows.bytes(row, 5)),
            std::string(rows.bytes(row, 6)),
            std::string(rows.bytes(row, 7))};
        const auto key = co_await private_key(rows.uuid(row, 4));
        // Another server may have the key that encrypted it.
        if (!key) continue;
        const std::string about =
            fmt::format("connector/{}/{}/{}", left.tenant, left.connector, left.account);
        const auto text = unwrap_secret(*key, about, secret);
        auto read = text ? parse_json(*text) : Result<json::value>(text.error());
        if (read && read->is_object()) {
            left.credentials = std::move(read->get_object());
        } else {
            left.problem = read ? "they are no object" : read.error().message;
        }
        all.push_back(std::move(left));
    }
    co_return all;
}

asio::awaitable<void> CredentialInbox::finish(LeftCredentials left, std::string problem) {
    pg::Params params;
    params.add(left.tenant).add(std::string_view(left.connector));
    params.add(std::string_view(left.account)).add(left.writing).add(some(problem));
    co_await call(pool_, queries::finish_credentials, std::move(params));
}

}  // namespace pawl::store
