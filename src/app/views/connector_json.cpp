#include "app/views/connector_json.hpp"

#include "app/views/json_parts.hpp"

namespace pawl::app {

namespace {

json::array to_json(const std::vector<connect::AccountField>& fields) {
    json::array out;
    for (const connect::AccountField& field : fields) {
        json::object one;
        one["name"] = field.name;
        one["required"] = field.required;
        one["json"] = field.is_json;
        one["help"] = or_null(field.help);
        out.push_back(std::move(one));
    }
    return out;
}

}  // namespace

json::object to_json(const ShownConnector& one) {
    const connect::Connector& connector = *one.connector;
    json::object out;
    PAWL_SHOW(out, connector, (shown, name, title));
    out["own"] = !one.definition.is_null();
    json::array& channels = out["channels"].emplace_array();
    for (const std::string& channel : connector.channels) channels.emplace_back(channel);
    out["account_of"] = connector.account_of;
    out["credentials"] = to_json(connector.credentials);
    out["settings"] = to_json(connector.settings);
    out["replay"] = connect::name(connector.replay);
    out["per_second"] =
        connector.per_second > 0 ? json::value(connector.per_second) : json::value();
    out["hooks"] = connector.hooks.has_value();
    out["definition"] = one.definition;
    return out;
}

json::object to_json(const store::ConnectorAccount& account, const std::string& public_url) {
    json::object out;
    PAWL_SHOW(out, account, (shown, connector, account, channels, settings));
    out["hook_url"] = hook_url(public_url, account);
    PAWL_SHOW(out, account, (shown, created_at, updated_at));
    return out;
}

}  // namespace pawl::app
