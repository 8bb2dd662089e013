#include "app/messages/connector_uses.hpp"

#include "app/refusal.hpp"
#include "base/json.hpp"
#include "model/document.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <utility>

namespace pawl::app {

namespace {

constexpr std::size_t name_bytes_max = 60;

ConnectorPtr shipped_ptr(const connect::Connector& connector) {
    // Lives as long as the program.
    return {std::shared_ptr<void>(), &connector};
}

// As pawl.connector_definition has it.
bool is_name(std::string_view name) {
    const auto small = [](char c) { return c >= 'a' && c <= 'z'; };
    return !name.empty() && name.size() <= name_bytes_max && small(name.front()) &&
           std::all_of(name.begin(), name.end(), [&](char c) {
               return small(c) || (c >= '0' && c <= '9') || c == '_';
           });
}

Error no_connector(const std::string& name) {
    return not_found(fmt::format("there is no connector '{}'; GET /v1/connectors lists them", name))
        .with("connector", name);
}

Result<connect::Connector> read_own(const std::string& name, const std::string& text) {
    std::vector<WrongPlace> places;
    for (const Problem& one : connect::connector_problems(text)) {
        places.push_back({pointer_to_place(one.path), one.what});
    }
    if (!places.empty()) return wrong_places(std::move(places), "the connector is wrong: ");
    auto connector = connect::parse_connector(text);
    if (!connector) return wrong_at(connector.error().message, "", connector.error().message);
    if (connector->name != name) {
        return wrong_at(
            fmt::format("the connector calls itself '{}', not '{}'", connector->name, name),
            "/name",
            fmt::format("must be {}, as in the address", name)
        );
    }
    return connector;
}

// The other connectors that it names must be there.
asio::awaitable<Result<void>> check_others(
    store::Messages& messages, store::TenantId tenant, const connect::Connector& connector
) {
    const std::array<std::pair<const char*, std::string>, 2> others{
        {{"/account_of", connector.account_of}, {"/fallback", connector.fallback}}};
    for (const auto& [pointer, other] : others) {
        if (other.empty() || other == connector.name) continue;
        const auto found = co_await find_connector(messages, tenant, other);
        if (found) continue;
        co_return wrong_at(found.error().message, pointer, "must be a connector that is there");
    }
    co_return Result<void>();
}

}  // namespace

std::string pointer_to_place(std::string_view place) {
    std::string pointer;
    if (!place.empty()) pointer += '/';
    for (const char c : place) {
        if (c == '.' || c == '[') {
            pointer += '/';
        } else if (c != ']') {
            pointer += c;
        }
    }
    return pointer;
}

asio::awaitable<Result<ShownConnector>> find_connector(
    store::Messages& messages, store::TenantId tenant, std::string name
) {
    if (const auto* shipped = connect::find_shipped(name)) {
        co_return ShownConnector{shipped_ptr(*shipped), {}};
    }
    auto own = co_await messages.find_connector(tenant, name);
    if (!own) co_return no_connector(name);
    auto connector = connect::connector_from_json(*own);
    if (!connector) {
        co_return refusal(
            Errc::conflict,
            "invalid_connector",
            fmt::format("connector '{}' cannot be read: {}", name, connector.error().message)
        )
            .with("connector", name)
            .with("why", connector.error().message);
    }
    co_return ShownConnector{
        std::make_shared<const connect::Connector>(std::move(*connector)), std::move(*own)};
}

asio::awaitable<std::vector<ShownConnector>> list_connectors(
    ConnectorUses& uses, store::TenantId tenant
) {
    std::vector<ShownConnector> all;
    for (const auto& one : connect::shipped_connectors()) all.push_back({shipped_ptr(one), {}});
    for (auto& own : co_await uses.definitions.list(tenant)) {
        auto connector = connect::connector_from_json(own.definition);
        if (!connector) {
            // It was fine when it was kept: one that only an earlier release can read still has a
            // name.
            connector = connect::Connector();
            connector->name = own.name;
            connector->title = fmt::format("{} (cannot be read)", own.name);
        }
        all.push_back(
            {std::make_shared<const connect::Connector>(std::move(*connector)),
             std::move(own.definition)}
        );
    }
    std::sort(all.begin(), all.end(), [](const ShownConnector& a, const ShownConnector& b) {
        return a.connector->name < b.connector->name;
    });
    co_return all;
}

asio::awaitable<Result<ShownConnector>> put_connector(
    ConnectorUses& uses, store::TenantId tenant, std::string name, std::string text
) {
    if (!is_name(name)) {
        co_return wrong_at(
            fmt::format("'{}' cannot be the name of a connector", name),
            "/name",
            "must begin with a-z and go on with a-z, 0-9 and _, at most 60 of them"
        );
    }
    // Its accounts have credentials that would go where the new definition says.
    if (connect::find_shipped(name) != nullptr) {
        co_return refusal(
            Errc::conflict,
            "name_taken",
            fmt::format("{} comes with Pawl: give yours another name", name)
        )
            .with("connector", name);
    }
    auto connector = read_own(name, text);
    if (!connector) co_return connector.error();
    if (auto wrong = wrong_label("title", connector->title)) co_return std::move(*wrong);
    const auto others = co_await check_others(uses.messages, tenant, *connector);
    if (!others) co_return others.error();
    const auto document = read_document(text, DefinitionLimits{});
    if (!document) co_return wrong_at(document.error().message, "", document.error().message);
    auto kept = co_await uses.definitions.put(tenant, std::move(name), to_json(*document));
    uses.changed();
    co_return ShownConnector{
        std::make_shared<const connect::Connector>(std::move(*connector)),
        std::move(kept.definition)};
}

asio::awaitable<Result<void>> remove_connector(
    ConnectorUses& uses, store::TenantId tenant, std::string name
) {
    if (connect::find_shipped(name) != nullptr) {
        co_return refusal(
            Errc::conflict, "not_own", fmt::format("{} comes with Pawl and stays", name)
        )
            .with("connector", name);
    }
    const auto accounts = co_await uses.accounts.list(tenant, name);
    if (!accounts.empty()) {
        co_return refusal(
            Errc::conflict,
            "has_accounts",
            fmt::format(
                "{} has accounts ({}{}): delete them first",
                name,
                accounts.front().account,
                accounts.size() > 1 ? ", ..." : ""
            )
        )
            .with("connector", name)
            .with("account", accounts.front().account);
    }
    const bool found = co_await uses.definitions.remove(tenant, name);
    if (!found) co_return no_connector(name);
    uses.changed();
    co_return Result<void>();
}

}  // namespace pawl::app
