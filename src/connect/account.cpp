#include "connect/account.hpp"

#include "base/json.hpp"
#include "connect/message_refusal.hpp"
#include "connect/signature.hpp"
#include "http/message.hpp"
#include "model/duration.hpp"
#include "model/suggest.hpp"

#include <fmt/core.h>

#include <algorithm>

namespace pawl::connect {

namespace {

constexpr std::size_t text_bytes_max = 16 << 10;
constexpr std::size_t secret_bytes_min = 6;
// Of every connector.
constexpr std::string_view base_url_key = "base_url";
constexpr std::string_view window_key = "webhook_window";
constexpr std::string_view rate_key = "rate";
constexpr double rate_min = 0.01;
constexpr double rate_max = 100'000;

Error wrong(std::string_view place, std::string_view what) {
    return refusal("invalid_account", place, what);
}

bool is_nothing(const json::value* value) {
    return value == nullptr || value->is_null() ||
           (value->is_string() && value->get_string().empty());
}

// The value under one of the names of a field.
const json::value* given_for(const AccountField& field, const json::object& given) {
    for (const std::string& alias : field.aliases) {
        const json::value* value = given.if_contains(alias);
        if (!is_nothing(value)) return value;
    }
    const json::value* value = given.if_contains(field.name);
    return is_nothing(value) ? nullptr : value;
}

Result<json::value> read_value(
    const AccountField& field, const json::value& value, const std::string& place
) {
    if (field.is_json) {
        if (value.is_object()) return value;
        const auto* text = value.if_string();
        auto parsed = text == nullptr ? Result<json::value>(Error{}) : parse_json(*text);
        if (parsed && parsed->is_object()) return parsed;
        return wrong(place, "must be a JSON object, or its text");
    }
    if (value.is_bool() || value.is_number()) return value;
    const auto* text = value.if_string();
    if (text == nullptr) return wrong(place, "must be text");
    if (text->size() > text_bytes_max) return wrong(place, "is longer than 16 KiB");
    if (!http::is_field_value(*text))
        return wrong(place, "holds a line end or another control character: remove it");
    return value;
}

Result<json::object> read_fields(
    const std::vector<AccountField>& fields,
    const json::object& given,
    const char* kind,
    bool needs_all
) {
    json::object read;
    for (const AccountField& field : fields) {
        const std::string place = fmt::format("{}.{}", kind, field.name);
        const json::value* value = given_for(field, given);
        if (value == nullptr) {
            if (!field.required || !needs_all) continue;
            return wrong(place, field.help.empty() ? "is missing" : "is missing: " + field.help);
        }
        auto checked = read_value(field, *value, place);
        if (!checked) return checked.error();
        read[field.name] = std::move(*checked);
    }
    return read;
}

bool is_base_url(std::string_view url, bool mail) {
    const std::size_t slashes = url.find("://");
    if (slashes == url.npos) return false;
    const std::string_view scheme = url.substr(0, slashes);
    const bool known =
        mail ? scheme == "smtp" || scheme == "smtps" : scheme == "http" || scheme == "https";
    const std::string_view rest = url.substr(slashes + 3);
    return known && !rest.empty() && rest.front() != '/' &&
           std::all_of(rest.begin(), rest.end(), [](char c) {
               return c > ' ' && c < 0x7f && c != '?' && c != '#' && c != '@' && c != '\\';
           });
}

// 0 for what is none.
double number_of(const json::value& value) {
    return value.is_number() ? value.to_number<double>() : 0;
}

// The settings that every connector has.
Result<void> read_common(
    const Connector& connector, const json::object& given, json::object& read
) {
    if (const json::value* base = given.if_contains(base_url_key); !is_nothing(base)) {
        const bool mail = connector.mail.has_value();
        if (!base->is_string() || !is_base_url(base->get_string(), mail))
            return wrong(
                "settings.base_url",
                mail ? "must be smtp://host:port" : "must be https://host, perhaps with a path"
            );
        read[base_url_key] = *base;
    }
    if (const json::value* window = given.if_contains(window_key); !is_nothing(window)) {
        if (!duration_from_json(*window))
            return wrong("settings.webhook_window", "must be a duration such as 5m");
        read[window_key] = *window;
    }
    if (const json::value* rate = given.if_contains(rate_key); !is_nothing(rate)) {
        if (number_of(*rate) < rate_min || number_of(*rate) > rate_max)
            return wrong("settings.rate", "must be messages a second, from 0.01 to 100000");
        read[rate_key] = *rate;
    }
    return {};
}

Result<void> refuse_unknown(
    const std::vector<AccountField>& fields,
    const json::object& given,
    const char* kind,
    std::vector<std::string_view> known
) {
    for (const AccountField& field : fields) {
        known.push_back(field.name);
        known.insert(known.end(), field.aliases.begin(), field.aliases.end());
    }
    for (const auto& [key, value] : given) {
        if (std::find(known.begin(), known.end(), std::string_view(key)) != known.end()) continue;
        return wrong(
            fmt::format("{}.{}", kind, std::string_view(key)), "is unknown" + suggest(key, known)
        );
    }
    return {};
}

Result<void> check_use(const Connector& connector, const Account& account) {
    if (connector.hooks) {
        const std::string& name = connector.hooks->secret;
        const std::string_view secret = text_in(account.credentials, name);
        const auto problem = secret_problem(connector.hooks->signing, secret);
        if (!secret.empty() && !problem.empty()) return wrong("credentials." + name, problem);
    }
    const json::value* url = account.credentials.if_contains("url");
    if (connector.mail && url != nullptr && url->is_string()) {
        const std::string_view text = url->get_string();
        if (!text.starts_with("smtp://") && !text.starts_with("smtps://"))
            return wrong("credentials.url", "must begin with smtp:// or smtps://");
    }
    return {};
}

}  // namespace

Result<Account> open_account(const Connector& connector, const Account& given, bool hooks) {
    Account account;
    auto credentials = read_fields(connector.credentials, given.credentials, "credentials", !hooks);
    if (!credentials) return credentials.error();
    account.credentials = std::move(*credentials);
    auto settings = read_fields(connector.settings, given.settings, "settings", !hooks);
    if (!settings) return settings.error();
    account.settings = std::move(*settings);
    auto common = read_common(connector, given.settings, account.settings);
    if (!common) return common.error();
    return account;
}

Result<Account> check_account(const Connector& connector, const Account& given) {
    auto known = refuse_unknown(connector.credentials, given.credentials, "credentials", {});
    if (!known) return known.error();
    known = refuse_unknown(
        connector.settings, given.settings, "settings", {base_url_key, window_key, rate_key}
    );
    if (!known) return known.error();
    auto account = open_account(connector, given);
    if (!account) return account;
    // Found when it is saved, not when the first message goes out or the first hook comes.
    if (auto usable = check_use(connector, *account); !usable) return usable.error();
    if (!connector.token) return account;
    const std::string& name = connector.token->service_account;
    for (const char* key : {"client_email", "private_key", "project_id"}) {
        const json::value* service = account->credentials.if_contains(name);
        if (service != nullptr && !text_in(*service, key).empty()) continue;
        return wrong("credentials." + name, fmt::format("has no {}: give the whole file", key));
    }
    return account;
}

std::vector<std::string> secrets_of(const Account& account) {
    std::vector<std::string> secrets;
    for (const auto& [key, value] : account.credentials) {
        if (const auto* text = value.if_string()) {
            if (text->size() >= secret_bytes_min) secrets.emplace_back(*text);
        } else if (const std::string_view private_key = text_in(value, "private_key");
                   !private_key.empty()) {
            secrets.emplace_back(private_key);
        }
    }
    return secrets;
}

namespace {

// 0: it has none.
double own_rate(const Account& account) {
    const json::value* own = account.settings.if_contains(rate_key);
    const double rate = own == nullptr ? 0 : number_of(*own);
    return rate >= rate_min && rate <= rate_max ? rate : 0;
}

}  // namespace

double rate_of(const Connector& connector, const Account& account) {
    const double own = own_rate(account);
    return own > 0 ? own : connector.per_second;
}

bool has_own_rate(const Account& account) {
    return own_rate(account) > 0;
}

std::string with_base(std::string_view url, const json::object& settings) {
    std::string_view base = text_in(settings, base_url_key);
    const std::size_t slashes = url.find("://");
    if (base.empty() || slashes == url.npos) return std::string(url);
    while (base.ends_with('/')) base.remove_suffix(1);
    const std::size_t path = url.find_first_of("/?#", slashes + 3);
    std::string made(base);
    if (path != url.npos) made += url.substr(path);
    return made;
}

}  // namespace pawl::connect
