#include "connect/connector.hpp"
#include "connect/connector_texts.gen.hpp"

#include <algorithm>

namespace pawl::connect {

namespace {

json::array describe(const std::vector<AccountField>& fields) {
    json::array all;
    for (const AccountField& field : fields) {
        json::object one{{"name", field.name}, {"required", field.required}};
        if (!field.help.empty()) one["help"] = field.help;
        all.push_back(std::move(one));
    }
    return all;
}

}  // namespace

const std::vector<Connector>& shipped_connectors() {
    static const std::vector<Connector> all = [] {
        std::vector<Connector> read;
        for (const std::string_view text : connector_texts)
            read.push_back(parse_connector(text).value());
        std::sort(read.begin(), read.end(), [](const Connector& a, const Connector& b) {
            return a.name < b.name;
        });
        return read;
    }();
    return all;
}

const Connector* find_shipped(std::string_view name) {
    for (const Connector& connector : shipped_connectors()) {
        if (connector.name == name) return &connector;
    }
    return nullptr;
}

json::object describe(const Connector& connector) {
    json::array channels;
    for (const std::string& channel : connector.channels) channels.emplace_back(channel);
    return {
        {"name", connector.name},
        {"title", connector.title},
        {"channels", std::move(channels)},
        {"account_of", connector.account_of},
        {"credentials", describe(connector.credentials)},
        {"settings", describe(connector.settings)},
        {"replay", name(connector.replay)},
        {"per_second", connector.per_second},
        {"hooks", connector.hooks.has_value()}};
}

}  // namespace pawl::connect
