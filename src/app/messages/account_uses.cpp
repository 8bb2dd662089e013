#include "app/messages/account_uses.hpp"

#include "app/refusal.hpp"
#include "base/base64url.hpp"
#include "connect/account.hpp"
#include "connect/message_refusal.hpp"

#include <boost/json/serialize.hpp>
#include <fmt/core.h>
#include <openssl/rand.h>

#include <algorithm>

namespace pawl::app {

namespace {

constexpr std::size_t name_bytes_max = 60;
constexpr std::size_t token_bytes = 24;  // 32 characters of base64url
constexpr std::size_t part_bytes_max = 64 << 10;
constexpr const char* too_long = "must have at most 64 KiB as JSON";
// Ours, of every account: the one that a message gets which names none.
constexpr std::string_view default_key = "default";
constexpr std::string_view base_url_key = "base_url";

std::string new_hook_token() {
    std::string bytes(token_bytes, '\0');
    auto* data = reinterpret_cast<unsigned char*>(bytes.data());
    if (RAND_bytes(data, static_cast<int>(bytes.size())) != 1) {
        throw Failure({Errc::internal, "OpenSSL gave no random bytes", {}});
    }
    return to_base64url(bytes);
}

// As pawl.connector_account has it.
bool is_account_name(std::string_view name) {
    const auto plain = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    };
    return !name.empty() && name.size() <= name_bytes_max && plain(name.front()) &&
           std::all_of(name.begin(), name.end(), [&](char c) {
               return plain(c) || c == '_' || c == '.' || c == '-';
           });
}

// What the connector says about an account, at its place in the parameters.
Error wrong_account(const Error& error) {
    std::string place;
    for (const auto& [key, value] : error.context) {
        if (key == "place") place = value;
    }
    std::string detail = error.message;
    if (!place.empty() && detail.starts_with(place + ": ")) detail.erase(0, place.size() + 2);
    std::string pointer = pointer_to_place(place);
    std::string sentence = pointer.empty() ? detail : pointer + " " + detail;
    return wrong_at(std::move(sentence), std::move(pointer), std::move(detail));
}

// Where the credentials of an account go.
const json::value* base_url_of(const json::object& settings) {
    return settings.if_contains(base_url_key);
}

bool goes_elsewhere(const json::object& before, const json::object& after) {
    const json::value* old = base_url_of(before);
    const json::value* now = base_url_of(after);
    if (old == nullptr || now == nullptr) return old != now;
    return *old != *now;
}

Result<void> check_names(const connect::Connector& connector, const AccountParams& params) {
    if (!is_account_name(params.account)) {
        return wrong_at(
            fmt::format("'{}' cannot be the name of an account", params.account),
            "/account",
            "must be letters, digits, _, . and -, begin with a letter or digit, at most 60"
        );
    }
    if (connector.account_of != connector.name) {
        return refusal(
                   Errc::conflict,
                   "shares_accounts",
                   fmt::format(
                       "{} uses the accounts of {}: put it there",
                       connector.name,
                       connector.account_of
                   )
        )
            .with("connector", connector.name)
            .with("owner", connector.account_of);
    }
    return {};
}

// Takes `default` out, for the connector does not know it; checks it and puts it back.
Result<connect::Account> checked(const connect::Connector& connector, connect::Account account) {
    json::value preferred;
    if (const json::value* given = account.settings.if_contains(default_key)) {
        if (!given->is_bool()) {
            const char* detail = "must be true or false";
            return wrong_at(
                fmt::format("/settings/default {}", detail), "/settings/default", detail
            );
        }
        preferred = *given;
        account.settings.erase(default_key);
    }
    auto fine = connect::check_account(connector, account);
    if (!fine) return wrong_account(fine.error());
    for (const auto* part : {&fine->credentials, &fine->settings}) {
        if (json::serialize(*part).size() <= part_bytes_max) continue;
        const char* pointer = part == &fine->credentials ? "/credentials" : "/settings";
        return wrong_at(fmt::format("{} {}", pointer, too_long), pointer, too_long);
    }
    if (preferred == true) fine->settings[default_key] = true;
    return fine;
}

}  // namespace

asio::awaitable<Result<store::ConnectorAccount>> put_account(
    ConnectorUses& uses, store::TenantId tenant, AccountParams params
) {
    if (!uses.vault.usable()) {
        co_return refusal(
            Errc::conflict,
            "no_secret_key",
            "this server has no key to encrypt credentials with; give it one: PAWL_SECRET_KEY"
        );
    }
    const auto found = co_await find_connector(uses.messages, tenant, params.connector);
    if (!found) co_return found.error();
    const ConnectorPtr connector = found->connector;
    if (auto fine = check_names(*connector, params); !fine) co_return fine.error();
    auto before = co_await uses.accounts.find(tenant, params.connector, params.account);
    if (!before && before.error().code != Errc::not_found && !params.credentials) {
        co_return before.error();
    }
    connect::Account given;
    if (params.credentials) {
        given.credentials = *params.credentials;
    } else if (before) {
        given.credentials = before->credentials;
    } else {
        const char* detail = "is required: the account is new";
        co_return wrong_at(fmt::format("/credentials {}", detail), "/credentials", detail);
    }
    if (params.settings) {
        given.settings = std::move(*params.settings);
    } else if (before) {
        given.settings = before->account.settings;
    }
    auto account = checked(*connector, std::move(given));
    if (!account) co_return account.error();
    // Credentials cannot be read back, also not by having them sent to a server of one's own.
    if (!params.credentials && goes_elsewhere(before->account.settings, account->settings)) {
        const char* detail = "needs the credentials in the same request: they go there";
        co_return wrong_at(
            fmt::format("/settings/base_url {}", detail), "/settings/base_url", detail
        );
    }
    store::ConnectorAccount kept;
    kept.tenant = tenant;
    kept.connector = std::move(params.connector);
    kept.account = std::move(params.account);
    for (const std::string& channel : connector->channels) kept.channels.emplace_back(channel);
    kept.settings = std::move(account->settings);
    kept.hook_token = new_hook_token();
    std::optional<json::object> credentials;
    if (params.credentials) credentials = std::move(account->credentials);
    auto done = co_await uses.accounts.put(std::move(kept), std::move(credentials));
    uses.changed();
    if (!done) co_return not_found("the account was deleted meanwhile");
    co_return std::move(*done);
}

asio::awaitable<Result<std::vector<store::ConnectorAccount>>> list_accounts(
    ConnectorUses& uses, store::TenantId tenant, std::string connector
) {
    const auto found = co_await find_connector(uses.messages, tenant, connector);
    if (!found) co_return found.error();
    co_return co_await uses.accounts.list(tenant, std::move(connector));
}

asio::awaitable<Result<void>> remove_account(
    ConnectorUses& uses, store::TenantId tenant, std::string connector, std::string account
) {
    const bool found = co_await uses.accounts.remove(tenant, connector, account);
    if (!found) {
        co_return not_found(fmt::format("there is no account '{}' of {}", account, connector))
            .with("account", account);
    }
    uses.changed();
    co_return Result<void>();
}

std::string hook_url(const std::string& public_url, const store::ConnectorAccount& account) {
    return fmt::format("{}/v1/hooks/{}/{}", public_url, account.connector, account.hook_token);
}

}  // namespace pawl::app
