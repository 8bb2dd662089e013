#pragma once

#include "connect/connector.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace pawl::connect {

// An account of a tenant with a provider, opened. Never logged.
struct Account {
    json::object credentials;
    json::object settings;
};

// Before an account is stored: the same under the names that the connector declares. Refuses what
// is missing, unknown or of the wrong kind; the error never holds a value.
Result<Account> check_account(const Connector& connector, const Account& given);

// The same for use: passes over what it does not know, and with `hooks` over what only sending
// needs.
Result<Account> open_account(const Connector& connector, const Account& given, bool hooks = false);

// What must not appear in an error or a log. Texts of a few characters are no secrets, and to take
// them out would make an error unreadable.
std::vector<std::string> secrets_of(const Account& account);

// How many messages a second go out: what the account says, or the connector; 0: as many as can.
double rate_of(const Connector& connector, const Account& account);
// Whether that is the account's own: it counts messages then, also those that go in one call.
bool has_own_rate(const Account& account);

// `url` at the host, and below the path, of settings.base_url, if there is one.
std::string with_base(std::string_view url, const json::object& settings);

}  // namespace pawl::connect
